"""What can be done to a list, and reading what there is of a kind, newest first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import asdict
from typing import TypeVar
from urllib.parse import quote

from ._calls import Call, QueryValue, Service, carry_out, fetch, idempotency_key, require_id
from ._errors import Refusal, RefusalKind
from ._flow import Flow, emit
from ._types import (
    Breakdown,
    Callback,
    CallbackEntry,
    CallbackPage,
    Corrections,
    Evidence,
    Group,
    ListFile,
    ListPage,
    ListSummary,
    ListWaiting,
    Retries,
)
from ._waiting import get_list

T = TypeVar("T")

ROWS_PER_PAGE = 1_000


def create_list(
    service: Service,
    emails: Iterable[str],
    name: str | None,
    callback_url: str | None,
    group: str | None,
    file: ListFile | None,
    key: str | None,
) -> Flow[ListSummary]:
    if isinstance(emails, str):
        raise TypeError("emails is a list of addresses, not one string.")
    given = {
        "emails": list(emails),
        "name": name,
        "callback_url": callback_url,
        "group": group,
        "file": None if file is None else asdict(file),
    }
    body = {field: value for field, value in given.items() if value is not None}
    call = Call("POST", "/lists", body=body, headers=idempotency_key(key))
    return (yield from fetch(service, ListSummary, call, "a list"))


def list_lists(service: Service, query: dict[str, QueryValue]) -> Flow[list[ListSummary]]:
    page = yield from fetch(service, ListPage, Call("GET", "/lists", query=query), "a page of lists")
    return page.lists


def list_callbacks(service: Service, query: dict[str, QueryValue]) -> Flow[list[CallbackEntry]]:
    call = Call("GET", "/callbacks", query=query)
    return (yield from fetch(service, CallbackPage, call, "a page of callbacks")).callbacks


Read = Callable[[int, int], Flow[list[T]]]
"""A page of at most so many, from an offset on."""


def newest_first(read: Read[T], id_of: Callable[[T], int]) -> Flow[None]:
    """Emits all there is, over all pages. What is made meanwhile moves the pages: nothing is emitted twice for it."""
    lowest: int | None = None

    def is_new(entry: T) -> bool:
        nonlocal lowest
        if lowest is not None and id_of(entry) >= lowest:
            return False
        lowest = id_of(entry)
        return True

    return _over_all_pages(read, is_new)


def every_once(read: Read[T], id_of: Callable[[T], Hashable]) -> Flow[None]:
    """The same for entries in any order: the ids of all are held."""
    seen: set[Hashable] = set()

    def is_new(entry: T) -> bool:
        known = len(seen)
        seen.add(id_of(entry))
        return len(seen) > known

    return _over_all_pages(read, is_new)


def _over_all_pages(read: Read[T], is_new: Callable[[T], bool]) -> Flow[None]:
    offset = 0
    while True:
        page = yield from read(offset, ROWS_PER_PAGE)
        for entry in page:
            if is_new(entry):
                yield from emit(entry)
        if len(page) < ROWS_PER_PAGE:
            return
        offset += len(page)


def get_group(service: Service, group: str) -> Flow[Group]:
    # A dot alone would be a step in the path.
    if group in ("", ".", ".."):
        raise ValueError("A group is 1 to 64 of A–Z, a–z, 0–9, _ and -.")
    return fetch(service, Group, Call("GET", f"/groups/{quote(group, safe='')}"), "a group")


def get_waiting(service: Service, list_id: int) -> Flow[ListWaiting]:
    call = Call("GET", f"/lists/{require_id(list_id)}/waiting")
    return fetch(service, ListWaiting, call, "what a list waits for")


def get_breakdown(service: Service, list_id: int) -> Flow[Breakdown]:
    return fetch(service, Breakdown, Call("GET", f"/lists/{require_id(list_id)}/breakdown"), "a breakdown")


def get_evidence(service: Service, list_id: int, position: int) -> Flow[Evidence]:
    if not isinstance(position, int) or isinstance(position, bool) or position < 0:
        raise ValueError("A position is an integer from 0.")
    call = Call("GET", f"/lists/{require_id(list_id)}/results/{position}/evidence")
    return fetch(service, Evidence, call, "evidence")


def rename_list(service: Service, list_id: int, name: str) -> Flow[ListSummary]:
    call = Call("PATCH", f"/lists/{require_id(list_id)}", body={"name": name})
    return fetch(service, ListSummary, call, "a list")


def pause_list(service: Service, list_id: int, key: str | None) -> Flow[ListSummary]:
    return _change(service, list_id, "pause", "list_paused", key)


def resume_list(service: Service, list_id: int, key: str | None) -> Flow[ListSummary]:
    return _change(service, list_id, "resume", "list_not_paused", key)


def _change(
    service: Service, list_id: int, verb: str, before: RefusalKind, key: str | None
) -> Flow[ListSummary]:
    try:
        return (yield from _act(service, ListSummary, list_id, verb, key))
    except Refusal as refusal:
        if not is_done_before(refusal, before):
            raise
        # The attempt before this one did it, and its answer was lost.
        return (yield from get_list(service, list_id))


def cancel_list(service: Service, list_id: int, key: str | None) -> Flow[ListSummary]:
    try:
        return (yield from _act(service, ListSummary, list_id, "cancel", key))
    except Refusal as refusal:
        if not is_done_before(refusal, "list_finished"):
            raise
        # The attempt before this one may have ended it, and its answer was lost.
        found = yield from get_list(service, list_id)
        if found.status != "failed":
            raise
        return found


def retry_list(service: Service, list_id: int, key: str | None) -> Flow[ListSummary]:
    return _act(service, ListSummary, list_id, "retry", key)


def get_retries(service: Service, list_id: int) -> Flow[list[int]]:
    call = Call("GET", f"/lists/{require_id(list_id)}/retries")
    return (yield from fetch(service, Retries, call, "the retries")).lists


def correct_list(
    service: Service, list_id: int, domains: Iterable[str] | None, key: str | None
) -> Flow[ListSummary]:
    if isinstance(domains, str):
        raise TypeError("domains is a list of domains, not one string.")
    body = None if domains is None else {"domains": list(domains)}
    return _act(service, ListSummary, list_id, "corrections", key, body)


def get_corrections(service: Service, list_id: int) -> Flow[list[int]]:
    call = Call("GET", f"/lists/{require_id(list_id)}/corrections")
    return (yield from fetch(service, Corrections, call, "the corrections")).lists


def get_callback(service: Service, list_id: int) -> Flow[Callback]:
    return fetch(service, Callback, Call("GET", f"/lists/{require_id(list_id)}/callback"), "a callback")


def resend_callback(service: Service, list_id: int, key: str | None) -> Flow[Callback]:
    try:
        return (yield from _act(service, Callback, list_id, "callback/resend", key))
    except Refusal as refusal:
        # The attempt before this one may have begun it, and its answer was lost.
        if not is_done_before(refusal, "callback_pending"):
            raise
    return (yield from get_callback(service, list_id))


def delete_list(service: Service, list_id: int, undo: int | None) -> Flow[None]:
    try:
        yield from carry_out(service, Call("DELETE", f"/lists/{require_id(list_id)}", query={"undo": undo}))
    except Refusal as refusal:
        # The attempt before this one deleted it, and its answer was lost.
        if not is_done_before(refusal, "list_not_found"):
            raise


def undelete_list(service: Service, list_id: int, key: str | None) -> Flow[ListSummary]:
    return _act(service, ListSummary, list_id, "undelete", key)


def _act(
    service: Service, kind: type[T], list_id: int, act: str, key: str | None, body: object = None
) -> Flow[T]:
    call = Call("POST", f"/lists/{require_id(list_id)}/{act}", headers=idempotency_key(key), body=body)
    return fetch(service, kind, call, "the answer")


def is_done_before(refusal: Refusal, kind: RefusalKind) -> bool:
    """The service refuses now what an attempt in doubt may have done."""
    return refusal.in_doubt and refusal.kind == kind
