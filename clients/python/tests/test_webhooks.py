"""Callbacks as the service signs them, and as an attacker would forge them: the vectors that every client is held to."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any, Literal

import pytest

from mxproof import CallbackRejected, webhooks

PUBLISHED: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[3] / "client/test-vectors.json").read_text("utf-8")
)
VECTORS, EVENTS = PUBLISHED["vectors"], PUBLISHED["events"]
GENUINE = VECTORS[0]


def outcome(payload: Any, headers: Any, vector: dict[str, Any]) -> str:
    try:
        webhooks.verify(
            payload,
            headers,
            vector["secrets"],
            now=vector["now"],
            allow_untimed=vector.get("allowUntimed", False),
        )
        return "genuine"
    except CallbackRejected as rejected:
        return rejected.kind


@pytest.mark.parametrize("vector", VECTORS, ids=[one["name"] for one in VECTORS])
def test_the_published_vectors(vector: dict[str, Any]) -> None:
    headers, body = vector["headers"], vector["body"]
    wsgi = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    for payload in (body, body.encode(), memoryview(body.encode())):
        for form in (headers, list(headers.items()), {k.lower(): v for k, v in headers.items()}, wsgi):
            assert outcome(payload, form, vector) == vector["outcome"]


@pytest.mark.parametrize("vector", EVENTS, ids=[one["name"] for one in EVENTS])
def test_the_published_events(vector: dict[str, Any]) -> None:
    def verify() -> webhooks.VerifiedEvent:
        return webhooks.verify_event(
            vector["body"], vector["headers"], vector["secrets"], mode=vector.get("mode"), now=vector["now"]
        )

    if vector["outcome"] != "genuine":
        with pytest.raises(CallbackRejected) as refused:
            verify()
        assert refused.value.kind == vector["outcome"]
        return
    verified = verify()
    assert verified.type == json.loads(vector["body"])["type"]
    assert verified.id == vector["headers"]["webhook-id"]


def test_a_genuine_callback_tells_of_its_list() -> None:
    callback = webhooks.verify(GENUINE["body"], GENUINE["headers"], GENUINE["secrets"], now=GENUINE["now"])
    assert callback.list is not None
    assert (callback.event, callback.list.id, callback.id) == ("list.done", 4711, "list.done.4711")
    assert callback.list.counts.deliverable == 2


def test_the_tolerance_is_the_callers() -> None:
    def at(now: float, tolerance: float = webhooks.TOLERANCE_SECONDS) -> str:
        try:
            webhooks.verify(GENUINE["body"], GENUINE["headers"], GENUINE["secrets"], tolerance, now=now)
            return "genuine"
        except CallbackRejected as rejected:
            return rejected.kind

    sent = GENUINE["now"]
    assert [at(sent + 300), at(sent + 301), at(sent - 300), at(sent - 301)] == [
        "genuine",
        "too_old",
        "genuine",
        "too_new",
    ]
    assert at(sent + 9, tolerance=10) == "genuine"
    assert at(sent + 11, tolerance=10) == "too_old"
    assert at(sent, tolerance=float("nan")) == "too_old"
    # Without `now` it is now, which is years later.
    with pytest.raises(CallbackRejected):
        webhooks.verify(GENUINE["body"], GENUINE["headers"], GENUINE["secrets"])


@pytest.mark.parametrize("secret", ["", " ", [], [""], None, ["whsec_AAAA"] * 11])
def test_a_missing_secret_is_an_error_of_the_program(secret: Any) -> None:
    with pytest.raises(ValueError, match="The webhook secret is missing"):
        webhooks.verify(GENUINE["body"], GENUINE["headers"], secret)


def test_a_parsed_body_cannot_be_verified() -> None:
    with pytest.raises(TypeError, match="bytes of the request"):
        webhooks.verify(json.loads(GENUINE["body"]), GENUINE["headers"], GENUINE["secrets"])


def test_statuses_are_those_to_answer() -> None:
    kinds = {
        "too_large": 413,
        "not_a_callback": 400,
        "bad_signature": 401,
        "no_signature": 401,
        "too_old": 401,
    }
    for kind, status in kinds.items():
        assert CallbackRejected("x", kind=kind).status == status  # type: ignore[arg-type]
    with pytest.raises(CallbackRejected) as rejected:
        webhooks.verify(b"x" * (webhooks.MAX_CALLBACK_BYTES + 1), {}, "whsec_AAAA")
    assert rejected.value.status == 413


def _event(kind: object, data: object, event_id: str = "evt_1", **more: Any) -> webhooks.VerifiedEvent:
    body = json.dumps({"type": kind, "timestamp": "2026-11-19T08:00:00Z", "data": data}).encode()
    headers = _signed_as(event_id, body, b"secret")
    return webhooks.verify_event(body, headers, "whsec_c2VjcmV0", now=100, **more)


@pytest.mark.parametrize("kind", ["list.done", "list.failed", "list.paused"])
def test_an_event_of_a_list_tells_of_it(kind: str) -> None:
    event = _event(kind, json.loads(GENUINE["body"])["list"])
    assert isinstance(event, webhooks.ListEvent)
    assert (event.type, event.timestamp, event.id) == (kind, "2026-11-19T08:00:00Z", "evt_1")
    assert (event.data.id, event.data.counts.deliverable) == (4711, 2)


def test_low_credits_a_test_and_what_is_not_known_yet() -> None:
    low = _event("credits.low", {"credits": 9, "low_credits": 10})
    assert isinstance(low, webhooks.CreditsLowEvent)
    assert low.data == webhooks.LowCredits(9, 10)
    for kind in ("test", "account.renamed"):
        assert _event(kind, {}) == webhooks.OtherEvent(kind, "2026-11-19T08:00:00Z", "evt_1")


def test_an_event_of_the_other_side_is_refused() -> None:
    assert _event("test", {}, "test_evt_1", mode="test").id == "test_evt_1"
    for event_id, mode in (("test_evt_1", "live"), ("evt_1", "test")):
        with pytest.raises(CallbackRejected) as rejected:
            _event("test", {}, event_id, mode=mode)
        assert rejected.value.kind == "wrong_mode"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("test", None),
        (7, {}),
        ("list.done", {"id": 7}),
        ("list.paused", {}),
        ("credits.low", {"credits": "9"}),
    ],
)
def test_what_is_signed_but_no_event_is_refused(kind: object, data: object) -> None:
    with pytest.raises(CallbackRejected) as rejected:
        _event(kind, data)
    assert (rejected.value.kind, rejected.value.status) == ("not_a_callback", 400)


def test_a_callback_is_no_event() -> None:
    with pytest.raises(CallbackRejected) as rejected:
        webhooks.verify_event(GENUINE["body"], GENUINE["headers"], GENUINE["secrets"], now=GENUINE["now"])
    assert rejected.value.kind == "not_a_callback"


def _signed_as(callback_id: str, body: bytes, key: bytes) -> dict[str, str]:
    signature = hmac.new(key, f"{callback_id}.100.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": callback_id,
        "webhook-timestamp": "100",
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }


@pytest.mark.parametrize("mode", ["live", "test"])
def test_a_callback_of_the_other_mode_is_refused(mode: Literal["live", "test"]) -> None:
    body = b'{"event":"list.later"}'
    ids = {"live": "list.done.7", "test": "test_list.done.7"}
    for of, callback_id in ids.items():
        headers = _signed_as(callback_id, body, b"secret")
        assert webhooks.verify(body, headers, "whsec_c2VjcmV0", now=100).id == callback_id
        if of == mode:
            assert webhooks.verify(body, headers, "whsec_c2VjcmV0", now=100, mode=mode).id == callback_id
            continue
        with pytest.raises(CallbackRejected) as rejected:
            webhooks.verify(body, headers, "whsec_c2VjcmV0", now=100, mode=mode)
        assert (rejected.value.kind, rejected.value.status) == ("wrong_mode", 401)


def test_where_only_the_body_is_signed_nothing_says_the_mode() -> None:
    body = b'{"event":"list.later"}'
    signed = hmac.new(b"whsec_c2VjcmV0", body, hashlib.sha256).hexdigest()
    # Anyone can put another id beside it.
    headers = {"x-mx-signature": signed, "webhook-id": "list.done.7"}
    assert webhooks.verify(body, headers, "whsec_c2VjcmV0", allow_untimed=True).id is None
    with pytest.raises(CallbackRejected) as rejected:
        webhooks.verify(body, headers, "whsec_c2VjcmV0", allow_untimed=True, mode="live")
    assert rejected.value.kind == "wrong_mode"
    with pytest.raises(ValueError, match="mode is"):
        webhooks.verify(body, headers, "whsec_c2VjcmV0", allow_untimed=True, mode="Live")  # type: ignore[arg-type]
