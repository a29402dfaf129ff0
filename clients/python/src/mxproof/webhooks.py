"""Says whether a list's callback, or an event for an endpoint, is the service's own, and what it tells.

Promise: only the bytes that were signed are ever parsed; signatures are compared in constant time; every secret is tried with
every signature, whichever matches.

Two signatures come with each. `webhook-signature` (Standard Webhooks) covers the id and the time of the attempt too,
and during a rotation of the secret carries one signature for each secret: it is the one that decides. `X-MX-Signature` covers
the body alone, so an old request sent again by a stranger would pass: it decides only where the caller says so.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Union, cast

from ._errors import CallbackRejected, UnexpectedAnswer
from ._parse import parse_json, shaped
from ._types import ListSummary

__all__ = [
    "TOLERANCE_SECONDS",
    "CallbackRejected",
    "CreditsLowEvent",
    "ListEvent",
    "LowCredits",
    "OtherEvent",
    "VerifiedCallback",
    "VerifiedEvent",
    "verify",
    "verify_event",
]

Headers = Union[Mapping[str, str], Iterable[tuple[str, str]]]
Payload = Union[bytes, bytearray, memoryview, str]
Secrets = Union[str, Sequence[str]]

TOLERANCE_SECONDS = 300
# A list.done is half a kilobyte.
MAX_CALLBACK_BYTES = 64 * 1024
_MAX_SECRETS = 10
_MAX_SIGNATURES = 10


@dataclass(frozen=True, slots=True)
class VerifiedCallback:
    event: str
    """`list.done`. Another event, of a later service, is for you to leave alone."""
    list: ListSummary | None
    """The finished list; None for another event."""
    id: str | None
    """`webhook-id`: the same in every attempt, so remember it to handle a callback once. None if it is not signed."""


@dataclass(frozen=True, slots=True)
class ListEvent:
    type: Literal["list.done", "list.failed", "list.paused"]
    timestamp: str
    """When it happened, in ISO 8601."""
    data: ListSummary
    """The list as it was then."""
    id: str | None
    """`webhook-id`: the same in every attempt, so remember it to handle an event once. None if it is not signed."""


@dataclass(frozen=True, slots=True)
class LowCredits:
    credits: int
    low_credits: int


@dataclass(frozen=True, slots=True)
class CreditsLowEvent:
    type: Literal["credits.low"]
    timestamp: str
    data: LowCredits
    id: str | None


@dataclass(frozen=True, slots=True)
class OtherEvent:
    type: str
    """`test`, or one of a later service, which is for you to leave alone."""
    timestamp: str
    id: str | None


VerifiedEvent = Union[ListEvent, CreditsLowEvent, OtherEvent]


def verify(
    payload: Payload,
    headers: Headers,
    secret: Secrets,
    tolerance: float = TOLERANCE_SECONDS,
    *,
    mode: Literal["live", "test"] | None = None,
    allow_untimed: bool = False,
    now: float | None = None,
) -> VerifiedCallback:
    """The callback, or `CallbackRejected`: answer its `status`.

    :param payload: the bytes of the request as they came, before anything parsed them
    :param headers: those of the request, as any framework has them
    :param secret: `whsec_…`, or several while the secret is being changed
    :param tolerance: how far `webhook-timestamp` may be from now, in seconds, either way
    :param mode: the side that is expected: that of live keys, or that of test keys; default: both
    :param allow_untimed: True: `X-MX-Signature` alone suffices, where something in front of you drops the `webhook-*`
        headers. Requests can then be replayed: remember what you have handled.
    :param now: Unix seconds; default: now
    """
    body, callback_id = _verified(payload, headers, secret, tolerance, mode, allow_untimed, now)
    try:
        value = parse_json(body.decode("utf-8"))
        if isinstance(value, dict) and isinstance(event := value.get("event"), str):
            done = shaped(ListSummary, value.get("list"), "a list") if event == "list.done" else None
            return VerifiedCallback(event, done, callback_id)
    except (ValueError, UnexpectedAnswer):
        pass
    raise CallbackRejected(
        "The body is signed but is not a callback of the service.", kind="not_a_callback"
    ) from None


def verify_event(
    payload: Payload,
    headers: Headers,
    secret: Secrets,
    tolerance: float = TOLERANCE_SECONDS,
    *,
    mode: Literal["live", "test"] | None = None,
    allow_untimed: bool = False,
    now: float | None = None,
) -> VerifiedEvent:
    """What an endpoint of the account is told, or `CallbackRejected`: answer its `status`.

    :param secret: the endpoint's own
    """
    body, event_id = _verified(payload, headers, secret, tolerance, mode, allow_untimed, now)
    try:
        value = parse_json(body.decode("utf-8"))
        if isinstance(value, dict):
            return _event(value, event_id)
    except (ValueError, UnexpectedAnswer):
        pass
    raise CallbackRejected(
        "The body is signed but is not an event of the service.", kind="not_a_callback"
    ) from None


def _event(value: dict[str, object], event_id: str | None) -> VerifiedEvent:
    kind, timestamp, data = value.get("type"), value.get("timestamp"), value.get("data")
    if not (isinstance(kind, str) and isinstance(timestamp, str) and isinstance(data, dict)):
        raise ValueError("not an event")
    if kind in ("list.done", "list.failed", "list.paused"):
        of_list = cast(Literal["list.done", "list.failed", "list.paused"], kind)
        return ListEvent(of_list, timestamp, shaped(ListSummary, data, "a list"), event_id)
    if kind == "credits.low":
        return CreditsLowEvent("credits.low", timestamp, shaped(LowCredits, data, "a balance"), event_id)
    return OtherEvent(kind, timestamp, event_id)


def _verified(
    payload: Payload,
    headers: Headers,
    secret: Secrets,
    tolerance: float,
    mode: str | None,
    allow_untimed: bool,
    now: float | None,
) -> tuple[bytes, str | None]:
    """The body that is the service's own, and its id if that is signed."""
    body = _bytes_of(payload)
    known = _require_secrets(secret)
    if len(body) > MAX_CALLBACK_BYTES:
        raise CallbackRejected(f"The body has more than {MAX_CALLBACK_BYTES} bytes.", kind="too_large")
    given = _lower(headers)
    callback_id = given.get("webhook-id")
    timestamp = given.get("webhook-timestamp")
    signatures = given.get("webhook-signature")
    if callback_id is not None and timestamp is not None and signatures is not None:
        signed = f"{callback_id}.{timestamp}.".encode("utf-8", "surrogateescape") + body
        if not _is_signed([_standard_key(one) for one in known], _standard_signatures(signatures), signed):
            raise _forged()
        _require_fresh(timestamp, tolerance, time.time() if now is None else now)
        _require_mode(callback_id, mode)
        return body, callback_id
    untimed = given.get("x-mx-signature")
    if untimed is None:
        raise CallbackRejected("The request has no signature.", kind="no_signature")
    if allow_untimed is not True:
        raise CallbackRejected(
            "The request has no webhook-id, webhook-timestamp and webhook-signature: let them through, or set allow_untimed.",
            kind="no_signature",
        )
    if not _is_signed([one.encode() for one in known], _hex_signatures(untimed), body):
        raise _forged()
    _require_mode(None, mode)
    return body, None


