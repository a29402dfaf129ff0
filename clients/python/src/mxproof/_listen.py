"""Callbacks of test lists as the service sends them, for trying out a receiver that is not reachable from outside.

Promise: a stream that breaks is opened again from the last callback seen, so none is delivered twice; an error that a retry
cannot cure is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ._calls import Deadline, Service, backoff
from ._errors import ConnectionFailed, RateLimited, ServiceUnavailable, UnexpectedAnswer
from ._events import read_events
from ._flow import Flow, emit, sleep, tell
from ._parse import parse_json, shaped
from ._sse import ServerEvent
from ._types import SentCallback

# After a stream that lived this long, the next one is opened at once.
GOOD_STREAM_SECONDS = 10.0


def listen(
    service: Service,
    on_open: Callable[[], object] | None,
    on_interruption: Callable[[], object] | None,
) -> Flow[None]:
    """Emits each attempt as it is sent."""
    last_id = ""
    was_open = False
    failures = 0

    def opened() -> Flow[None]:
        nonlocal was_open
        was_open = True
        yield from tell(_ignoring(on_open), None)

    def on_event(event: ServerEvent) -> Flow[None]:
        nonlocal last_id
        if event.event == "callback":
            # Before it is emitted: the consumer may stop here.
            last_id = event.id
            yield from emit(_callback_of(event.data))

    while True:
        since = time.monotonic()
        told = 0
        try:
            yield from read_events(service, "/callbacks/listen", last_id, Deadline(None), opened, on_event)
        except (ConnectionFailed, RateLimited, ServiceUnavailable) as error:
            # At the very first attempt the address may be wrong: that is for the caller to know.
            if not was_open:
                raise
            if not isinstance(error, ConnectionFailed):
                told = error.retry_after or 0
        yield from tell(_ignoring(on_interruption), None)
        failures = failures + 1 if time.monotonic() - since < GOOD_STREAM_SECONDS else 0
        yield from sleep(told + backoff(failures))


def _ignoring(listener: Callable[[], object] | None) -> Callable[[object], object] | None:
    return None if listener is None else lambda _: listener()


def _callback_of(data: str) -> SentCallback:
    try:
        return shaped(SentCallback, parse_json(data), "a callback")
    except ValueError:
        raise UnexpectedAnswer("The stream sent something else than a callback.") from None
