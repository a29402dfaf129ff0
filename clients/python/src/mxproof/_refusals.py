"""From an answer with status 400 or above to its exception.

The service names each refusal by a code in MXProof-Error; an answer without one comes from something in front of it, or from
a service before 0.2, and means what its status means.
Promise: nothing here reads a sentence, and a code that is not known yet still gives its status's class.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import cast

from ._errors import (
    Conflict,
    Forbidden,
    IdempotencyKeyReused,
    InsufficientCredits,
    InvalidApiKey,
    InvalidRequest,
    ListNotFound,
    NotFound,
    RateLimited,
    Refusal,
    RefusalKind,
    ServiceUnavailable,
)

STATUSES: dict[int, RefusalKind] = {
    400: "invalid_request",
    401: "invalid_api_key",
    402: "insufficient_credits",
    403: "forbidden",
    404: "not_found",
    408: "timed_out",
    409: "conflict",
    413: "too_large",
    415: "encoded_body",
    422: "idempotency_key_reused",
    429: "rate_limited",
    431: "headers_too_large",
    500: "internal_error",
    503: "unavailable",
}
"""What a status means by itself."""

_CLASSES: dict[int, type[Refusal]] = {
    401: InvalidApiKey,
    402: InsufficientCredits,
    403: Forbidden,
    404: NotFound,
    408: ServiceUnavailable,
    409: Conflict,
    422: IdempotencyKeyReused,
    429: RateLimited,
}

# The service's own are a few hundred bytes.
_MAX_BODY_BYTES = 64 * 1024
_MAX_MESSAGE_CHARACTERS = 1_000
_MAX_HEADER_CHARACTERS = 1_000


def refusal_of(status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
    """`body` is JSON if the service itself spoke, anything if something in front of it did."""
    parsed = _parsed(body)
    error = parsed.get("error") if isinstance(parsed, dict) else None
    message = error[:_MAX_MESSAGE_CHARACTERS] if isinstance(error, str) else ""
    code = headers.get("mxproof-error", "")
    kind = cast(RefusalKind, code[:_MAX_HEADER_CHARACTERS]) or STATUSES.get(status, "other")
    detail = headers.get("mxproof-error-detail")
    # Where an exception is not caught, its message alone is shown.
    more = "" if detail is None else f" ({detail[:_MAX_HEADER_CHARACTERS]})"
    refusal = _class_of(status, kind)(
        (message or f"The service answered {status} without saying why.") + more,
        kind=kind,
        status=status,
        request_id=headers.get("x-request-id"),
        body=parsed,
        detail=detail,
        retry_after=retry_after_seconds(headers.get("retry-after")),
    )
    if isinstance(refusal, InsufficientCredits):
        refusal.needed = _count(headers.get("mxproof-credits-needed"))
    return refusal


def _class_of(status: int, kind: RefusalKind) -> type[Refusal]:
    if kind == "list_not_found":
        return ListNotFound
    if status >= 500:
        return ServiceUnavailable
    return _CLASSES.get(status) or (InvalidRequest if status in STATUSES else Refusal)


def _parsed(body: bytes) -> object:
    if len(body) > _MAX_BODY_BYTES:
        return None
    try:
        return cast(object, json.loads(body))
    except (ValueError, RecursionError):
        return None


def _count(header: str | None) -> int | None:
    return int(header) if header is not None and re.fullmatch(r"[0-9]{1,9}", header) else None


def retry_after_seconds(header: str | None, now: datetime | None = None) -> int | None:
    """Both forms HTTP has: seconds, or a date."""
    if header is None:
        return None
    seconds = _count(header.strip())
    if seconds is not None:
        return seconds
    try:
        at = parsedate_to_datetime(header[:_MAX_HEADER_CHARACTERS])
        # Without a zone it is UTC, as HTTP's dates are.
        at = at if at.tzinfo is not None else at.replace(tzinfo=timezone.utc)
        return max(0, math.ceil((at - (now or datetime.now(timezone.utc))).total_seconds()))
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
