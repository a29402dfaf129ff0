"""An answer of JSON lines, as it comes: one value after the other, from the first byte to the end.

Promise: no more is held than one line up to its bound; an answer that goes silent, is cut off or is no such lines ends in an
exception.
"""

from __future__ import annotations

from collections.abc import Callable

from ._calls import Call, Service, begin, unexpected
from ._errors import ConnectionFailed
from ._flow import Answer, Flow, Stream, close, read
from ._parse import parse_json

_LINES = "application/x-ndjson"
# An entry of the audit trail is a few hundred bytes.
MAX_LINE_BYTES = 64 * 1024


def read_lines(service: Service, call: Call, take: Callable[[object], Flow[None]]) -> Flow[None]:
    """Opened as any call; what breaks off then is not read again."""
    stream = yield from begin(service, call)
    try:
        yield from _each_line(stream, service.settings.timeout, take)
    except Exception:
        yield from close(stream)
        raise
    yield from close(stream)


def _each_line(stream: Stream, seconds: float, take: Callable[[object], Flow[None]]) -> Flow[None]:
    answer = stream.answer
    if not answer.headers.get("content-type", "").lower().startswith(_LINES):
        raise unexpected(answer, "The answer is not JSON lines.")
    line = bytearray()
    while True:
        piece = yield from read(stream, seconds)
        if piece is None:
            break
        for place, part in enumerate(piece.split(b"\n")):
            if place > 0:
                yield from take(_parsed(line, answer))
                line.clear()
            line += part
            if len(line) > MAX_LINE_BYTES:
                raise unexpected(answer, f"The answer has a line of more than {MAX_LINE_BYTES} bytes.")
    if line:
        raise ConnectionFailed("The connection broke off in the middle of the answer.")


def _parsed(line: bytearray, answer: Answer) -> object:
    try:
        return parse_json(line.decode("utf-8", errors="replace"))
    except ValueError:
        raise unexpected(answer, "The answer has a line that is not JSON.") from None
