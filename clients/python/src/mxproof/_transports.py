"""Carries flows out with httpx: one driver that blocks, one that awaits.

Promise: no more of an answer is held than the bound, no redirect is followed, the key goes to `base_url` alone, and no stream
stays open when a flow ends, however it ends.

An awaiting attempt ends when its time is over, whatever the other side does. A blocking one cannot be interrupted: no single
read lasts longer than the time of the attempt, and the whole is checked whenever a piece of the body arrives.
"""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import anyio
import httpx

from ._errors import ConnectionFailed, UnexpectedAnswer
from ._flow import Answer, Close, Each, Effect, Emit, Flow, Open, Read, Request, Send, Sleep, Tell

T = TypeVar("T")

# A page of 10,000 rows of the longest addresses stays below it.
MAX_ANSWER_BYTES = 64 * 1024 * 1024
_MAX_SHOWN_CHARACTERS = 200


@dataclass(frozen=True)
class _Returned:
    value: Any


@dataclass(frozen=True)
class _Raised:
    error: Exception


_Outcome = _Returned | _Raised
_BEGINNING = _Returned(None)


def _advance(flow: Flow[T], outcome: _Outcome) -> Effect | _Returned:
    """The next effect, or what the flow returned."""
    try:
        return flow.throw(outcome.error) if isinstance(outcome, _Raised) else flow.send(outcome.value)
    except StopIteration as stop:
        return _Returned(stop.value)


