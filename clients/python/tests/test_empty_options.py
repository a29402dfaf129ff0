"""An empty filter matches nothing, and must not be taken for no filter: the call is refused before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hostile_server import KEY, HostileServer, refusal

from mxproof import InvalidRequest, MXProof

Connect = Callable[..., MXProof]

EMPTY: dict[str, Any] = {
    "an empty list": [],
    "an empty tuple": (),
    "an empty string": "",
    "a list of an empty string": [""],
    "a list with an empty string": ["unknown", ""],
}

READERS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "results": lambda mx, options: mx.lists.results(7, **options),
    "page": lambda mx, options: mx.lists.page(7, **options),
    "csv": lambda mx, options: mx.lists.csv(7, **options),
}

CALLS: dict[str, Callable[[Any], Any]] = {
    "group of list": lambda mx: mx.lists.list(group=""),
    "status of list": lambda mx: mx.lists.list(status=""),
    "include of list": lambda mx: mx.lists.list(include=[]),
    "group of all": lambda mx: mx.lists.all(group=""),
    "include of get": lambda mx: mx.lists.get(7, include=[]),
    "include of account": lambda mx: mx.account.get(include=""),
    "kind of history": lambda mx: mx.account.history(kind=""),
    "kind of all_history": lambda mx: mx.account.all_history(kind=""),
    "days of usage": lambda mx: mx.account.usage(days=""),
    "include of verify": lambda mx: mx.verify("ann@example.com", include=[]),
    "include of verify with a wait": lambda mx: mx.verify("ann@example.com", include=[""], wait=0),
    "include of check": lambda mx: mx.check(7, include="").result(),
    "include of verify_many": lambda mx: mx.verify_many(["ann@example.com"], include=[]),
    "state of deliveries": lambda mx: mx.webhooks.deliveries(7, state=""),
    "state of all_deliveries": lambda mx: mx.webhooks.all_deliveries(7, state=""),
    "undo of delete": lambda mx: mx.lists.delete(7, undo=""),
}


def is_empty(name: str) -> str:
    return f"^{re.escape(f'{name} is empty: give it a value, or leave it out.')}$"


@pytest.mark.parametrize("value", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("name", ["state", "reason", "detail", "provider", "flag", "q", "include"])
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_an_empty_filter_is_refused(
    connect: Connect, hostile: HostileServer, read: Callable[[Any, Any], Any], name: str, value: Any
) -> None:
    hostile.will(refusal(400, "invalid_request"))
    mx = connect(KEY, hostile.url)
    # At once: not when the first row is asked for.
    with pytest.raises(ValueError, match=is_empty(name)):
        read(mx, {name: value})
    assert hostile.asked == []


@pytest.mark.parametrize(("name", "call"), CALLS.items(), ids=CALLS)
def test_so_is_any_other_empty_parameter(
    connect: Connect, hostile: HostileServer, name: str, call: Callable[[Any], Any]
) -> None:
    hostile.will(refusal(400, "invalid_request"))
    mx = connect(KEY, hostile.url)
    with pytest.raises(ValueError, match=is_empty(name.split(" ")[0])):
        call(mx)
    assert hostile.asked == []


def test_what_is_left_out_is_not_sent_and_other_texts_are_for_the_service_to_judge(
    connect: Connect, hostile: HostileServer
) -> None:
    hostile.will(refusal(400, "invalid_request"))
    mx = connect(KEY, hostile.url)
    calls: list[Callable[[], object]] = [
        lambda: mx.lists.page(7, state=None, limit=5),
        lambda: mx.suggest(""),
        lambda: mx.read_reply("", code=550),
    ]
    for call in calls:
        with pytest.raises(InvalidRequest):
            call()
    assert [asked.path for asked in hostile.asked] == [
        "/v1/lists/7/results?offset=0&limit=5",
        "/v1/suggest",
        "/v1/reply?code=550",
    ]
