"""Hooks: where sending services send their own events."""

from __future__ import annotations

from ._calls import Call, Service, carry_out, fetch, idempotency_key, require_id
from ._errors import Refusal
from ._flow import Flow
from ._lists import is_done_before
from ._types import Hook, HookPage, NewHook


def list_hooks(service: Service) -> Flow[list[Hook]]:
    return (yield from fetch(service, HookPage, Call("GET", "/hooks"), "the hooks")).hooks


def create_hook(
    service: Service, name: str, signing_key: str | None, topic: str | None, key: str | None
) -> Flow[NewHook]:
    given = {"service": name, "signing_key": signing_key, "topic": topic}
    body = {field: value for field, value in given.items() if value is not None}
    # The service does not remember it: done twice, there would be two hooks.
    call = Call("POST", "/hooks", body=body, headers=idempotency_key(key), repeat="unless_done")
    return fetch(service, NewHook, call, "a new hook")


def delete_hook(service: Service, hook_id: int) -> Flow[None]:
    try:
        yield from carry_out(service, Call("DELETE", f"/hooks/{require_id(hook_id, 'hook')}"))
    except Refusal as refusal:
        # The attempt before this one deleted it, and its answer was lost.
        if not is_done_before(refusal, "hook_not_found"):
            raise
