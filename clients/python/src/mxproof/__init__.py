"""The client of MXProof, the e-mail verification service you run yourself.

    from mxproof import MXProof

    with MXProof() as mx:  # MXPROOF_API_KEY and MXPROOF_URL
        print(mx.verify("ann@example.com").state)

`AsyncMXProof` has the same methods, awaited. `mxproof.webhooks` verifies callbacks.
"""

from __future__ import annotations

from . import _types, webhooks
from ._async import AsyncCheck, AsyncMXProof
from ._calls import AnswerInfo, Mode
from ._errors import (
    CallbackFault,
    CallbackRejected,
    Conflict,
    ConnectionFailed,
    DeadlineExceeded,
    Forbidden,
    IdempotencyKeyReused,
    InsufficientCredits,
    InvalidApiKey,
    InvalidRequest,
    ListFailed,
    ListNotFound,
    MXProofError,
    NotFound,
    RateLimited,
    Refusal,
    RefusalKind,
    ServiceUnavailable,
    UnexpectedAnswer,
)
from ._many import ManyProgress, Verified
from ._quiet_logs import keep_addresses_out_of_logs
from ._results import Page
from ._sum_up_waiting import WaitingCause, sum_up_waiting
from ._sync import Check, MXProof
from ._types import *  # noqa: F403
from ._version import __version__
from .webhooks import VerifiedCallback

__all__ = [
    "AnswerInfo",
    "AsyncCheck",
    "AsyncMXProof",
    "CallbackFault",
    "CallbackRejected",
    "Check",
    "Conflict",
    "ConnectionFailed",
    "DeadlineExceeded",
    "Forbidden",
    "IdempotencyKeyReused",
    "InsufficientCredits",
    "InvalidApiKey",
    "InvalidRequest",
    "ListFailed",
    "ListNotFound",
    "MXProof",
    "MXProofError",
    "ManyProgress",
    "Mode",
    "NotFound",
    "Page",
    "RateLimited",
    "Refusal",
    "RefusalKind",
    "ServiceUnavailable",
    "UnexpectedAnswer",
    "Verified",
    "VerifiedCallback",
    "WaitingCause",
    "__version__",
    "sum_up_waiting",
    "webhooks",
]
__all__ += _types.__all__

# Shown and pickled by the names that people import.
for _name in __all__:
    _it: object = globals()[_name]
    if isinstance(_it, type) and issubclass(_it, (MXProofError, MXProof, AsyncMXProof, Check, AsyncCheck)):
        _it.__module__ = __name__

keep_addresses_out_of_logs()
