"""A single check: sent once, read as often as it takes.

Promise: the address is never posted a second time; a 202 is followed by reading the list it names.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ._calls import Call, Deadline, Service, carry_out, idempotency_key, require_given, require_id, unexpected
from ._errors import DeadlineExceeded, Forbidden, ListFailed
from ._flow import Flow
from ._parse import shaped
from ._results import include_words, read_page
from ._types import CheckedAddress, Include, Pending, ResultRow
from ._waiting import ask_until_there, by_asking

Includes = Include | Sequence[Include] | None

# The longest wait that an operator can allow.
MAX_WAIT_SECONDS = 300


@dataclass(frozen=True)
class Begun:
    """A check that the service has begun and charged."""

    list_id: int
    result: CheckedAddress | None


def begin_check(
    service: Service, email: str, include: Includes, key: str | None, wait: int | None
) -> Flow[Begun]:
    """`wait`: seconds; None: as long as the service does by itself."""
    headers = {**idempotency_key(key), **_preference(wait)}
    call = Call("POST", "/verify", query={"include": include}, body={"email": email}, headers=headers)
    result = yield from carry_out(service, call)
    if isinstance(result.body, dict) and "list_id" in result.body:
        pending = shaped(Pending, result.body, "a pending check")
        return Begun(require_id(pending.list_id), None)
    found = re.search(r"/lists/([0-9]{1,18})/results$", result.headers.get("content-location", ""))
    if found is None:
        raise unexpected(result, "The answer does not say which list it belongs to.")
    return Begun(int(found[1]), shaped(CheckedAddress, result.body, "a result"))


def _preference(wait: int | None) -> dict[str, str]:
    if wait is None:
        return {}
    if not isinstance(wait, int) or not 0 <= wait <= MAX_WAIT_SECONDS:
        raise ValueError(f"wait is True, False, or a whole number of seconds from 0 to {MAX_WAIT_SECONDS}.")
    return {"prefer": f"wait={int(wait)}"}


def verify(
    service: Service, email: str, include: Includes, key: str | None, deadline: float | None
) -> Flow[CheckedAddress]:
    """Sent and waited for, within one deadline: that of the client, unless another is given."""
    limit = service.settings.deadline if deadline is None else deadline
    ends = Deadline(limit)
    begun = yield from begin_check(service.within(limit), email, include, key, wait=None)
    if begun.result is not None:
        return begun.result
    return (yield from _read(service, begun.list_id, include, ends))


def result_of(
    service: Service, list_id: int, include: Includes, deadline: float | None
) -> Flow[CheckedAddress]:
    return (yield from _read(service, list_id, include, Deadline(deadline)))


def _read(service: Service, list_id: int, include: Includes, ends: Deadline) -> Flow[CheckedAddress]:
    require_given({"include": include})
    try:
        try:
            yield from by_asking(service, list_id, ends)
        except Forbidden as refused:
            if refused.kind != "key_access":
                raise
            # A key with access `verify` reads the result alone, which says nothing of a check that failed.
            yield from ask_until_there(service, lambda asked: _is_there(asked, list_id), ends)
        within = service.within(ends.left(service.settings.deadline))
        page = yield from read_page(within, list_id, {"include": include}, limit=1)
    except DeadlineExceeded as late:
        late.list_id = list_id
        raise
    if not page.results or page.results[0].state == "pending":
        raise ListFailed.of(list_id)
    return _checked(page.results[0], include)


def _is_there(service: Service, list_id: int) -> Flow[Literal[True] | None]:
    page = yield from read_page(service, list_id, {}, limit=1)
    return None if page.results and page.results[0].state == "pending" else True


def _checked(row: ResultRow, include: Includes) -> CheckedAddress:
    """One shape of result, however long the check took."""
    fields = {field.name: getattr(row, field.name) for field in dataclasses.fields(CheckedAddress)}
    if "provider" not in include_words(include):
        fields["provider"] = None
    return CheckedAddress(**fields)
