"""A server that answers what it is told to, byte by byte if need be, and keeps what it was asked."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from typing_extensions import Self


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Answer = bytes | Callable[[socket.socket], None]
"""The bytes of an answer, or what sends them. Either way the connection is closed afterwards."""

KEY = "mx_test_0123456789"
_MAX_REQUEST_BYTES = 1024 * 1024


def answer(status: int, body: object = None, **headers: str) -> bytes:
    """As the service answers; header names with underscores."""
    text = json.dumps(body) if not isinstance(body, str) else body
    sent = {"content_type": "application/json", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in sent.items())
    data = text.encode()
    return (
        f"HTTP/1.1 {status} X\r\n{lines}content-length: {len(data)}\r\nconnection: close\r\n\r\n".encode()
        + data
    )


def refusal(status: int, code: str, **headers: str) -> bytes:
    return answer(status, {"error": code.replace("_", " ")}, mxproof_error=code, **headers)


def cut_off(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{")


def hang_up(_: socket.socket) -> None:
    pass


class HostileServer:
    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._answers: list[Answer] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._open: list[socket.socket] = []

    def will(self, *answers: Answer) -> None:
        """The next answers, one to each request; the last one to all that follow."""
        self._answers = list(answers)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Wakes it from its wait.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()
        self._thread.join(10)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection: socket.socket) -> None:
        try:
            asked = _read_request(connection)
            if asked is None:
                return
            self.asked.append(asked)
            reply = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
            if callable(reply):
                reply(connection)
            else:
                connection.sendall(reply)
        except OSError:
            pass
        finally:
            connection.close()


def _read_request(connection: socket.socket) -> Asked | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece or len(data) > _MAX_REQUEST_BYTES:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", "0")):
        body += connection.recv(65536)
    method, path, _ = first.split(" ")
    return Asked(method, path, headers, body)
