"""The real service of this checkout, on its own PostgreSQL; a hostile one; and both clients as one, for tests that must hold
for either."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hostile_server import HostileServer

import mxproof
from mxproof import _calls, _waiting
from mxproof.admin import AdminClient, AsyncAdminClient

T = TypeVar("T")
ROOT = Path(__file__).parents[3]
# Reached by a defect only: the first start makes a database.
START_LIMIT_SECONDS = 120


@dataclass(frozen=True)
class RunningService:
    url: str
    live_key: str
    test_key: str
    # A test key as for a sign-up form: it only verifies.
    form_key: str
    webhook_secret: str
    # An operator's, which may change everything.
    admin_key: str


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("service")
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PORT": "0",
        "MXPROOF_DATA_DIR": str(folder / "data"),
        "MXPROOF_SHOW_FIRST_KEY": "1",
        "MXPROOF_RATE_REQUESTS": "1000000",
        "MXPROOF_RATE_ADDRESSES": "10000000",
        # Nothing of these tests leaves the machine.
        "MXPROOF_DNS_SERVERS": "127.0.0.1:1",
    }
    log = folder / "log"
    with log.open("wb") as output:
        child = subprocess.Popen(
            ["node", "cli/bin/mxproof.mjs", "serve"], cwd=ROOT, env=env, stdout=output, stderr=output
        )
    try:
        text = _wait_for(log, "Docs:", child)
        live_key = _found(r"mx_live_[\w-]+", text)
        url = _found(r"http://127\.0\.0\.1:\d+", text)
        with mxproof.MXProof(live_key, url) as mx:
            test_key = mx.account.keys.create("tests", test=True, manage=True).api_key
            form_key = mx.account.keys.create("form", test=True, access="verify").api_key
            secret = mx.account.webhook_secret()
        command = [
            "node",
            "cli/bin/mxproof.mjs",
            "admin",
            "key",
            "create",
            "--label",
            "tests",
            "--scope",
            "write",
        ]
        made = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
        admin_key = _found(r"mx_admin_[\w-]+", made.stdout)
        yield RunningService(url, live_key, test_key, form_key, secret, admin_key)
    finally:
        child.terminate()
        child.wait(START_LIMIT_SECONDS)


def _wait_for(log: Path, words: str, child: subprocess.Popen[bytes]) -> str:
    ends = time.monotonic() + START_LIMIT_SECONDS
    while words not in (text := log.read_text()):
        if child.poll() is not None or time.monotonic() > ends:
            raise RuntimeError(f"the service did not start:\n{text}")
        time.sleep(0.05)
    return text


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found is not None, pattern
    return found[0]


@pytest.fixture
def hostile() -> Iterator[HostileServer]:
    with HostileServer() as server:
        yield server


@pytest.fixture(autouse=True)
def quick_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many waits as ever, in no time."""
    monkeypatch.setattr(_calls, "FIRST_WAIT_SECONDS", 0.001)
    monkeypatch.setattr(_waiting, "FIRST_POLL_SECONDS", 0.05)
    monkeypatch.setattr(_waiting, "LONGEST_POLL_SECONDS", 0.1)


class Driven:
    """An asynchronous client with the surface of the synchronous one: each call runs to its end on an event loop."""

    def __init__(self, it: Any, portal: BlockingPortal) -> None:
        self._it = it
        self._portal = portal

    def __getattr__(self, name: str) -> Any:
        return self._plain(getattr(self._it, name))

    def _plain(self, value: Any) -> Any:
        if inspect.iscoroutine(value):
            return self._plain(self._portal.call(_awaited, value))
        if isinstance(value, AsyncIterator):
            return self._iterate(value)
        if inspect.ismethod(value):
            return lambda *args, **kwargs: self._plain(value(*args, **kwargs))
        is_ours = type(value).__module__.startswith("mxproof") and type(value).__name__.startswith("Async")
        return Driven(value, self._portal) if is_ours else value

    def _iterate(self, values: AsyncIterator[Any]) -> Iterator[Any]:
        try:
            while True:
                try:
                    value = self._portal.call(_awaited, values.__anext__())
                except StopAsyncIteration:
                    return
                yield value
        finally:
            self._portal.call(cast(Any, values).aclose)


async def _awaited(value: Any) -> Any:
    return await value


@pytest.fixture(params=["sync", "async"])
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[..., mxproof.MXProof]]:
    """Makes clients of one kind, closed at the end."""
    yield from _makers(request.param, mxproof.MXProof, mxproof.AsyncMXProof)


@pytest.fixture(params=["sync", "async"])
def operate(request: pytest.FixtureRequest) -> Iterator[Callable[..., AdminClient]]:
    """The same of operators' clients."""
    yield from _makers(request.param, AdminClient, AsyncAdminClient)


def _makers(
    kind: str, blocking: Callable[..., T], awaiting: Callable[..., object]
) -> Iterator[Callable[..., T]]:
    made: list[Any] = []
    if kind == "sync":

        def make(*args: Any, **kwargs: Any) -> T:
            made.append(blocking(*args, **kwargs))
            return cast(T, made[-1])

        yield make
        for client in made:
            client.close()
        return
    with start_blocking_portal() as portal:

        def make_driven(*args: Any, **kwargs: Any) -> T:
            made.append(Driven(awaiting(*args, **kwargs), portal))
            return cast(T, made[-1])

        yield make_driven
        for client in made:
            client.close()


@pytest.fixture
def mx(connect: Callable[..., mxproof.MXProof], service: RunningService) -> mxproof.MXProof:
    """With a test key."""
    return connect(service.test_key, service.url)


@pytest.fixture
def admin(operate: Callable[..., AdminClient], service: RunningService) -> AdminClient:
    return operate(service.admin_key, service.url)
