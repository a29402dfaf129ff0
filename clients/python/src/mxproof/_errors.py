"""What can go wrong, as classes.

Promise: every exception of this package is one of these, or a TypeError or ValueError for an argument that cannot be right.
All of them survive pickling, and none holds the API key.
"""

from __future__ import annotations

from typing import Literal

from ._admin_types import ErrorCode as AdminErrorCode
from ._types import ErrorCode

StatusMeaning = Literal["forbidden", "conflict", "other"]
RefusalKind = ErrorCode | AdminErrorCode | StatusMeaning
"""A code of the service (`MXProof-Error`), or what its status means where it sent none. A later service may send others."""

CallbackFault = Literal[
    "no_signature", "bad_signature", "too_old", "too_new", "too_large", "not_a_callback", "wrong_mode"
]


class MXProofError(Exception):
    """The base of them all."""

    attempts: int = 0
    """How often the request was sent."""
    in_doubt: bool = False
    """An earlier attempt of the same request ended without an answer, or with 5xx: it may have been carried out. What
    charges is safe all the same, by its Idempotency-Key."""


class ConnectionFailed(MXProofError):
    """No answer: refused, reset, cut off in the middle, or not there within `timeout`."""


class DeadlineExceeded(MXProofError):
    """`deadline` is over. `__cause__` is what the last attempt met with."""

    list_id: int | None = None
    """Of a check that goes on: `check(list_id)` reads its result later. None if the service has not said that it began one."""


class UnexpectedAnswer(MXProofError):
    """What answered does not speak like the service: a proxy, another server, an answer beyond every bound."""

    def __init__(self, message: str, *, status: int = 200, request_id: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.request_id = request_id


class ListFailed(MXProofError):
    """The list ended as `failed`, so the check has no result. It was refunded."""

    def __init__(self, message: str, *, list_id: int = 0) -> None:
        super().__init__(message)
        self.list_id = list_id

    @classmethod
    def of(cls, list_id: int) -> ListFailed:
        message = f"List {list_id} failed and was refunded: submit its unchecked addresses again."
        return cls(message, list_id=list_id)


class Refusal(MXProofError):
    """The service answered with 400 or above.

    Decide on the class, or on `kind`: the code of `MXProof-Error`, or what the status means where there was none. The
    message and `detail` are for people.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: RefusalKind = "other",
        status: int = 0,
        request_id: str | None = None,
        body: object = None,
        detail: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: RefusalKind = kind
        self.status = status
        self.request_id = request_id
        """`X-Request-Id`: names the request in the service's log."""
        self.body = body
        """The answer's JSON; None if it was none."""
        self.detail = detail
        """`MXProof-Error-Detail`, which the message has in parentheses; None if the answer had none."""
        self.retry_after = retry_after
        """Seconds of `Retry-After`; None if the answer had none."""


class InvalidRequest(Refusal):
    """400, 413, 415, 431: the request itself is wrong. Repeating it changes nothing."""


class InvalidApiKey(Refusal):
    """401: the key is missing, wrong, expired, revoked, or not for this address."""


class InsufficientCredits(Refusal):
    """402: nothing was charged and nothing created."""

    needed: int | None = None
    """Credits the request needs; None if the answer did not say (a service before 0.2)."""


class Forbidden(Refusal):
    """403: the key may not do this, or the account is suspended."""


class NotFound(Refusal):
    """404, whatever it is that is not there."""


class ListNotFound(NotFound):
    """The account of this key has no such list."""


class Conflict(Refusal):
    """409: not in the state the thing is in."""


class IdempotencyKeyReused(Refusal):
    """422: this Idempotency-Key was used with another body."""


class RateLimited(Refusal):
    """429, after the retries. `retry_after` says how many seconds to wait."""


class ServiceUnavailable(Refusal):
    """408 and 5xx, after the retries."""


class CallbackRejected(MXProofError):
    """A callback that must not be believed: answer `status` and do nothing else."""

    def __init__(self, message: str, *, kind: CallbackFault = "bad_signature") -> None:
        super().__init__(message)
        self.kind: CallbackFault = kind

    @property
    def status(self) -> int:
        return {"too_large": 413, "not_a_callback": 400}.get(self.kind, 401)
