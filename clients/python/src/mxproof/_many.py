"""Any number of addresses, as lists of 100,000 (10,000 in test mode), and their results in the order of the input.

Promise: one result per input, duplicates included; an address is charged once, however often it occurs and whichever list its
twin is in; nothing is submitted before all of the input has been read and found fit.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import AsyncIterable, Callable, Iterable
from dataclasses import dataclass

from ._account import get_account
from ._calls import Deadline, Mode, Service, new_key, require_given
from ._checks import Includes
from ._errors import InsufficientCredits, ListFailed, UnexpectedAnswer
from ._flow import Flow, each, emit, tell
from ._lists import create_list
from ._results import MAX_PAGE_ROWS, read_page
from ._types import ListSummary, ListSummaryCounts, ResultRow
from ._waiting import watch

MAX_LIST_ADDRESSES: dict[Mode, int] = {"live": 100_000, "test": 10_000}
MAX_EMAIL_CHARACTERS = 1_000
# All of them are held, to put results back in order.
MAX_INPUTS = 10_000_000
_BLANK = -1
# What the service trims: JavaScript's white space, which is not quite Python's.
_WHITE_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


@dataclass(frozen=True, slots=True)
class Verified:
    input: str
    """As it was given."""
    result: ResultRow | None
    """None for a blank input, which the service does not check."""


@dataclass(frozen=True, slots=True)
class ManyProgress:
    total: int
    """Unique addresses of all lists."""
    checked: int
    counts: ListSummaryCounts
    lists: list[ListSummary]


@dataclass(frozen=True)
class ManyOptions:
    name: str | None
    group: str | None
    idempotency_key: str | None
    include: Includes
    deadline: float | None
    on_progress: Callable[[ManyProgress], object] | None

    def __post_init__(self) -> None:
        # Before anything is charged.
        require_given({"include": self.include})


class _Input:
    """The input, which unique address each is, and those that occur again."""

    def __init__(self) -> None:
        self.inputs: list[str] = []
        self.places: list[int] = []
        self.place_of: dict[str, int] = {}
        self.with_twin: set[int] = set()

    def take(self, given: str) -> None:
        at = len(self.inputs)
        if at >= MAX_INPUTS:
            raise ValueError(f"More than {MAX_INPUTS} addresses: verify them in several calls.")
        if not isinstance(given, str):
            raise TypeError(f"Address {at} is not a string.")
        if len(given) > MAX_EMAIL_CHARACTERS:
            raise ValueError(f"Address {at} has more than {MAX_EMAIL_CHARACTERS} characters.")
        # As the service cleans them, so that twins are found across lists too.
        email = given.strip(_WHITE_SPACE).lower()
        place = _BLANK
        if email != "":
            place = self.place_of.setdefault(email, len(self.place_of))
            if place < self._unique_before:
                self.with_twin.add(place)
            self._unique_before = len(self.place_of)
        self.inputs.append(given)
        self.places.append(place)

    _unique_before = 0


def verify_many(
    service: Service, emails: Iterable[str] | AsyncIterable[str], key_mode: Mode, options: ManyOptions
) -> Flow[None]:
    """Emits a `Verified` for each input."""
    if isinstance(emails, str):
        raise TypeError("emails is a list of addresses, not one string.")
    read = _Input()
    yield from each(emails, read.take)
    unique = list(read.place_of)
    rows = _Rows(service, unique, MAX_LIST_ADDRESSES[key_mode], options)
    yield from rows.submit()
    kept: dict[int, ResultRow] = {}
    next_place = 0
    for given, place in zip(read.inputs, read.places, strict=True):
        if place == _BLANK:
            yield from emit(Verified(given, None))
            continue
        if place != next_place:
            yield from emit(Verified(given, kept[place]))
            continue
        row = yield from rows.take()
        if row.email != unique[place]:
            raise UnexpectedAnswer("The results are not those of the addresses submitted.")
        if place in read.with_twin:
            kept[place] = row
        next_place += 1
        yield from emit(Verified(given, row))


class _Rows:
    """The rows of the unique addresses, in order, as their lists finish. The lists are checked beside each other by the
    service, so that they are waited for one after the other costs no time."""

    def __init__(self, service: Service, unique: list[str], list_size: int, options: ManyOptions) -> None:
        self._service = service
        self._unique = unique
        self._list_size = list_size
        self._options = options
        self._deadline = Deadline(options.deadline)
        self._lists: list[ListSummary] = []
        self._at = -1
        self._offset = 0
        self._held: deque[ResultRow] = deque()

    def submit(self) -> Flow[None]:
        name, group, given = self._options.name, self._options.group, self._options.idempotency_key
        parts = math.ceil(len(self._unique) / self._list_size)
        if parts > 1:
            yield from _require_credits(self._service, len(self._unique))
        key = new_key() if given is None else given
        together = None
        if parts > 1:
            # The same key may be used again for another input, a day later.
            together = group if group is not None else (key if given is None else None)
        for part in range(parts):
            emails = self._unique[part * self._list_size : (part + 1) * self._list_size]
            numbered = f"{name} ({part + 1} of {parts})" if name is not None and parts > 1 else name
            own_key = f"{key}.{part}" if parts > 1 else key
            made = yield from create_list(self._service, emails, numbered, None, together, None, own_key)
            self._lists.append(made)

    def take(self) -> Flow[ResultRow]:
        while not self._held:
            yield from self._load()
        return self._held.popleft()

    def _load(self) -> Flow[None]:
        if self._at < 0 or self._offset >= self._lists[self._at].total:
            yield from self._end_of_next()
        include = {"include": self._options.include}
        page = yield from read_page(
            self._service, self._lists[self._at].id, include, self._offset, MAX_PAGE_ROWS
        )
        if not page.results:
            raise UnexpectedAnswer("The results are fewer than the addresses submitted.")
        self._held.extend(page.results)
        self._offset += len(page.results)

    def _end_of_next(self) -> Flow[None]:
        self._at += 1
        self._offset = 0
        if self._at >= len(self._lists):
            raise UnexpectedAnswer("The results are fewer than the addresses submitted.")
        list_id = self._lists[self._at].id
        ended = yield from watch(self._service, list_id, self._deadline, self._report)
        if ended.status == "failed":
            raise ListFailed.of(list_id)

    def _report(self, found: ListSummary) -> Flow[None]:
        self._lists[self._at] = found
        yield from tell(self._options.on_progress, _sum_of(self._lists))


def _require_credits(service: Service, needed: int) -> Flow[None]:
    """Several lists are not refused as a whole, so the balance is checked before the first is submitted."""
    account = yield from get_account(service)
    if account.credits < needed:
        message = f"insufficient credits: {needed} needed"
        refusal = InsufficientCredits(message, kind="insufficient_credits", status=402)
        refusal.needed = needed
        raise refusal


def _sum_of(lists: list[ListSummary]) -> ManyProgress:
    return ManyProgress(
        total=sum(one.total for one in lists),
        checked=sum(one.checked for one in lists),
        counts=ListSummaryCounts(
            deliverable=sum(one.counts.deliverable for one in lists),
            risky=sum(one.counts.risky for one in lists),
            undeliverable=sum(one.counts.undeliverable for one in lists),
            unknown=sum(one.counts.unknown for one in lists),
        ),
        lists=list(lists),
    )
