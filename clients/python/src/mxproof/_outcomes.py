"""What became of mail, how often verdicts were right, and the suppression list."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from ._calls import Call, Service, fetch
from ._flow import Flow
from ._types import (
    Accuracy,
    AddedSuppressions,
    CheckedSuppressions,
    RemovedSuppressions,
    Suppressions,
    TakenOutcomes,
    WrongVerdicts,
)

# Of a request: with long replies, more would be too large.
_OUTCOMES_AT_ONCE = 1_000
_EMAILS_AT_ONCE = 50_000


def send_outcomes(service: Service, outcomes: Sequence[Mapping[str, object]]) -> Flow[TakenOutcomes]:
    total = TakenOutcomes(accepted=0, ignored=0, duplicates=0, errors=[])
    for start in range(0, len(outcomes), _OUTCOMES_AT_ONCE):
        some = [dict(each) for each in outcomes[start : start + _OUTCOMES_AT_ONCE]]
        call = Call("POST", "/outcomes", body={"outcomes": some})
        taken = yield from fetch(service, TakenOutcomes, call, "what was taken")
        total = TakenOutcomes(
            accepted=total.accepted + taken.accepted,
            ignored=total.ignored + taken.ignored,
            duplicates=total.duplicates + taken.duplicates,
            errors=[
                *total.errors,
                *(dataclasses.replace(each, index=start + each.index) for each in taken.errors),
            ],
        )
    return total


def get_accuracy(service: Service, days: int | None) -> Flow[Accuracy]:
    return fetch(service, Accuracy, Call("GET", "/accuracy", query={"days": days}), "the accuracy")


def get_wrong_verdicts(
    service: Service, days: int | None, offset: int | None, limit: int | None
) -> Flow[WrongVerdicts]:
    query = {"days": days, "offset": offset, "limit": limit}
    return fetch(service, WrongVerdicts, Call("GET", "/accuracy/wrong", query=query), "the wrong verdicts")


def count_suppressions(service: Service) -> Flow[Suppressions]:
    return fetch(service, Suppressions, Call("GET", "/suppressions"), "the suppression list")


def add_suppressions(service: Service, emails: Sequence[str]) -> Flow[int]:
    added = 0
    for _, call in _in_batches("", emails):
        added += (yield from fetch(service, AddedSuppressions, call, "what was added")).added
    return added


def check_suppressions(service: Service, emails: Sequence[str]) -> Flow[list[int]]:
    places: list[int] = []
    for start, call in _in_batches("/check", emails):
        checked = yield from fetch(service, CheckedSuppressions, call, "which are suppressed")
        places.extend(start + place for place in checked.suppressed)
    return places


def remove_suppressions(service: Service, emails: Sequence[str]) -> Flow[int]:
    removed = 0
    for _, call in _in_batches("/remove", emails):
        removed += (yield from fetch(service, RemovedSuppressions, call, "what was removed")).removed
    return removed


def _in_batches(path: str, emails: Sequence[str]) -> list[tuple[int, Call]]:
    return [
        (
            start,
            Call(
                "POST", f"/suppressions{path}", body={"emails": list(emails[start : start + _EMAILS_AT_ONCE])}
            ),
        )
        for start in range(0, len(emails), _EMAILS_AT_ONCE)
    ]
