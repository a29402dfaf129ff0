"""One connection to an event stream, from its opening to its end.

Promise: a stream that goes silent, is cut off or sends without bound ends in an exception.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from ._calls import Call, Deadline, Service, unexpected
from ._errors import UnexpectedAnswer
from ._flow import Flow, Stream, close, open_stream, read
from ._refusals import refusal_of
from ._sse import EventReader, EventTooLarge, ServerEvent

T = TypeVar("T")

# The service sends at least a comment every 15 seconds.
LONGEST_SILENCE_SECONDS = 45.0
OPENING_SECONDS = 30.0


def read_events(
    service: Service,
    path: str,
    last_id: str,
    deadline: Deadline,
    on_open: Callable[[], Flow[None]],
    on_event: Callable[[ServerEvent], Flow[T | None]],
) -> Flow[T | None]:
    """What `on_event` returned first that is not None; None when the stream ends before."""
    headers = {"last-event-id": last_id} if last_id else {}
    request = service.request(Call("GET", path, headers=headers, accept="text/event-stream"))
    silence = deadline.left(LONGEST_SILENCE_SECONDS)
    stream = yield from open_stream(request, deadline.left(OPENING_SECONDS), silence)
    try:
        found = yield from _until(stream, service, deadline, on_open, on_event)
    except Exception:
        yield from close(stream)
        raise
    yield from close(stream)
    return found


def _until(
    stream: Stream,
    service: Service,
    deadline: Deadline,
    on_open: Callable[[], Flow[None]],
    on_event: Callable[[ServerEvent], Flow[T | None]],
) -> Flow[T | None]:
    answer = stream.answer
    if not answer.is_success:
        raise refusal_of(answer.status, answer.headers, answer.body)
    if not re.match(r"text/event-stream\b", answer.headers.get("content-type", ""), re.IGNORECASE):
        raise unexpected(answer, "The answer is not an event stream.")
    service.note(answer)
    yield from on_open()
    reader = EventReader()
    while True:
        piece = yield from read(stream, deadline.left(LONGEST_SILENCE_SECONDS))
        if piece is None:
            return None
        try:
            events = list(reader.push(piece))
        except EventTooLarge as error:
            raise UnexpectedAnswer(f"The stream sent {error}.") from None
        for event in events:
            found = yield from on_event(event)
            if found is not None:
                return found
        if deadline.is_over:
            raise deadline.exceeded()
