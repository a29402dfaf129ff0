"""The operator's client. Each method is one endpoint of /admin/v1, or a few of them until there is an end.

with AdminClient() as admin:
    print(admin.overview().queue)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import EllipsisType, TracebackType
from typing import List

import httpx

from . import _admin
from ._account import key_body
from ._admin import AccountsPage
from ._admin_types import (
    AccountStatus,
    AdminAccount,
    AdminAccountDetail,
    AdminAuditAction,
    AdminAuditActorKind,
    AdminAuditEntry,
    AdminCallback,
    AdminList,
    AdminResending,
    Doctor,
    LedgerVerification,
    NewAccount,
    Node,
    Overview,
    Resting,
    SignInLink,
    Sources,
)
from ._calls import (
    ADMIN_API,
    DEADLINE_SECONDS,
    MAX_RETRIES,
    TIMEOUT_SECONDS,
    AnswerInfo,
    QueryValue,
    Service,
    log_warning,
    settings_of,
)
from ._transports import SyncTransport
from ._types import Access, CallbackState, Key, ListWaiting, Member, NewKey, Provider, Status


class AdminClient:
    """One per program is enough: it may be used from several tasks and threads, and keeps connections open until it is closed.

    :param admin_key: `mx_admin_…`, which `mxproof admin key create` makes; default: `MXPROOF_ADMIN_KEY`
    :param base_url: where the service is, with or without `/admin/v1`; default: `MXPROOF_URL`, or port 8080 of this machine
    :param timeout: seconds of one attempt, its answer's body included
    :param deadline: seconds of all attempts of a call and the waits between them
    :param max_retries: attempts after the first, of each call
    :param on_answer: called with what names each answer of the service (`request_id`), refusals and retries too
    :param http_client: your own, for a proxy or certificates; it stays open when this is closed
    :param on_warning: called with what the service says beside its answers; each sentence once. Default: the logger `mxproof` warns
    """

    def __init__(
        self,
        admin_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        deadline: float = DEADLINE_SECONDS,
        max_retries: int = MAX_RETRIES,
        on_answer: Callable[[AnswerInfo], object] | None = None,
        http_client: httpx.Client | None = None,
        on_warning: Callable[[str], object] = log_warning,
    ) -> None:
        settings = settings_of(admin_key, base_url, timeout, deadline, max_retries, on_answer, ADMIN_API)
        self._begin(Service(settings, on_warning), SyncTransport(http_client))

    def _begin(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport
        self.accounts: AccountsApi = AccountsApi(service, transport)
        self.lists: AllListsApi = AllListsApi(service, transport)
        self.callbacks: AllCallbacksApi = AllCallbacksApi(service, transport)
        self.audit: AuditTrailApi = AuditTrailApi(service, transport)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._service.settings.origin!r})"

    def __enter__(self) -> AdminClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transport.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def with_options(
        self,
        *,
        timeout: float | None = None,
        deadline: float | None = None,
        max_retries: int | None = None,
        on_answer: Callable[[AnswerInfo], object] | None = None,
    ) -> AdminClient:
        """The same client with other limits, on the same connections: `admin.with_options(timeout=5).nodes()`."""
        other = AdminClient.__new__(AdminClient)
        changed = self._service.changed(
            timeout=timeout, deadline=deadline, max_retries=max_retries, on_answer=on_answer
        )
        other._begin(changed, self._transport.shared())
        return other

    def nodes(self) -> List[Node]:
        """The nodes, and those that fell silent within the last hour."""
        return self._transport.run(_admin.get_nodes(self._service))

    def sources(self) -> Sources:
        """How each source fares at each provider."""
        return self._transport.run(_admin.get_sources(self._service))

    def rest_source(
        self,
        source_id: str,
        provider: Provider,
        *,
        hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> Resting:
        """Asks nothing at a provider from a source, by its `id`; recipients wait meanwhile.

        :param hours: for so long; default: until it is resumed
        """
        given = {"provider": provider, "hours": hours}
        return self._transport.run(
            _admin.change_rest(self._service, source_id, "rest", given, idempotency_key)
        )

    def resume_source(
        self, source_id: str, provider: Provider, *, idempotency_key: str | None = None
    ) -> Resting:
        """Ends such a rest, and one that refusals began."""
        given = {"provider": provider}
        return self._transport.run(
            _admin.change_rest(self._service, source_id, "resume", given, idempotency_key)
        )

    def overview(self, *, hours: int | None = None) -> Overview:
        """How the deployment does now, and did in the last hours."""
        return self._transport.run(_admin.get_overview(self._service, hours))

    def verify_ledger(self) -> LedgerVerification:
        """Recomputes every balance and counter: `differences` is empty. It may take minutes, at most `deadline`."""
        return self._transport.run(_admin.verify_ledger(self._service))

    def doctor(self) -> Doctor:
        """What the doctor found, on each machine."""
        return self._transport.run(_admin.get_doctor(self._service))

    def run_doctor(self, *, idempotency_key: str | None = None) -> Doctor:
        """Runs the doctor on the machine that answers, within half a minute."""
        return self._transport.run(_admin.run_doctor(self._service, idempotency_key))


class AccountsApi:
    """accounts.*: found, opened, changed, credited, deleted."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport
        self.keys: AccountKeysApi = AccountKeysApi(service, transport)

    def page(
        self,
        *,
        q: str | None = None,
        status: AccountStatus | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> AccountsPage:
        """One page, newest first, and how many there are.

        :param q: a piece of the name, how the external id begins, or the id
        """
        query = {"q": q, "status": status, "offset": offset, "limit": limit}
        return self._transport.run(_admin.page_of_accounts(self._service, query))

    def list(
        self,
        *,
        q: str | None = None,
        status: AccountStatus | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> List[AdminAccount]:
        """One page, newest first."""
        query = {"q": q, "status": status, "offset": offset, "limit": limit}
        return self._transport.run(_admin.list_accounts(self._service, query))

    def all(self, *, q: str | None = None, status: AccountStatus | None = None) -> Iterator[AdminAccount]:
        """Every account, newest first, over all pages."""
        query = _admin.required({"q": q, "status": status})
        return self._transport.iterate(_admin.all_accounts(self._service, query))

    def create(
        self,
        name: str,
        *,
        credits: int | None = None,
        note: str | None = None,
        external_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> NewAccount:
        """With its first key, `api_key`, and `webhook_secret`, which are shown only here.

        :param note: for the account's history, such as the number of an invoice
        :param external_id: your own word for it, of which no two accounts have the same
        """
        given = {"name": name, "credits": credits, "note": note, "external_id": external_id}
        return self._transport.run(_admin.create_account(self._service, given, idempotency_key))

    def get(self, account_id: int) -> AdminAccountDetail:
        """With what is set for it."""
        return self._transport.run(_admin.get_account(self._service, account_id))

    def update(
        self,
        account_id: int,
        *,
        name: str | EllipsisType = ...,
        external_id: str | None | EllipsisType = ...,
        status: AccountStatus | EllipsisType = ...,
        rate_requests: int | None | EllipsisType = ...,
        rate_addresses: int | None | EllipsisType = ...,
        retention: Mapping[str, int | None] | EllipsisType = ...,
        monthly_credits: int | None | EllipsisType = ...,
        mail: str | None | EllipsisType = ...,
    ) -> AdminAccountDetail:
        """All of it or nothing. What is left out (`...`) stays; None takes away what was set.

        :param status: `suspended` lets it read and delete, and begin nothing
        :param retention: days by kind, `results`, `evidence`, `callbacks` or `single_checks`; None: as the deployment says
        """
        change = {
            "name": name,
            "external_id": external_id,
            "status": status,
            "rate_requests": rate_requests,
            "rate_addresses": rate_addresses,
            "retention": retention,
            "monthly_credits": monthly_credits,
            "mail": mail,
        }
        return self._transport.run(_admin.update_account(self._service, account_id, change))

    def delete(self, account_id: int) -> None:
        """For good: its lists end and are refunded, its keys and data go; its ledger and the audit trail stay."""
        return self._transport.run(_admin.delete_account(self._service, account_id))

    def change_credits(
        self, account_id: int, credits: int, *, note: str | None = None, idempotency_key: str | None = None
    ) -> AdminAccountDetail:
        """Adds credits; negative ones are taken back, at most the balance. Once, however often it is retried."""
        return self._transport.run(
            _admin.change_credits(self._service, account_id, credits, note, idempotency_key)
        )

    def link(self, account_id: int, *, idempotency_key: str | None = None) -> SignInLink:
        """A one-time link that signs in the browser that opens it."""
        return self._transport.run(_admin.make_link(self._service, account_id, idempotency_key))

    def members(self, account_id: int) -> List[Member]:
        """All of them, those who are invited too, oldest first."""
        return self._transport.run(_admin.list_members(self._service, account_id))

    def sign_out(self, account_id: int, *, idempotency_key: str | None = None) -> int:
        """Signs all its browsers out and ends its sign-in links; keys keep working. Returns how many were signed in."""
        return self._transport.run(_admin.sign_out(self._service, account_id, idempotency_key))

    def webhook_secret(self, account_id: int, *, idempotency_key: str | None = None) -> str:
        """Makes a new webhook secret, shown only here. For 24 hours callbacks are signed with the old one too."""
        return self._transport.run(_admin.new_webhook_secret(self._service, account_id, idempotency_key))


class AccountKeysApi:
    """accounts.keys.*: of one account, live and test."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(self, account_id: int) -> List[Key]:
        """All of them, expired ones too, oldest first."""
        return self._transport.run(_admin.list_keys(self._service, account_id))

    def create(
        self,
        account_id: int,
        label: str,
        *,
        test: bool | None = None,
        manage: bool | None = None,
        access: Access | None = None,
        expires_at: int | None = None,
        allowed_ips: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> NewKey:
        """The key itself is `api_key`, shown only here."""
        body = key_body(label, test, manage, access, expires_at, allowed_ips)
        return self._transport.run(_admin.create_key(self._service, account_id, body, idempotency_key))

    def delete(self, account_id: int, key_id: int) -> None:
        """From then on the key is refused, and browsers that it signed in are signed out."""
        return self._transport.run(_admin.delete_key(self._service, account_id, key_id))


class AllListsApi:
    """lists.*: those of all accounts, never an address of them."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(
        self,
        *,
        account: int | None = None,
        status: Status | None = None,
        stuck: bool | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> List[AdminList]:
        """One page, newest first; with `stuck` oldest first, and only unfinished ones that nothing moves."""
        query: dict[str, QueryValue] = {
            "account": account,
            "status": status,
            "stuck": stuck,
            "offset": offset,
            "limit": limit,
        }
        return self._transport.run(_admin.list_lists(self._service, query))

    def all(
        self, *, account: int | None = None, status: Status | None = None, stuck: bool | None = None
    ) -> Iterator[AdminList]:
        """Every list, in the order of `list`, over all pages."""
        query = _admin.required({"account": account, "status": status, "stuck": stuck})
        return self._transport.iterate(_admin.all_lists(self._service, query))

    def waiting(self, list_id: int) -> ListWaiting:
        """What its addresses without a result wait for, and when it is done at the latest."""
        return self._transport.run(_admin.get_waiting(self._service, list_id))

    def cancel(self, list_id: int, *, idempotency_key: str | None = None) -> AdminList:
        """Ends it as `failed`: what is checked stays, the rest is refunded."""
        return self._transport.run(_admin.cancel_list(self._service, list_id, idempotency_key))


class AllCallbacksApi:
    """callbacks.*: those of all accounts."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(
        self,
        *,
        account: int | None = None,
        state: CallbackState | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> List[AdminCallback]:
        """One page, those of the newest lists first."""
        query: dict[str, QueryValue] = {"account": account, "state": state, "offset": offset, "limit": limit}
        return self._transport.run(_admin.list_callbacks(self._service, query))

    def all(
        self, *, account: int | None = None, state: CallbackState | None = None
    ) -> Iterator[AdminCallback]:
        """Every callback, those of the newest lists first, over all pages."""
        query = _admin.required({"account": account, "state": state})
        return self._transport.iterate(_admin.all_callbacks(self._service, query))

    def resend(self, list_id: int, *, idempotency_key: str | None = None) -> AdminResending:
        """Sends the callback of a list again, the same bytes, with all attempts anew."""
        return self._transport.run(_admin.resend_callback(self._service, list_id, idempotency_key))


class AuditTrailApi:
    """audit.*: who did what in the whole deployment."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(
        self,
        *,
        account: int | None = None,
        action: AdminAuditAction | None = None,
        actor: AdminAuditActorKind | None = None,
        since: int | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> List[AdminAuditEntry]:
        """One page, newest first.

        :param since: Unix seconds
        """
        query: dict[str, QueryValue] = {
            "account": account,
            "action": action,
            "actor": actor,
            "since": since,
            "offset": offset,
            "limit": limit,
        }
        return self._transport.run(_admin.list_audit(self._service, query))

    def all(
        self,
        *,
        account: int | None = None,
        action: AdminAuditAction | None = None,
        actor: AdminAuditActorKind | None = None,
        since: int | None = None,
    ) -> Iterator[AdminAuditEntry]:
        """All entries, newest first, over all pages."""
        query = _admin.required({"account": account, "action": action, "actor": actor, "since": since})
        return self._transport.iterate(_admin.all_audit(self._service, query))

    def export(
        self,
        *,
        account: int | None = None,
        action: AdminAuditAction | None = None,
        actor: AdminAuditActorKind | None = None,
        since: int | None = None,
    ) -> Iterator[AdminAuditEntry]:
        """All entries, newest first, as one answer that is read as it comes. It is an entry itself. `timeout` is for each piece of
        it; what breaks off is not continued."""
        query = _admin.required({"account": account, "action": action, "actor": actor, "since": since})
        return self._transport.iterate(_admin.export_audit(self._service, query))