class _Body:
    """Collects a body up to the bound."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._pieces: list[bytes] = []
        self._bytes = 0

    def add(self, piece: bytes) -> None:
        self._bytes += len(piece)
        if self._bytes > MAX_ANSWER_BYTES:
            raise _unexpected(self._response, f"The answer is larger than {MAX_ANSWER_BYTES} bytes.")
        self._pieces.append(piece)

    def answer(self) -> Answer:
        return Answer(self._response.status_code, self._response.headers, b"".join(self._pieces))


def _build(client: httpx.Client | httpx.AsyncClient, request: Request, seconds: float) -> httpx.Request:
    return client.build_request(
        request.method,
        request.url,
        # Without compression the bound counts what is held.
        headers={**request.headers, "accept-encoding": "identity"},
        content=request.body,
        timeout=httpx.Timeout(seconds),
    )


def _require_readable(response: httpx.Response) -> None:
    if 300 <= response.status_code < 400:
        # A redirect would turn a POST into a GET, or take the key elsewhere.
        where = response.headers.get("location", "")[:_MAX_SHOWN_CHARACTERS]
        to = f" to {where}" if where.isprintable() and where else ""
        raise _unexpected(response, f"The service redirects{to}: use that as base_url.")
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise _unexpected(response, "The answer is compressed, which was not asked for.")


def _unexpected(response: httpx.Response, message: str) -> UnexpectedAnswer:
    request_id = response.headers.get("x-request-id")
    return UnexpectedAnswer(message, status=response.status_code, request_id=request_id)


def _late(seconds: float) -> ConnectionFailed:
    return ConnectionFailed(f"No answer within {seconds:g} s.")


def _failed(error: httpx.TransportError, request: Request, seconds: float, begun: bool) -> ConnectionFailed:
    if isinstance(error, httpx.TimeoutException):
        return _late(seconds)
    if begun:
        return ConnectionFailed("The connection broke off in the middle of the answer.")
    origin = re.split("(?:/admin)?/v1/", request.url, maxsplit=1)[0]
    return ConnectionFailed(f"No answer from {origin}: is it running there?")


@dataclass(frozen=True)
class _SyncStream:
    response: httpx.Response
    pieces: Iterator[bytes]
    answer: Answer


class SyncTransport:
    def __init__(self, client: httpx.Client | None = None) -> None:
        self._client = client or httpx.Client()
        # Somebody else's stays open.
        self._owned = client is None

    def shared(self) -> SyncTransport:
        """For another client object on the same connections."""
        return SyncTransport(self._client)

    def close(self) -> None:
        if self._owned:
            self._client.close()

    def run(self, flow: Flow[T]) -> T:
        steps = self._steps(flow)
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                return cast(T, stop.value)

    def iterate(self, flow: Flow[None]) -> Iterator[Any]:
        yield from self._steps(flow)

    def _steps(self, flow: Flow[T]) -> Generator[Any, None, T]:
        streams: list[_SyncStream] = []
        outcome: _Outcome = _BEGINNING
        try:
            while True:
                effect = _advance(flow, outcome)
                if isinstance(effect, _Returned):
                    return cast(T, effect.value)
                if isinstance(effect, Emit):
                    outcome = _BEGINNING
                    yield effect.value
                    continue
                try:
                    outcome = _Returned(self._perform(effect, streams))
                except Exception as error:
                    outcome = _Raised(error)
        finally:
            flow.close()
            for stream in streams:
                stream.response.close()

    def _perform(self, effect: Effect, streams: list[_SyncStream]) -> object:
        match effect:
            case Send(request, seconds):
                return self._send(request, seconds)
            case Sleep(seconds):
                time.sleep(seconds)
            case Tell(listener, value):
                listener(value)
            case Each(items, take):
                for item in cast("Iterable[object]", items):
                    take(item)
            case Open(request, opening_seconds, silence_seconds):
                streams.append(self._open(request, opening_seconds, silence_seconds))
                return streams[-1]
            case Read(stream, seconds):
                return self._read(cast(_SyncStream, stream), seconds)
            case Close(stream):
                streams.remove(cast(_SyncStream, stream))
                cast(_SyncStream, stream).response.close()
        return None

    def _send(self, request: Request, seconds: float) -> Answer:
        ends = time.monotonic() + seconds
        begun = False
        try:
            response = self._respond(request, seconds)
            begun = True
            try:
                _require_readable(response)
                return self._whole(response, ends, seconds)
            finally:
                response.close()
        except httpx.TransportError as error:
            raise _failed(error, request, seconds, begun) from error

    def _respond(self, request: Request, seconds: float) -> httpx.Response:
        built = _build(self._client, request, seconds)
        return self._client.send(built, stream=True, auth=None, follow_redirects=False)

    def _whole(self, response: httpx.Response, ends: float, seconds: float) -> Answer:
        body = _Body(response)
        for piece in response.iter_bytes():
            body.add(piece)
            if time.monotonic() > ends:
                raise _late(seconds)
        return body.answer()

    def _open(self, request: Request, opening_seconds: float, silence_seconds: float) -> _SyncStream:
        begun = False
        try:
            # httpx takes one time for all reads: that of a silence.
            response = self._respond(request, silence_seconds)
            begun = True
            try:
                _require_readable(response)
                if response.is_success:
                    answer = Answer(response.status_code, response.headers, b"")
                    return _SyncStream(response, response.iter_bytes(), answer)
                answer = self._whole(response, time.monotonic() + opening_seconds, opening_seconds)
                return _SyncStream(response, iter(()), answer)
            except BaseException:
                response.close()
                raise
        except httpx.TransportError as error:
            raise _failed(error, request, silence_seconds, begun) from error

    def _read(self, stream: _SyncStream, seconds: float) -> bytes | None:
        try:
            return next(stream.pieces, None)
        except httpx.TransportError as error:
            raise _broke_off(error, seconds) from error


@dataclass(frozen=True)
class _AsyncStream:
    response: httpx.Response
    pieces: AsyncGenerator[bytes, None]
    answer: Answer

    async def aclose(self) -> None:
        await self.pieces.aclose()
        await self.response.aclose()


class AsyncTransport:
    def __init__(self, client: httpx.AsyncClient | None = None) -> None:
        self._client = client or httpx.AsyncClient()
        # Somebody else's stays open.
        self._owned = client is None

    def shared(self) -> AsyncTransport:
        """For another client object on the same connections."""
        return AsyncTransport(self._client)

    async def close(self) -> None:
        if self._owned:
            await self._client.aclose()

    async def run(self, flow: Flow[T]) -> T:
        streams: list[_AsyncStream] = []
        outcome: _Outcome = _BEGINNING
        try:
            while True:
                effect = _advance(flow, outcome)
                if isinstance(effect, _Returned):
                    return cast(T, effect.value)
                outcome = await self._outcome(effect, streams)
        finally:
            await _end(flow, streams)

    async def iterate(self, flow: Flow[None]) -> AsyncIterator[Any]:
        streams: list[_AsyncStream] = []
        outcome: _Outcome = _BEGINNING
        try:
            while True:
                effect = _advance(flow, outcome)
                if isinstance(effect, _Returned):
                    return
                if isinstance(effect, Emit):
                    outcome = _BEGINNING
                    yield effect.value
                else:
                    outcome = await self._outcome(effect, streams)
        finally:
            await _end(flow, streams)

    async def _outcome(self, effect: Effect, streams: list[_AsyncStream]) -> _Outcome:
        try:
            return _Returned(await self._perform(effect, streams))
        except Exception as error:
            return _Raised(error)

    async def _perform(self, effect: Effect, streams: list[_AsyncStream]) -> object:
        match effect:
            case Send(request, seconds):
                return await self._send(request, seconds)
            case Sleep(seconds):
                await anyio.sleep(seconds)
            case Tell(listener, value):
                told = listener(value)
                if inspect.isawaitable(told):
                    await told
            case Each(items, take):
                if isinstance(items, AsyncIterable):
                    async for item in items:
                        take(item)
                else:
                    for item in items:
                        take(item)
            case Open(request, opening_seconds, silence_seconds):
                streams.append(await self._open(request, opening_seconds, silence_seconds))
                return streams[-1]
            case Read(stream, seconds):
                return await self._read(cast(_AsyncStream, stream), seconds)
            case Close(stream):
                streams.remove(cast(_AsyncStream, stream))
                await cast(_AsyncStream, stream).aclose()
        return None

    async def _send(self, request: Request, seconds: float) -> Answer:
        begun = False
        try:
            with anyio.fail_after(seconds):
                response = await self._respond(request, seconds)
                begun = True
                try:
                    _require_readable(response)
                    return await self._whole(response)
                finally:
                    await response.aclose()
        except httpx.TransportError as error:
            raise _failed(error, request, seconds, begun) from error
        except TimeoutError:
            raise _late(seconds) from None

    async def _respond(self, request: Request, seconds: float) -> httpx.Response:
        built = _build(self._client, request, seconds)
        return await self._client.send(built, stream=True, auth=None, follow_redirects=False)

    async def _whole(self, response: httpx.Response) -> Answer:
        body = _Body(response)
        async for piece in response.aiter_bytes():
            body.add(piece)
        return body.answer()

    async def _open(self, request: Request, opening_seconds: float, silence_seconds: float) -> _AsyncStream:
        begun = False
        try:
            with anyio.fail_after(opening_seconds):
                response = await self._respond(request, silence_seconds)
                begun = True
                try:
                    _require_readable(response)
                    if response.is_success:
                        answer = Answer(response.status_code, response.headers, b"")
                    else:
                        answer = await self._whole(response)
                    pieces = cast("AsyncGenerator[bytes, None]", response.aiter_bytes())
                    return _AsyncStream(response, pieces, answer)
                except BaseException:
                    await response.aclose()
                    raise
        except httpx.TransportError as error:
            raise _failed(error, request, opening_seconds, begun) from error
        except TimeoutError:
            raise _late(opening_seconds) from None

    async def _read(self, stream: _AsyncStream, seconds: float) -> bytes | None:
        try:
            with anyio.fail_after(seconds):
                return await anext(stream.pieces, None)
        except httpx.TransportError as error:
            raise _broke_off(error, seconds) from error
        except TimeoutError:
            raise _silent(seconds) from None


def _broke_off(error: httpx.TransportError, seconds: float) -> ConnectionFailed:
    if isinstance(error, httpx.TimeoutException):
        return _silent(seconds)
    return ConnectionFailed("The stream broke off.")


def _silent(seconds: float) -> ConnectionFailed:
    return ConnectionFailed(f"The stream was silent for {seconds:g} s.")


async def _end(flow: Flow[Any], streams: list[_AsyncStream]) -> None:
    flow.close()
    if streams:
        # Also when the caller is cancelled.
        with anyio.CancelScope(shield=True):
            for stream in streams:
                await stream.aclose()
