"""Waits for a list's end: by the service's events while they flow, else by asking.

    events ──cut or silent──▶ events again, from the last id ──three short-lived in a row──▶ asking
      │                                                                                        │
      └─ no such route, too many streams, a proxy's answer ─────────────────────────────────▶──┘

Promise: what is reported never goes back, and the end is reported once, whichever way it was learned.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from ._calls import Call, Deadline, QueryValue, Service, backoff, fetch, require_id
from ._errors import (
    ConnectionFailed,
    DeadlineExceeded,
    InvalidApiKey,
    ListNotFound,
    MXProofError,
    RateLimited,
    ServiceUnavailable,
    UnexpectedAnswer,
)
from ._events import read_events
from ._flow import Flow, emit, sleep, tell
from ._parse import parse_json, shaped
from ._sse import ServerEvent
from ._types import ListSummary

Answer = TypeVar("Answer")
Report = Callable[[ListSummary], Flow[None]]

# Asked often at first, for lists of a few addresses, then as the API recommends.
FIRST_POLL_SECONDS = 0.5
LONGEST_POLL_SECONDS = 5.0
POLL_GROWTH = 1.5
# A list takes hours; a restart of the service in the middle of them must not end the wait.
LONGEST_OUTAGE_SECONDS = 600.0

# A stream that lived this long was a good one; this many in a row that did not, and we ask instead.
GOOD_STREAM_SECONDS = 10.0
SHORT_STREAMS = 3


def get_list(service: Service, list_id: int, include: QueryValue = None) -> Flow[ListSummary]:
    call = Call("GET", f"/lists/{require_id(list_id)}", query={"include": include})
    return _the_list(list_id, (yield from fetch(service, ListSummary, call, "a list")))


def _the_list(list_id: int, found: ListSummary) -> ListSummary:
    """The one that was asked for."""
    if found.id != list_id:
        raise UnexpectedAnswer("The answer is not this list of an MXProof service.")
    return found


def wait_for_list(
    service: Service,
    list_id: int,
    deadline: float | None,
    on_progress: Callable[[ListSummary], object] | None,
    events: bool,
) -> Flow[ListSummary]:
    report: Report = lambda found: tell(on_progress, found)  # noqa: E731
    return (yield from watch(service, list_id, Deadline(deadline), report, events))


def follow_list(service: Service, list_id: int, deadline: float | None, events: bool) -> Flow[None]:
    """Emits the list whenever more of it is checked, and as it ended."""
    yield from watch(service, list_id, Deadline(deadline), emit, events)


def watch(
    service: Service, list_id: int, deadline: Deadline, report: Report, events: bool = True
) -> Flow[ListSummary]:
    require_id(list_id)
    progress = _Progress(report)
    ended = (yield from _by_events(service, list_id, deadline, progress)) if events else None
    if ended is not None:
        return ended
    return (yield from by_asking(service, list_id, deadline, progress.take, progress.was_there))


class _Progress:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._seen = -1
        self._ended = False

    @property
    def was_there(self) -> bool:
        return self._seen >= 0

    def take(self, found: ListSummary) -> Flow[None]:
        if self._ended or not (found.checked > self._seen or _is_finished(found)):
            return
        self._seen = found.checked
        self._ended = _is_finished(found)
        yield from self._report(found)


def _is_finished(found: ListSummary) -> bool:
    return found.status in ("done", "failed")


def _by_events(
    service: Service, list_id: int, deadline: Deadline, progress: _Progress
) -> Flow[ListSummary | None]:
    """None when events do not come through."""
    last_id = ""
    short = 0

    def on_open() -> Flow[None]:
        yield from ()

    def on_event(event: ServerEvent) -> Flow[ListSummary | None]:
        nonlocal last_id
        if event.event not in ("progress", "done", "failed"):
            return None
        found = _the_list(list_id, shaped(ListSummary, _parsed(event.data), "a list"))
        last_id = event.id
        yield from progress.take(found)
        return found if event.event != "progress" else None

    while short < SHORT_STREAMS:
        since = time.monotonic()
        try:
            path = f"/lists/{list_id}/events"
            ended = yield from read_events(service, path, last_id, deadline, on_open, on_event)
            if ended is not None:
                return ended
        except (ListNotFound, InvalidApiKey, DeadlineExceeded):
            raise
        except ConnectionFailed:
            pass
        except MXProofError:
            # Any other obstacle to a stream need not be one to polling.
            return None
        short = short + 1 if time.monotonic() - since < GOOD_STREAM_SECONDS else 0
        yield from _pause(backoff(short), deadline)
    return None


def _parsed(data: str) -> object:
    try:
        return parse_json(data)
    except ValueError:
        raise ConnectionFailed("The event stream broke off in the middle of an event.") from None


def _nothing(_: Any) -> Flow[None]:
    yield from ()


def by_asking(
    service: Service,
    list_id: int,
    deadline: Deadline,
    report: Report = _nothing,
    was_there: bool = True,
) -> Flow[ListSummary]:
    """`was_there`: the service has answered before, so an outage is waited out instead of being raised at once."""

    def ask(asked: Service) -> Flow[ListSummary | None]:
        found = yield from get_list(asked, list_id)
        yield from report(found)
        return found if _is_finished(found) else None

    return (yield from ask_until_there(service, ask, deadline, was_there))


def ask_until_there(
    service: Service,
    ask: Callable[[Service], Flow[Answer | None]],
    deadline: Deadline,
    was_there: bool = True,
) -> Flow[Answer]:
    """`ask` returns None: not yet."""
    answered = time.monotonic() if was_there else float("-inf")
    wait = FIRST_POLL_SECONDS
    while True:
        try:
            found = yield from ask(service.within(deadline.left(service.settings.deadline)))
            if found is not None:
                return found
            answered = time.monotonic()
        except (ConnectionFailed, DeadlineExceeded, RateLimited, ServiceUnavailable) as error:
            if deadline.is_over:
                raise deadline.exceeded() from error
            if time.monotonic() - answered > LONGEST_OUTAGE_SECONDS:
                raise
        yield from _pause(wait, deadline)
        wait = min(LONGEST_POLL_SECONDS, wait * POLL_GROWTH)


def _pause(seconds: float, deadline: Deadline) -> Flow[None]:
    yield from sleep(deadline.left(seconds))
    if deadline.is_over:
        raise deadline.exceeded()
