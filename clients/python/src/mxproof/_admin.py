"""What an operator asks for: accounts and lists of all, sources, nodes, the audit trail.

Promise: every POST is remembered by the service for a day, so that all of them are repeated where an answer was lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import EllipsisType
from typing import TypeVar
from urllib.parse import quote

from ._admin_types import (
    AdminAccount,
    AdminAccountDetail,
    AdminAccountPage,
    AdminAuditEntry,
    AdminAuditPage,
    AdminCallback,
    AdminCallbackPage,
    AdminList,
    AdminListPage,
    AdminResending,
    Doctor,
    LedgerVerification,
    NewAccount,
    Node,
    NodePage,
    Overview,
    Resting,
    SignedOut,
    SignInLink,
    Sources,
)
from ._calls import (
    Call,
    QueryValue,
    Service,
    carry_out,
    fetch,
    idempotency_key,
    require_given,
    require_id,
    total_of,
)
from ._errors import Refusal, RefusalKind
from ._flow import Flow, emit
from ._lines import read_lines
from ._lists import every_once, is_done_before, newest_first
from ._parse import shaped
from ._types import Key, KeyPage, ListWaiting, Member, MemberPage, NewKey, WebhookSecret

T = TypeVar("T")
Query = Mapping[str, QueryValue]


@dataclass(frozen=True, slots=True)
class AccountsPage:
    accounts: list[AdminAccount]
    total: int | None
    """How many there are in all pages; None where the service does not say."""


def page_of_accounts(service: Service, query: Query) -> Flow[AccountsPage]:
    result = yield from carry_out(service, Call("GET", "/accounts", query=query))
    page = shaped(AdminAccountPage, result.body, "a page of accounts")
    return AccountsPage(page.accounts, total_of(result))


def list_accounts(service: Service, query: Query) -> Flow[list[AdminAccount]]:
    return (yield from page_of_accounts(service, query)).accounts


def all_accounts(service: Service, query: Query) -> Flow[None]:
    return newest_first(
        lambda offset, limit: list_accounts(service, {**query, "offset": offset, "limit": limit}),
        lambda account: account.id,
    )


def create_account(service: Service, given: Mapping[str, object], key: str | None) -> Flow[NewAccount]:
    body = {field: value for field, value in given.items() if value is not None}
    return fetch(service, NewAccount, _post("/accounts", key, body), "a new account")


def get_account(service: Service, account_id: int) -> Flow[AdminAccountDetail]:
    return fetch(service, AdminAccountDetail, Call("GET", _path(account_id)), "an account")


def update_account(
    service: Service, account_id: int, change: Mapping[str, object | EllipsisType]
) -> Flow[AdminAccountDetail]:
    body = {field: value for field, value in change.items() if value is not ...}
    return fetch(service, AdminAccountDetail, Call("PATCH", _path(account_id), body=body), "an account")


def delete_account(service: Service, account_id: int) -> Flow[None]:
    return _delete(service, _path(account_id), "account_not_found")


def change_credits(
    service: Service, account_id: int, credits: int, note: str | None, key: str | None
) -> Flow[AdminAccountDetail]:
    body: dict[str, object] = {"credits": credits} if note is None else {"credits": credits, "note": note}
    call = _post(f"{_path(account_id)}/credits", key, body)
    return fetch(service, AdminAccountDetail, call, "an account")


def make_link(service: Service, account_id: int, key: str | None) -> Flow[SignInLink]:
    return fetch(service, SignInLink, _post(f"{_path(account_id)}/link", key), "a sign-in link")


def list_members(service: Service, account_id: int) -> Flow[list[Member]]:
    call = Call("GET", f"{_path(account_id)}/members")
    return (yield from fetch(service, MemberPage, call, "the members")).members


def sign_out(service: Service, account_id: int, key: str | None) -> Flow[int]:
    call = _post(f"{_path(account_id)}/sign-out", key)
    return (yield from fetch(service, SignedOut, call, "the sessions that ended")).sessions_ended


def new_webhook_secret(service: Service, account_id: int, key: str | None) -> Flow[str]:
    call = _post(f"{_path(account_id)}/webhook-secret", key)
    return (yield from fetch(service, WebhookSecret, call, "a webhook secret")).webhook_secret


def list_keys(service: Service, account_id: int) -> Flow[list[Key]]:
    call = Call("GET", f"{_path(account_id)}/keys")
    return (yield from fetch(service, KeyPage, call, "the keys")).keys


def create_key(
    service: Service, account_id: int, body: Mapping[str, object], key: str | None
) -> Flow[NewKey]:
    return fetch(service, NewKey, _post(f"{_path(account_id)}/keys", key, body), "a new key")


def delete_key(service: Service, account_id: int, key_id: int) -> Flow[None]:
    return _delete(service, f"{_path(account_id)}/keys/{require_id(key_id, 'key')}", "key_not_found")


def list_lists(service: Service, query: Query) -> Flow[list[AdminList]]:
    call = Call("GET", "/lists", query=query)
    return (yield from fetch(service, AdminListPage, call, "a page of lists")).lists


def all_lists(service: Service, query: Query) -> Flow[None]:
    # Those that are stuck come oldest first.
    in_order = every_once if query.get("stuck") else newest_first
    return in_order(
        lambda offset, limit: list_lists(service, {**query, "offset": offset, "limit": limit}),
        lambda each: each.id,
    )


def get_waiting(service: Service, list_id: int) -> Flow[ListWaiting]:
    call = Call("GET", f"/lists/{require_id(list_id)}/waiting")
    return fetch(service, ListWaiting, call, "what a list waits for")


def cancel_list(service: Service, list_id: int, key: str | None) -> Flow[AdminList]:
    return fetch(service, AdminList, _post(f"/lists/{require_id(list_id)}/cancel", key), "a list")


def list_callbacks(service: Service, query: Query) -> Flow[list[AdminCallback]]:
    call = Call("GET", "/callbacks", query=query)
    return (yield from fetch(service, AdminCallbackPage, call, "a page of callbacks")).callbacks


def all_callbacks(service: Service, query: Query) -> Flow[None]:
    return newest_first(
        lambda offset, limit: list_callbacks(service, {**query, "offset": offset, "limit": limit}),
        lambda each: each.list_id,
    )


def resend_callback(service: Service, list_id: int, key: str | None) -> Flow[AdminResending]:
    call = _post(f"/callbacks/{require_id(list_id)}/resend", key)
    return fetch(service, AdminResending, call, "a callback on its way")


def get_nodes(service: Service) -> Flow[list[Node]]:
    return (yield from fetch(service, NodePage, Call("GET", "/nodes"), "the nodes")).nodes


def get_sources(service: Service) -> Flow[Sources]:
    return fetch(service, Sources, Call("GET", "/sources"), "the sources")


def change_rest(
    service: Service, source_id: str, verb: str, given: Mapping[str, object], key: str | None
) -> Flow[Resting]:
    # A dot alone would be a step in the path.
    if source_id in ("", ".", ".."):
        raise ValueError("A source is named by its id in sources().")
    path = f"/sources/{quote(source_id, safe='', errors='replace')}/{verb}"
    body = {field: value for field, value in given.items() if value is not None}
    return fetch(service, Resting, _post(path, key, body), "a rest")


def get_overview(service: Service, hours: int | None) -> Flow[Overview]:
    return fetch(service, Overview, Call("GET", "/overview", query={"hours": hours}), "the overview")


def list_audit(service: Service, query: Query) -> Flow[list[AdminAuditEntry]]:
    call = Call("GET", "/audit", query=query)
    return (yield from fetch(service, AdminAuditPage, call, "a page of the trail")).entries


def all_audit(service: Service, query: Query) -> Flow[None]:
    return newest_first(
        lambda offset, limit: list_audit(service, {**query, "offset": offset, "limit": limit}),
        lambda entry: entry.id,
    )


def export_audit(service: Service, query: Query) -> Flow[None]:
    call = Call("GET", "/audit", query={**query, "format": "ndjson"}, accept="application/x-ndjson")
    return read_lines(
        service, call, lambda line: emit(shaped(AdminAuditEntry, line, "an entry of the trail"))
    )


def verify_ledger(service: Service) -> Flow[LedgerVerification]:
    # It may take minutes: an attempt has as long as the call.
    settings = service.settings
    patient = service.changed(timeout=max(settings.timeout, settings.deadline))
    return fetch(patient, LedgerVerification, Call("GET", "/ledger/verify"), "a verification")


def get_doctor(service: Service) -> Flow[Doctor]:
    return fetch(service, Doctor, Call("GET", "/doctor"), "the doctor's reports")


def run_doctor(service: Service, key: str | None) -> Flow[Doctor]:
    return fetch(service, Doctor, _post("/doctor/run", key), "the doctor's reports")


def required(query: Query) -> Query:
    """At once: an iteration would say it only when its first entry is asked for."""
    require_given(query)
    return query


def _path(account_id: int) -> str:
    return f"/accounts/{require_id(account_id, 'account')}"


def _post(path: str, key: str | None, body: Mapping[str, object] | None = None) -> Call:
    return Call("POST", path, body=body, headers=idempotency_key(key))


def _delete(service: Service, path: str, gone: RefusalKind) -> Flow[None]:
    try:
        yield from carry_out(service, Call("DELETE", path))
    except Refusal as refusal:
        # The attempt before this one deleted it, and its answer was lost.
        if not is_done_before(refusal, gone):
            raise
