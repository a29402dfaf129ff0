"""One call to the service: its attempts, the waits between them, and what came of it.

Promise: every attempt of a call sends the same bytes under the same Idempotency-Key, and the call ends within its deadline.
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar
from urllib.parse import SplitResult, urlencode, urlsplit

import httpx

from ._errors import ConnectionFailed, DeadlineExceeded, MXProofError, Refusal, UnexpectedAnswer
from ._flow import Answer, Flow, Request, Stream, close, open_stream, send, sleep, tell
from ._parse import TooManyValues, parse_json, shaped
from ._refusals import refusal_of
from ._version import __version__

T = TypeVar("T")
Mode = Literal["live", "test"]
Repeat = Literal["always", "unless_done"]
"""always: doing it twice is doing it once. unless_done: the service has no memory of the request, so only an answer that
says it did nothing is tried again."""
QueryValue = str | int | bool | Sequence[str] | None

DEFAULT_URL = "http://127.0.0.1:8080"
TIMEOUT_SECONDS = 60.0
DEADLINE_SECONDS = 300.0
MAX_RETRIES = 5

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 8.0
# The service's windows last 60 seconds. Told to wait longer, we hand the refusal to the caller.
LONGEST_RETRY_AFTER_SECONDS = 90
_MOST_DOUBLINGS = 16
# Of one client, all different.
MOST_WARNINGS = 100
# Five names of 64 characters, each character in two escapes.
LONGEST_WARNING = 4_096

_log = logging.getLogger("mxproof")


def log_warning(warning: str) -> None:
    _log.warning("MXProof: %s", warning)


@dataclass(frozen=True)
class AnswerInfo:
    """What an answer says beside its body."""

    request_id: str | None
    """`X-Request-Id`: names the request in `requests` and in the service's log. None: a proxy has answered."""
    status: int
    replayed: bool
    """`Idempotent-Replayed`: it is the remembered answer to an earlier request with this `Idempotency-Key`."""


@dataclass(frozen=True)
class Api:
    """A part of the service's interface, and what opens it."""

    prefix: str
    endings: tuple[str, ...]
    """What a `base_url` may end in, since people copy it so."""
    parameter: str
    variable: str
    key: str
    form: str
    """Of the key, for people."""


API = Api(
    prefix="/v1",
    endings=("/v1",),
    parameter="api_key",
    variable="MXPROOF_API_KEY",
    key="API key",
    form="your MXProof key: mx_live_… or mx_test_…",
)
ADMIN_API = Api(
    prefix="/admin/v1",
    endings=("/admin/v1", "/v1"),
    parameter="admin_key",
    variable="MXPROOF_ADMIN_KEY",
    key="admin key",
    form="your operator's key: mx_admin_…",
)


@dataclass(frozen=True)
class Settings:
    origin: str
    """Without the prefix."""
    api_key: str = field(repr=False)
    timeout: float = TIMEOUT_SECONDS
    deadline: float = DEADLINE_SECONDS
    max_retries: int = MAX_RETRIES
    on_answer: Callable[[AnswerInfo], object] | None = None
    api: Api = API

    def __post_init__(self) -> None:
        # Header values take no other characters; the key itself stays out of the sentence.
        if not isinstance(self.api_key, str) or not re.fullmatch(r"[\x21-\x7e]+", self.api_key):
            raise ValueError(f"{self.api.parameter} is {self.api.form}.")
        if not self.timeout > 0 or not self.deadline > 0:
            raise ValueError("timeout and deadline are seconds, more than 0.")
        if self.max_retries < 0:
            raise ValueError("max_retries is 0 or more.")


def settings_of(
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    deadline: float,
    max_retries: int,
    on_answer: Callable[[AnswerInfo], object] | None,
    api: Api = API,
) -> Settings:
    """What is not given comes from the environment, as for the command line. Empty counts as unset."""
    key = api_key if api_key is not None else os.environ.get(api.variable) or None
    if key is None:
        raise ValueError(f"No {api.key}: pass {api.parameter}, or set {api.variable}.")
    url = base_url if base_url is not None else os.environ.get("MXPROOF_URL") or DEFAULT_URL
    return Settings(origin_of(url, api), key, timeout, deadline, max_retries, on_answer, api)


