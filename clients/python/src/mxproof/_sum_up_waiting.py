"""What a list waits for, few enough to be read: large hosts by name, small ones together.

Promise: no address is left out or counted twice; the largest first. What is queued is one, wherever it is bound for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ._types import WaitingGroup, Why

# A host is named if it is the only one of its kind, or has at least this part of what waits for the same thing.
_NAMED_PART = 0.2


@dataclass(frozen=True, slots=True)
class WaitingCause:
    why: Why
    host: str | None
    """None: several, or none that is known."""
    addresses: int
    next_attempt_at: int | None
    """The earliest, in Unix seconds; None if not known."""


def sum_up_waiting(groups: Iterable[WaitingGroup]) -> list[WaitingCause]:
    by_why: dict[Why, dict[str | None, WaitingCause]] = {}
    for group in groups:
        cause = WaitingCause(group.why, group.host, group.addresses, group.next_attempt_at)
        hosts = by_why.setdefault(group.why, {})
        known = hosts.get(group.host)
        hosts[group.host] = cause if known is None else _together(known, cause)
    causes: list[WaitingCause] = []
    for why, hosts in by_why.items():
        same = list(hosts.values())
        if why == "queued":
            causes.append(replace(_all_together(same), host=None, next_attempt_at=None))
            continue
        total = sum(one.addresses for one in same)
        rest = [one for one in same if not _is_named(one, len(same), total)]
        causes.extend(one for one in same if _is_named(one, len(same), total))
        if rest:
            causes.append(_all_together(rest))
    return sorted(causes, key=lambda one: -one.addresses)


def _is_named(cause: WaitingCause, of_its_kind: int, total: int) -> bool:
    is_large = cause.host is not None and cause.addresses > 1 and cause.addresses >= _NAMED_PART * total
    return of_its_kind == 1 or is_large


def _all_together(causes: list[WaitingCause]) -> WaitingCause:
    whole = causes[0]
    for one in causes[1:]:
        whole = _together(whole, one)
    return whole


def _together(one: WaitingCause, other: WaitingCause) -> WaitingCause:
    """Of one why."""
    times = [at for at in (one.next_attempt_at, other.next_attempt_at) if at is not None]
    return WaitingCause(
        why=one.why,
        host=one.host if one.host == other.host else None,
        addresses=one.addresses + other.addresses,
        next_attempt_at=min(times, default=None),
    )
