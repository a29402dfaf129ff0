"""Reads text/event-stream (the HTML standard's server-sent events) from pieces of bytes, wherever they are cut.

Promise: never more than the bound is held, however long a line or an event is.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

# A line and the data before it; the service's largest event, a callback of a test list, is a few kilobytes.
MAX_EVENT_CHARACTERS = 1024 * 1024

_ENDS = re.compile(r"\r\n|\n|\r")


class EventTooLarge(Exception):
    pass


@dataclass(frozen=True)
class ServerEvent:
    event: str
    """`message` if the stream named none."""
    data: str
    id: str
    """The last id the stream gave, for `Last-Event-ID`."""


class EventReader:
    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._line: list[str] = []
        self._data: list[str] = []
        self._held = 0
        self._event = ""
        self._id = ""
        self._is_first = True
        self._after_return = False

    def push(self, piece: bytes) -> Iterator[ServerEvent]:
        """The events that this piece completes."""
        text = self._decoder.decode(piece)
        begin = 0
        if self._after_return and text:
            begin = 1 if text[0] == "\n" else 0
            self._after_return = False
        for end in _ENDS.finditer(text, begin):
            self._hold(text[begin : end.start()])
            begin = end.end()
            if end[0] == "\r" and begin == len(text):
                self._after_return = True
            event = self._take()
            if event is not None:
                yield event
        self._hold(text[begin:])

    def _hold(self, text: str) -> None:
        self._held += len(text)
        if self._held > MAX_EVENT_CHARACTERS:
            raise EventTooLarge(f"an event of more than {MAX_EVENT_CHARACTERS} characters")
        if text:
            self._line.append(text)

    def _take(self) -> ServerEvent | None:
        line = "".join(self._line)
        self._line = []
        self._held -= len(line)
        if self._is_first:
            line = line.removeprefix("\ufeff")
            self._is_first = False
        if line == "":
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "data":
            self._data.append(value)
            self._held += len(value) + 1
        return None

    def _dispatch(self) -> ServerEvent | None:
        data, self._data = self._data, []
        event = ServerEvent(self._event or "message", "\n".join(data), self._id)
        self._event = ""
        self._held = 0
        return event if data else None