def origin_of(base_url: str, api: Api = API) -> str:
    """With or without the prefix at its end."""
    parts = _split(base_url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(
            "base_url is the address of your MXProof service, such as https://mxproof.example.com."
        )
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("base_url has no user name, query or fragment.")
    path = parts.path.rstrip("/")
    ending = next((each for each in api.endings if path.endswith(each)), "")
    return f"{parts.scheme}://{parts.netloc}{path.removesuffix(ending)}"


def _split(base_url: str) -> SplitResult | None:
    # Printable ASCII, as hosts and paths of addresses are written: nothing that ends a header early.
    if not isinstance(base_url, str) or not re.fullmatch(r"[\x21-\x7e]+", base_url):
        return None
    try:
        httpx.URL(base_url)
        parts = urlsplit(base_url)
        # Port 0 is none that can be asked.
        return None if parts.port == 0 else parts
    except (httpx.InvalidURL, ValueError):
        return None


@dataclass(frozen=True)
class Call:
    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    """Below the prefix."""
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeat: Repeat = "always"
    accept: Literal["application/json", "text/csv", "text/event-stream", "application/x-ndjson"] = (
        "application/json"
    )


@dataclass(frozen=True)
class Result:
    status: int
    headers: Mapping[str, str]
    body: object
    """The answer's JSON, or its text."""


class Deadline:
    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._ends = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return self._ends is not None and time.monotonic() >= self._ends

    def left(self, at_most: float) -> float:
        """More than 0: what takes no time at all is no attempt."""
        return at_most if self._ends is None else max(0.001, min(at_most, self._ends - time.monotonic()))

    def allows(self, seconds: float) -> bool:
        return self._ends is None or time.monotonic() + seconds < self._ends

    def exceeded(self) -> DeadlineExceeded:
        return DeadlineExceeded(f"Not done within {self._seconds:g} s.")


class Service:
    """Where the service is, how it is asked, and what it said beside its answers: the key's mode, and warnings."""

    def __init__(self, settings: Settings, on_warning: Callable[[str], object] = log_warning) -> None:
        self.settings = settings
        self._modes: list[Mode] = []
        self._on_warning = on_warning
        self._warned: set[str] = set()

    @property
    def mode(self) -> Mode | None:
        return self._modes[0] if self._modes else None

    @property
    def key_mode(self) -> Mode:
        return "test" if self.settings.api_key.startswith("mx_test_") else "live"

    def request(self, call: Call) -> Request:
        headers = {
            "accept": call.accept,
            "authorization": f"Bearer {self.settings.api_key}",
            "user-agent": f"mxproof-python/{__version__}",
            **call.headers,
        }
        body: bytes | None = None
        if call.body is not None:
            body = json.dumps(call.body, separators=(",", ":"), allow_nan=False).encode()
            headers["content-type"] = "application/json"
        url = f"{self.settings.origin}{self.settings.api.prefix}{call.path}{_query_text(call.query)}"
        return Request(call.method, url, headers, body)

    def note(self, answer: Answer) -> None:
        # Refusals may come from a proxy, which knows nothing of modes.
        if answer.is_success:
            self._modes[:] = ["test" if answer.headers.get("mxproof-mode") == "test" else "live"]
        warning = answer.headers.get("mxproof-warning", "")[:LONGEST_WARNING]
        # Each only once: a program that sends a list a minute has one mistake, not a thousand.
        if warning and warning not in self._warned and len(self._warned) < MOST_WARNINGS:
            self._warned.add(warning)
            self._on_warning(warning)

    def within(self, deadline: float | None) -> Service:
        """The same, with calls that end by then."""
        if deadline is None or deadline >= self.settings.deadline:
            return self
        return self.changed(deadline=deadline)

    def changed(self, **changes: float | Callable[[AnswerInfo], object] | None) -> Service:
        """The same with other settings; those that are None stay. What the service said is shared."""
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        other = Service(replace(self.settings, **given), self._on_warning)
        other._modes, other._warned = self._modes, self._warned
        return other


def require_given(query: Mapping[str, QueryValue]) -> None:
    """What is None is left out; what is empty is not taken for it: a filter that matches nothing must not return everything."""
    for name, value in query.items():
        parts: Sequence[object] = [value] if value is None or isinstance(value, (str, int)) else value
        if not parts or "" in parts:
            raise ValueError(f"{name} is empty: give it a value, or leave it out.")


def _query_text(query: Mapping[str, QueryValue]) -> str:
    require_given(query)
    given = {name: _query_value(value) for name, value in query.items() if value is not None}
    text = urlencode(given, errors="replace")
    return f"?{text}" if text else ""


def _query_value(value: str | int | bool | Sequence[str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int)) else ",".join(value)


def idempotency_key(given: str | None) -> dict[str, str]:
    """Two calls never share one unless their caller says so."""
    key = new_key() if given is None else given
    if not re.fullmatch(r"[!-~](?:[ -~]{0,253}[!-~])?", key):
        raise ValueError(
            "An idempotency_key is 1 to 255 printable ASCII characters, without spaces around them."
        )
    return {"idempotency-key": key}


def new_key() -> str:
    return secrets.token_hex(16)


def require_id(value: int, what: str = "list") -> int:
    """Ids go into paths: only what the service gives out."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise ValueError(f"A {what} id is a positive integer.")


def fetch(service: Service, kind: type[T], call: Call, what: str) -> Flow[T]:
    """The answer as the type it must be."""
    result = yield from carry_out(service, call)
    return shaped(kind, result.body, what)


def carry_out(service: Service, call: Call) -> Flow[Result]:
    def attempt(request: Request, seconds: float) -> Flow[Result]:
        answer = yield from send(request, seconds)
        yield from _take(service, answer)
        return Result(answer.status, answer.headers, _body_of(answer, call))

    return _repeated(service, call, attempt)


def begin(service: Service, call: Call) -> Flow[Stream]:
    """The first answer that is no refusal, when it begins: its body is for the caller to read, and to close."""

    def attempt(request: Request, seconds: float) -> Flow[Stream]:
        stream = yield from open_stream(request, seconds, service.settings.timeout)
        try:
            yield from _take(service, stream.answer)
        except Exception:
            yield from close(stream)
            raise
        return stream

    return _repeated(service, call, attempt)


def _take(service: Service, answer: Answer) -> Flow[None]:
    service.note(answer)
    yield from tell(service.settings.on_answer, _info_of(answer))
    if not answer.is_success:
        raise refusal_of(answer.status, answer.headers, answer.body)


def _repeated(service: Service, call: Call, attempt: Callable[[Request, float], Flow[T]]) -> Flow[T]:
    settings = service.settings
    # Once: the same bytes in every attempt.
    request = service.request(call)
    deadline = Deadline(settings.deadline)
    attempts = 0
    in_doubt = False
    while True:
        attempts += 1
        try:
            return (yield from attempt(request, deadline.left(settings.timeout)))
        except MXProofError as error:
            error.attempts, error.in_doubt = attempts, in_doubt
            if deadline.is_over:
                raise _noted(deadline.exceeded(), error) from error
            wait = wait_before_retry(error, attempts - 1)
            if attempts > settings.max_retries or wait is None or not may_repeat(error, call.repeat):
                raise
            if not deadline.allows(wait):
                raise _noted(deadline.exceeded(), error) from error
            in_doubt = in_doubt or may_have_been_done(error)
        yield from sleep(wait)


def _info_of(answer: Answer) -> AnswerInfo:
    replayed = answer.headers.get("idempotent-replayed") == "true"
    return AnswerInfo(answer.headers.get("x-request-id"), answer.status, replayed)


def _noted(late: DeadlineExceeded, last: MXProofError) -> DeadlineExceeded:
    late.attempts, late.in_doubt = last.attempts, last.in_doubt
    return late


def _body_of(answer: Answer, call: Call) -> object:
    """An invalid body with a JSON content type was cut off; with another type it came from a proxy or another server."""
    text = answer.body.decode("utf-8", errors="replace")
    if call.accept != "application/json":
        return text
    if not re.match(r"application/json\b", answer.headers.get("content-type", ""), re.IGNORECASE):
        raise unexpected(answer, "The answer is not JSON: is base_url the address of an MXProof service?")
    try:
        return parse_json(text)
    except TooManyValues as error:
        raise unexpected(answer, f"The answer has {error}.") from None
    except ValueError:
        raise ConnectionFailed("The connection broke off in the middle of the answer.") from None


def total_of(result: Result) -> int | None:
    """`X-Total-Count`; None where the service does not say."""
    total = result.headers.get("x-total-count", "")
    return int(total) if re.fullmatch(r"[0-9]{1,9}", total) else None


def unexpected(answer: Answer | Result, message: str) -> UnexpectedAnswer:
    return UnexpectedAnswer(message, status=answer.status, request_id=answer.headers.get("x-request-id"))


def may_repeat(error: MXProofError, repeat: Repeat) -> bool:
    if isinstance(error, ConnectionFailed):
        return repeat == "always"
    if not isinstance(error, Refusal):
        return False
    return error.status in (408, 429) or (error.status >= 500 and repeat == "always")


def may_have_been_done(error: MXProofError) -> bool:
    """Without an answer, or with one that does not say how far the service came."""
    return isinstance(error, ConnectionFailed) or (isinstance(error, Refusal) and error.status >= 500)


def backoff(retry: int) -> float:
    """Exponential with full jitter, so that clients refused at the same time do not retry at the same time."""
    longest = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(retry, _MOST_DOUBLINGS))
    return random.random() * longest


def wait_before_retry(error: MXProofError, retry: int) -> float | None:
    """None when the service asks for a longer wait than a call allows."""
    told = (error.retry_after or 0) if isinstance(error, Refusal) else 0
    return None if told > LONGEST_RETRY_AFTER_SECONDS else told + backoff(retry)
