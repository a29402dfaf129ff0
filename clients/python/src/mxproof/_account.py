"""Balance, history, usage, keys, the webhook secret, and what can be said of an address or a reply for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from ._calls import Call, QueryValue, Service, carry_out, fetch, idempotency_key, require_id
from ._errors import Refusal
from ._flow import Flow
from ._lists import is_done_before
from ._types import (
    Access,
    Account,
    BegunErasure,
    Domain,
    Entry,
    Erasure,
    History,
    Key,
    KeyPage,
    NewKey,
    RecipientReply,
    Replies,
    Reply,
    ServiceStatus,
    Suggestion,
    Usage,
    UsageDay,
    WebhookSecret,
)


def get_account(service: Service, include: QueryValue = None) -> Flow[Account]:
    return fetch(service, Account, Call("GET", "/account", query={"include": include}), "the account")


def update_account(
    service: Service, name: str | None, low_credits: int | None, outcomes: bool | None
) -> Flow[Account]:
    body: dict[str, object] = {} if name is None else {"name": name}
    if low_credits is not None:
        body["low_credits"] = low_credits or None
    if outcomes is not None:
        body["outcomes"] = outcomes
    return fetch(service, Account, Call("PATCH", "/account", body=body), "the account")


def suggest(service: Service, email: str) -> Flow[Suggestion]:
    # Without an address the service says so, as it does for one that is blank.
    call = Call("GET", "/suggest", query={"email": email or None})
    return fetch(service, Suggestion, call, "a suggestion")


def get_domain(service: Service, name: str) -> Flow[Domain]:
    call = Call("GET", f"/domains/{quote(name, safe='', errors='replace')}")
    return fetch(service, Domain, call, "a domain")


def get_status(service: Service) -> Flow[ServiceStatus]:
    return fetch(service, ServiceStatus, Call("GET", "/status"), "the service's status")


def read_reply(service: Service, text: str, code: int | None) -> Flow[Reply]:
    call = Call("GET", "/reply", query={"text": text or None, "code": code})
    return fetch(service, Reply, call, "a reply's meaning")


def read_bounce(service: Service, text: str) -> Flow[list[RecipientReply]]:
    call = Call("POST", "/reply", body={"text": text})
    return (yield from fetch(service, Replies, call, "the replies' meanings")).replies


def get_history(service: Service, query: dict[str, QueryValue]) -> Flow[list[Entry]]:
    call = Call("GET", "/account/history", query=query)
    return (yield from fetch(service, History, call, "the history")).entries


def get_usage(service: Service, days: int | None) -> Flow[list[UsageDay]]:
    call = Call("GET", "/account/usage", query={"days": days})
    return (yield from fetch(service, Usage, call, "the usage")).days


def erase_address(service: Service, email: str) -> Flow[int]:
    # Asked for twice, it is the same erasure.
    call = Call("POST", "/erase", body={"email": email})
    return (yield from fetch(service, BegunErasure, call, "an erasure")).id


def get_erasure(service: Service, erasure_id: int) -> Flow[Erasure]:
    call = Call("GET", f"/erase/{require_id(erasure_id, 'erasure')}")
    return fetch(service, Erasure, call, "an erasure")


def new_webhook_secret(service: Service, key: str | None) -> Flow[str]:
    # A second one would push out the secret that is still in use.
    call = Call("POST", "/account/webhook-secret", headers=idempotency_key(key), repeat="unless_done")
    return (yield from fetch(service, WebhookSecret, call, "a webhook secret")).webhook_secret


def list_keys(service: Service) -> Flow[list[Key]]:
    return (yield from fetch(service, KeyPage, Call("GET", "/keys"), "the keys")).keys


def key_body(
    label: str,
    test: bool | None,
    manage: bool | None,
    access: Access | None,
    expires_at: int | None,
    allowed_ips: Sequence[str] | None,
) -> dict[str, object]:
    if isinstance(allowed_ips, str):
        raise TypeError("allowed_ips is a list of addresses and ranges, not one string.")
    given = {
        "label": label,
        "test": test,
        "manage": manage,
        "access": access,
        "expires_at": expires_at,
        "allowed_ips": None if allowed_ips is None else list(allowed_ips),
    }
    return {field: value for field, value in given.items() if value is not None}


def create_key(service: Service, body: dict[str, object], key: str | None) -> Flow[NewKey]:
    # Not retried: a key whose response was lost would exist without its owner knowing it.
    call = Call("POST", "/keys", body=body, headers=idempotency_key(key), repeat="unless_done")
    return (yield from fetch(service, NewKey, call, "a new key"))


def delete_key(service: Service, key_id: int) -> Flow[None]:
    try:
        yield from carry_out(service, Call("DELETE", f"/keys/{require_id(key_id, 'key')}"))
    except Refusal as refusal:
        # The attempt before this one deleted it, and its answer was lost.
        if not is_done_before(refusal, "key_not_found"):
            raise
