"""Every Python program of the README, the guides and the API reference, run as it stands, against the real service."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from conftest import ROOT, RunningService
from test_webhooks import GENUINE

from mxproof import MXProof

PAGES = [ROOT / "clients/python/README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
BLOCK = re.compile(r"(?:<!-- tested(?:: (\w+))? -->\n)?```python\n(.*?)```", re.DOTALL)
# What a program says that it prints.
PRINTED_WORDS = re.compile(r"^print\(.*\)  # (.+)$", re.MULTILINE)
# Reached by a defect only.
LIMIT_SECONDS = 60


@dataclass(frozen=True)
class Program:
    name: str
    framework: str | None
    code: str
    # The heading above it.
    section: str


def programs() -> list[Program]:
    return [
        Program(f"{page.relative_to(ROOT)} {at}", found[1], found[2], _section(text[: found.start()]))
        for page in PAGES
        for text in [page.read_text("utf-8")]
        for at, found in enumerate(BLOCK.finditer(text))
    ]


def _section(before: str) -> str:
    found: list[str] = re.findall(r"^## (.+)$", before, re.MULTILINE)
    return found[-1] if found else ""


SIMPLE = [one for one in programs() if one.framework is None]
RECEIVERS = [one for one in programs() if one.framework is not None]


def environment(**more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", ""), **more}


def test_the_pages_that_show_code_show_python() -> None:
    pages = {one.name.rsplit(" ", 1)[0] for one in programs()}
    for name in ("quick-start", "callbacks", "errors", "api"):
        assert f"docs/guide/{name}.md" in pages
    assert len(SIMPLE) >= 9


@pytest.mark.parametrize("program", SIMPLE, ids=[one.name for one in SIMPLE])
def test_a_program_runs_and_says_what_it_should(
    program: Program, service: RunningService, tmp_path: Path
) -> None:
    # What the guide says of a form's key holds for its programs.
    key = service.form_key if program.section == "Sign-up forms" else service.test_key
    env = environment(MXPROOF_API_KEY=key, MXPROOF_ADMIN_KEY=service.admin_key, MXPROOF_URL=service.url)
    ended = subprocess.run(
        [sys.executable, "-W", "error::SyntaxWarning", "-c", program.code],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
    )
    assert ended.returncode == 0, ended.stderr
    said = PRINTED_WORDS.findall(program.code)
    assert [line for line in ended.stdout.splitlines() if line in said] == said
    assert said or re.search(r"deliverable|no such list \(request | 201 False$", ended.stdout)


# What each sample of the API reference prints.
PRINTED = {
    "verifyAddress": r"^deliverable accepted_email$",
    "createList": r"^\d+ 2$",
    "getList": r"^done 1 1$",
    "getResults": r"^anna@example\.com deliverable accepted_email$",
    "getAccount": r"^\d+$",
}


def samples() -> dict[str, str]:
    document = json.loads((ROOT / "openapi.json").read_text("utf-8"))
    return {
        operation["operationId"]: sample["source"]
        for methods in document["paths"].values()
        for operation in methods.values()
        for sample in operation.get("x-codeSamples", [])
        if sample["lang"] == "Python"
    }


def test_the_samples_of_the_reference_run(service: RunningService, tmp_path: Path) -> None:
    with MXProof(api_key=service.test_key, base_url=service.url) as mx:
        made = mx.lists.create(["anna@example.com"])
        mx.lists.wait(made.id)
    found = samples()
    assert found.keys() == PRINTED.keys()
    env = environment(MXPROOF_API_KEY=service.test_key, MXPROOF_URL=service.url)
    for operation, source in found.items():
        code = source.replace("(1)", f"({made.id})")
        ended = subprocess.run(
            [sys.executable, "-c", code],
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
        )
        assert ended.returncode == 0, ended.stderr
        assert re.search(PRINTED[operation], ended.stdout.strip(), re.MULTILINE), operation


def test_the_program_of_llms_txt_prints_what_it_says(service: RunningService, tmp_path: Path) -> None:
    text = httpx.get(f"{service.url}/llms.txt", trust_env=False).text
    (found,) = BLOCK.findall(text)
    ended = subprocess.run(
        [sys.executable, "-c", found[1]],
        env=environment(MXPROOF_API_KEY=service.test_key, MXPROOF_URL=service.url),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [
        *re.findall(r"  # (deliverable .+)$", found[1], re.MULTILINE),
        "ann@example.com deliverable accepted_email",
        "rejected-email@example.com undeliverable rejected_email",
    ]


@pytest.mark.parametrize("program", RECEIVERS, ids=[one.name for one in RECEIVERS])
def test_a_receiver_takes_what_is_signed_and_turns_away_what_is_not(program: Program, tmp_path: Path) -> None:
    secret = GENUINE["secrets"][0]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = environment(PORT=str(port), WEBHOOK_SECRET=secret)
    with (tmp_path / "log").open("wb") as log:
        child = subprocess.Popen(
            [sys.executable, "-c", program.code], env=env, cwd=tmp_path, stdout=log, stderr=log
        )
    try:
        url = f"http://127.0.0.1:{port}/hooks/mxproof"
        body = GENUINE["body"].encode()
        if program.framework == "webhooks":
            told = {
                "type": "list.done",
                "timestamp": "2026-11-19T08:00:00Z",
                "data": json.loads(body)["list"],
            }
            body = json.dumps(told).encode()
        headers = _signed_now(secret, body)
        assert _post(url, body, headers, child) == 204
        assert _post(url, body + b" ", headers, child) == 401
        assert _post(url, body, {}, child) == 401
        output = (tmp_path / "log").read_text()
        assert output.count("list 4711 is done: 2 deliverable (list.done.4711)") == 1
    finally:
        child.terminate()
        child.wait(LIMIT_SECONDS)


def _signed_now(secret: str, body: bytes) -> dict[str, str]:
    """As the service signs; the published vectors hold this way of signing against its own."""
    at = str(int(time.time()))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"list.done.4711.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "content-type": "application/json",
        "webhook-id": "list.done.4711",
        "webhook-timestamp": at,
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }


def _post(url: str, body: bytes, headers: dict[str, str], child: subprocess.Popen[bytes]) -> int:
    """As soon as it listens."""
    ends = time.monotonic() + LIMIT_SECONDS
    while True:
        try:
            return httpx.post(url, content=body, headers=headers, trust_env=False).status_code
        except httpx.ConnectError:
            assert child.poll() is None
            assert time.monotonic() < ends
            time.sleep(0.05)