def _is_signed(keys: list[bytes], signatures: list[bytes], data: bytes) -> bool:
    found = False
    for key in keys:
        expected = hmac.new(key, data, hashlib.sha256).digest()
        for signature in signatures:
            found |= hmac.compare_digest(expected, signature)
    return found


def _require_fresh(timestamp: str, tolerance: float, now: float) -> None:
    age = now - int(timestamp) if re.fullmatch(r"[0-9]{1,12}", timestamp) else float("inf")
    if not age <= tolerance:
        raise CallbackRejected(
            "The request is too old: it was sent again, or a clock is wrong.", kind="too_old"
        )
    if age < -tolerance:
        raise CallbackRejected("The request is from the future: a clock is wrong.", kind="too_new")


def _require_mode(callback_id: str | None, mode: str | None) -> None:
    """The id says it, which `webhook-signature` covers and `X-MX-Signature` does not."""
    if mode is None:
        return
    if mode not in ("live", "test"):
        raise ValueError('mode is "live" or "test", or left out.')
    if callback_id is None:
        raise CallbackRejected("Without webhook-id nothing says which mode it is of.", kind="wrong_mode")
    found = "test" if callback_id.startswith("test_") else "live"
    if found != mode:
        raise CallbackRejected(
            f"The request is of {found} mode, and {mode} mode is expected.", kind="wrong_mode"
        )


def _require_secrets(secret: Secrets) -> list[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret or ())
    is_fit = 0 < len(secrets) <= _MAX_SECRETS
    # Without this check, an environment variable that is not set would be an empty, hence public, secret.
    if not is_fit or not all(isinstance(one, str) and one.strip() for one in secrets):
        raise ValueError(f"The webhook secret is missing: pass it, or 1 to {_MAX_SECRETS} of them.")
    return secrets


def _bytes_of(payload: object) -> bytes:
    if isinstance(payload, str):
        return payload.encode("utf-8", "surrogateescape")
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return bytes(payload)
    raise TypeError("payload is the bytes of the request: a parsed body cannot be verified.")


def _lower(headers: Headers) -> dict[str, str]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    found: dict[str, str] = {}
    for name, value in pairs:
        if isinstance(name, str) and isinstance(value, str):
            # Some frameworks call it HTTP_WEBHOOK_ID.
            found.setdefault(name.lower().removeprefix("http_").replace("_", "-"), value)
    return found


def _standard_key(secret: str) -> bytes:
    """As Standard Webhooks has it: keyed with what the secret's base64 stands for."""
    key = _from_base64(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("The webhook secret is not one of the service: whsec_….")
    return key


def _standard_signatures(text: str) -> list[bytes]:
    """`v1,<base64>`, several of them with spaces between."""
    parts = text.split(" ")[:_MAX_SIGNATURES]
    found = [_from_base64(one.removeprefix("v1,")) for one in parts if one.startswith("v1,")]
    return [one for one in found if one is not None]


def _hex_signatures(text: str) -> list[bytes]:
    return [bytes.fromhex(text)] if re.fullmatch(r"[0-9a-f]{64}", text) else []


def _from_base64(text: str) -> bytes | None:
    """As browsers read it: padding may be left out."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _forged() -> CallbackRejected:
    return CallbackRejected(
        "No signature fits: the secret is another one, or the body was changed.", kind="bad_signature"
    )
