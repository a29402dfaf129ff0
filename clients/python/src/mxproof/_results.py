"""The results of a list, page after page. Promise: every row once, in order; one page is held at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ._calls import Call, QueryValue, Service, carry_out, require_id, total_of, unexpected
from ._flow import Flow, emit
from ._parse import shaped
from ._types import ResultPage, ResultRow

MAX_PAGE_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Page:
    results: list[ResultRow]
    total: int | None
    """How many rows match the filters; None where the service does not say."""


Query = Mapping[str, QueryValue]


@dataclass(frozen=True)
class Extent:
    offset: int = 0
    limit: int | None = None
    """Rows at most, over all pages; None: all."""
    page_size: int = MAX_PAGE_ROWS

    def __post_init__(self) -> None:
        if self.page_size < 1:
            raise ValueError("page_size is at least 1.")

    def next_page(self, taken: int) -> int:
        size = min(MAX_PAGE_ROWS, self.page_size)
        return size if self.limit is None else min(size, self.limit - taken)


def _path(list_id: int) -> str:
    return f"/lists/{require_id(list_id)}/results"


def read_page(
    service: Service, list_id: int, query: Query, offset: int = 0, limit: int = MAX_PAGE_ROWS
) -> Flow[Page]:
    call = Call("GET", _path(list_id), query={**query, "offset": offset, "limit": limit})
    result = yield from carry_out(service, call)
    page = shaped(ResultPage, result.body, "a page of results")
    # More than was asked for would be read again with the next page.
    if len(page.results) > limit:
        raise unexpected(result, "The answer has more results than were asked for.")
    return Page(page.results, total_of(result))


def read_results(service: Service, list_id: int, query: Query, extent: Extent) -> Flow[None]:
    """Emits every row."""
    taken = 0
    while (asked := extent.next_page(taken)) > 0:
        page = yield from read_page(service, list_id, query, extent.offset + taken, asked)
        for row in page.results:
            yield from emit(row)
        if len(page.results) < asked:
            return
        taken += asked


def read_csv(service: Service, list_id: int, query: Query, extent: Extent) -> Flow[None]:
    """Emits pages of CSV as they come, with one header row in all."""
    taken = 0
    while (asked := extent.next_page(taken)) > 0:
        window: Query = {**query, "offset": extent.offset + taken, "limit": asked, "format": "csv"}
        result = yield from carry_out(service, Call("GET", _path(list_id), query=window, accept="text/csv"))
        head, end, rows = str(result.body).partition("\r\n")
        if taken == 0:
            yield from emit(f"{head}{end}")
        # Rows may hold line breaks: they are not counted, the last page is the one without any.
        if rows == "":
            return
        yield from emit(rows)
        taken += asked


def include_words(include: str | Sequence[str] | None) -> set[str]:
    return {include} if isinstance(include, str) else set(include or ())
