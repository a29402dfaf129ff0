"""Both clients are one, nothing of the API is left out, and the package is what it says it is."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest

import mxproof
from mxproof import AsyncMXProof, MXProof, _refusals, admin, sum_up_waiting
from mxproof.admin import AdminClient, AsyncAdminClient

ROOT = Path(__file__).parents[3]
DOCUMENT: dict[str, Any] = json.loads((ROOT / "openapi.json").read_text("utf-8"))
ADMIN_DOCUMENT: dict[str, Any] = json.loads((ROOT / "openapi-admin.json").read_text("utf-8"))
KEY = "mx_test_0123456789"
# Sign-in and one's own membership are for browsers, health for process managers, the door of a hook for sending services; a posted suggestion is
# what the client asks for with GET, encoded.
NOT_FOR_CLIENTS = {
    "GET /session",
    "POST /session",
    "DELETE /session",
    "GET /session/ways",
    "POST /session/switch",
    "POST /sign-in/mail",
    "GET /v1/members/me",
    "PATCH /v1/members/me",
    "GET /healthz",
    "GET /readyz",
    "POST /v1/suggest",
    "POST /v1/hooks/{service}/{token}",
    "POST /operator/session",
    "GET /operator/session",
    "DELETE /operator/session",
    "GET /operator/session/ways",
}
PARTS = [
    "lists",
    "account",
    "account.keys",
    "audit",
    "callbacks",
    "hooks",
    "members",
    "outcomes",
    "requests",
    "suppressions",
    "webhooks",
]
ADMIN_PARTS = ["accounts", "accounts.keys", "lists", "callbacks", "audit"]


def part_of(client: object, path: str) -> object:
    for name in path.split(".") if path else []:
        client = getattr(client, name)
    return client


def methods(client: object) -> dict[str, Callable[..., Any]]:
    return {name: method for name, method in inspect.getmembers(client, inspect.ismethod) if name[0] != "_"}


@pytest.mark.parametrize(
    ("blocking", "awaiting", "path"),
    [
        *((MXProof(KEY), AsyncMXProof(KEY), path) for path in ["", *PARTS]),
        *((AdminClient(KEY), AsyncAdminClient(KEY), path) for path in ["", *ADMIN_PARTS]),
    ],
)
def test_both_clients_have_the_same_methods_with_the_same_arguments(
    blocking: object, awaiting: object, path: str
) -> None:
    one = methods(part_of(blocking, path))
    other = methods(part_of(awaiting, path))
    assert len(one) > 0
    assert one.keys() == other.keys()
    for name, method in one.items():
        given, awaited = inspect.signature(method), inspect.signature(other[name])
        taken = {
            key: str(value).replace("Iterable[str] | AsyncIterable[str]", "Iterable[str]")
            for key, value in awaited.parameters.items()
        }
        assert taken == {key: str(value) for key, value in given.parameters.items()}, name
        returned = re.sub(
            r"\bAsync(?=Iterator|MXProof|AdminClient|Check)", "", str(awaited.return_annotation)
        )
        assert returned == str(given.return_annotation), name
        is_iterated = "AsyncIterator" in str(awaited.return_annotation)
        is_plain = is_iterated or name in ("check", "with_options")
        assert inspect.iscoroutinefunction(other[name]) is not is_plain, name
        assert method.__doc__, name
        assert other[name].__doc__ == method.__doc__, name


@pytest.mark.parametrize(
    ("make", "document", "parts"),
    [(MXProof, DOCUMENT, PARTS), (AdminClient, ADMIN_DOCUMENT, ADMIN_PARTS)],
    ids=["accounts", "operators"],
)
def test_every_operation_of_the_document_has_a_method(
    make: Callable[..., Any], document: dict[str, Any], parts: list[str]
) -> None:
    asked: set[str] = set()

    def note(request: httpx.Request) -> httpx.Response:
        asked.add(f"{request.method} {request.url.path}")
        return httpx.Response(404, json={"error": "x"})

    transport = httpx.MockTransport(note)
    with make(KEY, "http://service", http_client=httpx.Client(transport=transport)) as client:
        for path in ["", *parts]:
            for name, method in methods(part_of(client, path)).items():
                if name in ("close", "with_options", "check"):
                    continue
                required = [
                    one for one in inspect.signature(method).parameters.values() if one.default is one.empty
                ]
                values = {
                    one.name: [{"email": "ann@example.com", "outcome": "delivered"}]
                    if one.name == "outcomes"
                    else ["ann@example.com"]
                    if one.name in ("emails", "events")
                    else "g"
                    if one.name == "source_id"
                    else 7
                    if one.name.endswith(("_id", "position", "credits"))
                    else "g"
                    for one in required
                }
                with pytest.raises(mxproof.Refusal):
                    list(method(**values))
    operations = {f"{method.upper()} {path}" for path, found in document["paths"].items() for method in found}
    wanted = {
        re.sub(
            r"(?<=/sources/)7|\{(group|delivery|domain)\}", "g", re.sub(r"\{(id|position|key)\}", "7", one)
        )
        for one in operations - NOT_FOR_CLIENTS
    }
    assert asked == wanted, "a route without a method, or a method without a route"


def test_every_code_is_a_word_of_the_type_and_every_status_has_a_class() -> None:
    for code, document in ((mxproof.ErrorCode, DOCUMENT), (admin.ErrorCode, ADMIN_DOCUMENT)):
        assert list(get_args(code)) == document["components"]["schemas"]["ErrorCode"]["enum"]
    statuses = {
        int(status)
        for methods_of in [*DOCUMENT["paths"].values(), *ADMIN_DOCUMENT["paths"].values()]
        for operation in methods_of.values()
        for status in operation["responses"]
        if status >= "400"
    }
    for status in statuses:
        refusal = _refusals.refusal_of(status, {"mxproof-error": "a_new_code"}, b"")
        assert type(refusal) is not mxproof.Refusal, status
        assert refusal.kind == "a_new_code"  # type: ignore[comparison-overlap]
        assert str(refusal) == f"The service answered {status} without saying why."


def test_retry_after_has_two_forms() -> None:
    assert _refusals.retry_after_seconds(" 12 ") == 12
    assert _refusals.retry_after_seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 0
    now = datetime(2026, 11, 17, 12, 0, 0, 500_000, timezone.utc)
    assert _refusals.retry_after_seconds("Tue, 17 Nov 2026 12:00:42 GMT", now) == 42
    assert [_refusals.retry_after_seconds(one) for one in (None, "", "soon", "-1", "9" * 40)] == [None] * 5


@pytest.mark.parametrize("module", [mxproof, admin])
def test_all_names_are_there_and_documented(module: Any) -> None:
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        it = getattr(module, name)
        if inspect.isclass(it) and issubclass(it, mxproof.MXProofError):
            assert it.__doc__, name
            assert it.__module__ == "mxproof"
        if dataclasses.is_dataclass(it):
            # Equal answers are equal, and none can be changed.
            params: Any = vars(it)["__dataclass_params__"]
            assert params.frozen, name


def test_waiting_is_summed_up() -> None:
    def group(why: Any, host: str | None, addresses: int, at: int | None = None) -> mxproof.WaitingGroup:
        return mxproof.WaitingGroup(why, host, None, addresses, 1, at)

    def plain(*groups: mxproof.WaitingGroup) -> list[tuple[str, str | None, int, int | None]]:
        return [(one.why, one.host, one.addresses, one.next_attempt_at) for one in sum_up_waiting(groups)]

    assert plain(
        group("timeout", "mx.a", 1),
        group("timeout", "mx.b", 1, 90),
        group("rate_limited", "mx.big", 6, 100),
        group("rate_limited", "mx.small", 1, 80),
        group("queued", "mx.c", 1, 70),
        group("queued", None, 2),
    ) == [
        ("rate_limited", "mx.big", 6, 100),
        ("queued", None, 3, None),
        ("timeout", None, 2, 90),
        ("rate_limited", "mx.small", 1, 80),
    ]
    assert plain(group("greylisted", "mx.a", 2, 70), group("greylisted", "mx.a", 3, 60)) == [
        ("greylisted", "mx.a", 5, 60)
    ]
    assert plain() == []


def test_version_and_licence_are_the_projects() -> None:
    assert mxproof.__version__ == json.loads((ROOT / "package.json").read_text("utf-8"))["version"]
    assert (ROOT / "clients/python/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
