"""What the client does, as generators that yield what is to be done and are sent what came of it.

Everything that decides (retries, pages, waits, parsing) is written once, as such a flow, and knows neither sockets nor
threads nor event loops. `_transports.py` carries flows out, blocking or not.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


class Stream(Protocol):
    """An answer whose body is read piece by piece."""

    @property
    def answer(self) -> Answer:
        """Its body is empty, unless it is a refusal."""
        ...


@dataclass(frozen=True)
class Send:
    request: Request
    seconds: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Open:
    request: Request
    opening_seconds: float
    silence_seconds: float


@dataclass(frozen=True)
class Read:
    stream: Stream
    seconds: float


@dataclass(frozen=True)
class Close:
    stream: Stream


@dataclass(frozen=True)
class Tell:
    """Calls what the caller gave, with this."""

    listener: Callable[[Any], object]
    value: object


@dataclass(frozen=True)
class Each:
    """All of an iterable, each passed through `take`."""

    items: Iterable[Any] | AsyncIterable[Any]
    take: Callable[[Any], None]


@dataclass(frozen=True)
class Emit:
    """The next value of an iteration."""

    value: object


Effect = Send | Sleep | Open | Read | Close | Tell | Each | Emit
Flow = Generator[Effect, Any, T]


def send(request: Request, seconds: float) -> Flow[Answer]:
    return cast(Answer, (yield Send(request, seconds)))


def sleep(seconds: float) -> Flow[None]:
    yield Sleep(seconds)


def open_stream(request: Request, opening_seconds: float, silence_seconds: float) -> Flow[Stream]:
    return cast(Stream, (yield Open(request, opening_seconds, silence_seconds)))


def read(stream: Stream, seconds: float) -> Flow[bytes | None]:
    """None at the end."""
    return cast("bytes | None", (yield Read(stream, seconds)))


def close(stream: Stream) -> Flow[None]:
    yield Close(stream)


def tell(listener: Callable[[Any], object] | None, value: object) -> Flow[None]:
    if listener is not None:
        yield Tell(listener, value)


def each(items: Iterable[T] | AsyncIterable[T], take: Callable[[T], None]) -> Flow[None]:
    yield Each(items, take)


def emit(value: object) -> Flow[None]:
    yield Emit(value)
