"""The client. Each method is one endpoint of the API, or a few of them until there is an end.

with MXProof() as mx:
    print(mx.verify("ann@example.com").state)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import List, Literal, TypeVar, Union, overload

import httpx

from . import (
    _account,
    _audit,
    _checks,
    _hooks,
    _lists,
    _members,
    _outcomes,
    _requests,
    _results,
    _waiting,
    _webhooks,
)
from ._calls import (
    DEADLINE_SECONDS,
    MAX_RETRIES,
    TIMEOUT_SECONDS,
    AnswerInfo,
    Mode,
    QueryValue,
    Service,
    log_warning,
    require_given,
    settings_of,
)
from ._checks import Includes
from ._listen import listen
from ._many import ManyOptions, ManyProgress, Verified, verify_many
from ._results import MAX_PAGE_ROWS, Extent, Page
from ._transports import SyncTransport
from ._types import (
    Access,
    Account,
    AccountInclude,
    Accuracy,
    AuditAction,
    AuditEntry,
    Breakdown,
    Callback,
    CallbackEntry,
    CallbackState,
    CheckedAddress,
    Detail,
    Domain,
    Entry,
    Erasure,
    Evidence,
    Flag,
    Group,
    Hook,
    InvitedMember,
    Key,
    Kind,
    ListFile,
    ListSummary,
    ListWaiting,
    LoggedRequest,
    Member,
    NewHook,
    NewKey,
    NewWebhook,
    Provider,
    QueryInclude,
    Reason,
    RecipientReply,
    Reply,
    ResultInclude,
    ResultRow,
    ResultRowState,
    Role,
    SendingService,
    SentCallback,
    ServiceStatus,
    Status,
    Suggestion,
    Suppressions,
    TakenOutcomes,
    UsageDay,
    Webhook,
    WebhookDelivery,
    WebhookEventType,
    WrongVerdicts,
)

T = TypeVar("T")
OneOrSeveral = Union[T, Sequence[T], None]


class MXProof:
    """One per program is enough: it may be used from several tasks and threads, and keeps connections open until it is closed.

    :param api_key: `mx_live_…` or `mx_test_…`; default: `MXPROOF_API_KEY`
    :param base_url: where the service is, with or without `/v1`; default: `MXPROOF_URL`, or port 8080 of this machine
    :param timeout: seconds of one attempt, its answer's body included; a single check waits up to 20
    :param deadline: seconds of all attempts of a call and the waits between them
    :param max_retries: attempts after the first, of each call
    :param on_answer: called with what names each answer of the service (`request_id`), refusals and retries too
    :param http_client: your own, for a proxy or certificates; it stays open when this is closed
    :param on_warning: called with what the service says beside its answers, such as `deprecated: …`, or `unknown field: group` where
        an older service does not know what was sent; each sentence once. Default: the logger `mxproof` warns
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        deadline: float = DEADLINE_SECONDS,
        max_retries: int = MAX_RETRIES,
        on_answer: Callable[[AnswerInfo], object] | None = None,
        http_client: httpx.Client | None = None,
        on_warning: Callable[[str], object] = log_warning,
    ) -> None:
        service = Service(
            settings_of(api_key, base_url, timeout, deadline, max_retries, on_answer), on_warning
        )
        self._begin(service, SyncTransport(http_client))

    def _begin(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport
        self.lists: ListsApi = ListsApi(service, transport)
        self.account: AccountApi = AccountApi(service, transport)
        self.audit: AuditApi = AuditApi(service, transport)
        self.callbacks: CallbacksApi = CallbacksApi(service, transport)
        self.outcomes: OutcomesApi = OutcomesApi(service, transport)
        self.requests: RequestsApi = RequestsApi(service, transport)
        self.suppressions: SuppressionsApi = SuppressionsApi(service, transport)
        self.webhooks: WebhooksApi = WebhooksApi(service, transport)
        self.hooks: HooksApi = HooksApi(service, transport)
        self.members: MembersApi = MembersApi(service, transport)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._service.settings.origin!r})"

    def __enter__(self) -> MXProof:
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
    ) -> MXProof:
        """The same client with other limits, on the same connections: `mx.with_options(timeout=5).account.get()`."""
        other = MXProof.__new__(MXProof)
        changed = self._service.changed(
            timeout=timeout, deadline=deadline, max_retries=max_retries, on_answer=on_answer
        )
        other._begin(changed, self._transport.shared())
        return other

    @property
    def mode(self) -> Mode | None:
        """Of the key, as the service's last answer said it (`MXProof-Mode`); None before the first answer."""
        return self._service.mode

    @overload
    def verify(  # type: ignore[overload-overlap]  # True is an int
        self,
        email: str,
        *,
        wait: Literal[True] = True,
        include: Includes = None,
        deadline: float | None = None,
        idempotency_key: str | None = None,
    ) -> CheckedAddress: ...

    @overload
    def verify(
        self,
        email: str,
        *,
        wait: int,
        include: Includes = None,
        deadline: float | None = None,
        idempotency_key: str | None = None,
    ) -> Check: ...

    def verify(
        self,
        email: str,
        *,
        wait: bool | int = True,
        include: Includes = None,
        deadline: float | None = None,
        idempotency_key: str | None = None,
    ) -> CheckedAddress | Check:
        """Checks one address, and waits for the result, at most until `deadline`. One credit; none if unknown.

        :param wait: a number: the service waits so many whole seconds for the mail server (20 at most, unless its operator
            allows more), and you get a `Check`, whose `answer` is the result if it came by then; False is 0
        :param include: fields to add to the result: one, or several
        :param deadline: seconds after which the wait ends with `DeadlineExceeded`; the check itself goes on, and its result can
            be read by the error's `list_id`. Default: that of the client
        """
        if wait is True:
            return self._transport.run(
                _checks.verify(self._service, email, include, idempotency_key, deadline)
            )
        service = self._service.within(deadline)
        begun = self._transport.run(_checks.begin_check(service, email, include, idempotency_key, wait))
        return Check(self._service, self._transport, begun.list_id, include, begun.result)

    def check(self, list_id: int, *, include: Includes = None) -> Check:
        """A check begun earlier, by the `list_id` that was kept of it."""
        return Check(self._service, self._transport, list_id, include)

    def suggest(self, email: str) -> Suggestion:
        """For sign-up forms: syntax, a likelier spelling, and what kind of domain it is. No credit, no mail server asked."""
        return self._transport.run(_account.suggest(self._service, email))

    def domain(self, name: str) -> Domain:
        """What DNS says about a domain's mail, in Unicode or ASCII, and whether it accepts every address, as far as checks of
        this account have found. No credit, no mail server asked."""
        return self._transport.run(_account.get_domain(self._service, name))

    def accuracy(self, *, days: int | None = None) -> Accuracy:
        """How often verdicts were right in the last days, by what became of the account's own mail (`outcomes.send`)."""
        return self._transport.run(_outcomes.get_accuracy(self._service, days))

    def wrong_verdicts(
        self, *, days: int | None = None, offset: int | None = None, limit: int | None = None
    ) -> WrongVerdicts:
        """The verdicts that were wrong, the latest first, while their list is there. `lists.evidence` says why each was given."""
        return self._transport.run(_outcomes.get_wrong_verdicts(self._service, days, offset, limit))

    def status(self) -> ServiceStatus:
        """Whether the service checks addresses at the moment, and if not, why and what its operator can do. No credit."""
        return self._transport.run(_account.get_status(self._service))

    def read_reply(self, text: str, *, code: int | None = None) -> Reply:
        """What one reply of a mail server means, and what to do. `code` if the text does not begin with it. No credit."""
        return self._transport.run(_account.read_reply(self._service, text, code))

    def read_bounce(self, text: str) -> List[RecipientReply]:
        """The same for lines of a log or a whole bounce message, up to 256 KB: one for each recipient. No credit."""
        return self._transport.run(_account.read_bounce(self._service, text))

    def verify_many(
        self,
        emails: Iterable[str],
        *,
        name: str | None = None,
        group: str | None = None,
        include: Includes = None,
        deadline: float | None = None,
        idempotency_key: str | None = None,
        on_progress: Callable[[ManyProgress], object] | None = None,
    ) -> Iterator[Verified]:
        """Checks any number of addresses: a result for each, in their order, duplicates included.

        :param name: name of the list; of several, each with its number behind it
        :param group: of several lists: they are shown as one; default: a new one, unless `idempotency_key` is given
        :param idempotency_key: the same key with the same input within 24 hours continues where it was left, without a
            second charge
        :param deadline: seconds after which the wait ends with `DeadlineExceeded`; the lists themselves go on
        """
        options = ManyOptions(name, group, idempotency_key, include, deadline, on_progress)
        return self._transport.iterate(verify_many(self._service, emails, self._service.key_mode, options))


class Check:
    """A check that the service has begun and charged."""

    def __init__(
        self,
        service: Service,
        transport: SyncTransport,
        list_id: int,
        include: Includes,
        found: CheckedAddress | None = None,
    ) -> None:
        self._service = service
        self._transport = transport
        self._include: Includes = include
        self._found = found
        self.list_id = list_id
        """A single check is a list of one: its results and evidence are read by this id."""

    @property
    def answer(self) -> CheckedAddress | None:
        """The result, if it is there; None: the check goes on."""
        return self._found

    def result(self, *, deadline: float | None = None) -> CheckedAddress:
        """The result, waited for. Ask as often as you like: it is read, never checked again."""
        if self._found is None:
            self._found = self._transport.run(
                _checks.result_of(self._service, self.list_id, self._include, deadline)
            )
        return self._found


class ListsApi:
    """lists.*: everything about lists."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def create(
        self,
        emails: Iterable[str],
        *,
        name: str | None = None,
        callback_url: str | None = None,
        group: str | None = None,
        file: ListFile | None = None,
        idempotency_key: str | None = None,
    ) -> ListSummary:
        """Submits at most 100,000 addresses; more are for `verify_many`. Charged once, however often it is retried.

        :param callback_url: https only; see `mxproof.webhooks` for the other end
        :param group: lists of one group are shown as one: 1 to 64 of A–Z, a–z, 0–9, `_` and `-`
        :param file: what it was made of: kept with the list, and given back with `include="file"`
        """
        return self._transport.run(
            _lists.create_list(self._service, emails, name, callback_url, group, file, idempotency_key)
        )

    def get(
        self, list_id: int, *, include: QueryInclude | Sequence[QueryInclude] | None = None
    ) -> ListSummary:
        """The list as it is. `include` adds its `group`, the `email` of a single check, with `retention` when the
        results are deleted (`results_expire_at`) or were (`results_expired_at`), with `paused` since when it is paused
        (`paused_at`), or the `file` it was made of."""
        return self._transport.run(_waiting.get_list(self._service, list_id, include))

    def list(
        self,
        *,
        offset: int | None = None,
        limit: int | None = None,
        status: Status | None = None,
        group: str | None = None,
        single: bool | Literal["only"] | None = None,
        include: QueryInclude | Sequence[QueryInclude] | None = None,
    ) -> List[ListSummary]:
        """One page of lists, newest first."""
        query: dict[str, QueryValue] = {
            "offset": offset,
            "limit": limit,
            "status": status,
            "group": group,
            "single": single,
            "include": include,
        }
        return self._transport.run(_lists.list_lists(self._service, query))

    def all(
        self,
        *,
        status: Status | None = None,
        group: str | None = None,
        single: bool | Literal["only"] | None = None,
        include: QueryInclude | Sequence[QueryInclude] | None = None,
    ) -> Iterator[ListSummary]:
        """Every list, newest first, over all pages."""
        query: dict[str, QueryValue] = {
            "status": status,
            "group": group,
            "single": single,
            "include": include,
        }
        require_given(query)
        return self._transport.iterate(
            _lists.newest_first(
                lambda offset, limit: _lists.list_lists(
                    self._service, {**query, "offset": offset, "limit": limit}
                ),
                lambda found: found.id,
            )
        )

    def group(self, group: str) -> Group:
        """The lists of a group as one."""
        return self._transport.run(_lists.get_group(self._service, group))

    def wait(
        self,
        list_id: int,
        *,
        deadline: float | None = None,
        on_progress: Callable[[ListSummary], object] | None = None,
        events: bool = True,
    ) -> ListSummary:
        """Waits until the list is `done` or `failed`. It may take hours: the service retries greylisted addresses.

        :param deadline: seconds after which the wait ends with `DeadlineExceeded`; the list itself goes on
        :param on_progress: called with the list as it is, whenever more of it is checked
        :param events: False: ask every few seconds instead of holding a stream open
        """
        return self._transport.run(
            _waiting.wait_for_list(self._service, list_id, deadline, on_progress, events)
        )

    def follow(
        self, list_id: int, *, deadline: float | None = None, events: bool = True
    ) -> Iterator[ListSummary]:
        """The list whenever more of it is checked; the last is the list as it ended."""
        return self._transport.iterate(_waiting.follow_list(self._service, list_id, deadline, events))

    def waiting(self, list_id: int) -> ListWaiting:
        """What its addresses without a result wait for, and when it is done at the latest."""
        return self._transport.run(_lists.get_waiting(self._service, list_id))

    def results(
        self,
        list_id: int,
        *,
        state: OneOrSeveral[ResultRowState] = None,
        reason: OneOrSeveral[Reason] = None,
        detail: OneOrSeveral[Detail] = None,
        provider: OneOrSeveral[Provider] = None,
        flag: OneOrSeveral[Flag] = None,
        q: str | None = None,
        include: OneOrSeveral[ResultInclude] = None,
        offset: int = 0,
        limit: int | None = None,
        page_size: int = MAX_PAGE_ROWS,
    ) -> Iterator[ResultRow]:
        """Every row, over all pages: `mx.lists.results(list_id, state="risky")`.

        With any of the filters, which take one value or several, rows carry `position`, their place in the whole list.

        :param q: a piece of the address
        :param include: fields to add
        :param offset: rows (with filters: matches) to skip
        :param limit: rows at most, over all pages
        :param page_size: rows a request asks for, up to 10,000
        """
        query = _query(state, reason, detail, provider, flag, q, include)
        extent = Extent(offset, limit, page_size)
        return self._transport.iterate(_results.read_results(self._service, list_id, query, extent))

    def page(
        self,
        list_id: int,
        *,
        state: OneOrSeveral[ResultRowState] = None,
        reason: OneOrSeveral[Reason] = None,
        detail: OneOrSeveral[Detail] = None,
        provider: OneOrSeveral[Provider] = None,
        flag: OneOrSeveral[Flag] = None,
        q: str | None = None,
        include: OneOrSeveral[ResultInclude] = None,
        offset: int = 0,
        limit: int = MAX_PAGE_ROWS,
    ) -> Page:
        """One page, and how many rows match."""
        query = _query(state, reason, detail, provider, flag, q, include)
        return self._transport.run(_results.read_page(self._service, list_id, query, offset, limit))

    def csv(
        self,
        list_id: int,
        *,
        state: OneOrSeveral[ResultRowState] = None,
        reason: OneOrSeveral[Reason] = None,
        detail: OneOrSeveral[Detail] = None,
        provider: OneOrSeveral[Provider] = None,
        flag: OneOrSeveral[Flag] = None,
        q: str | None = None,
        include: OneOrSeveral[ResultInclude] = None,
        offset: int = 0,
        limit: int | None = None,
        page_size: int = MAX_PAGE_ROWS,
    ) -> Iterator[str]:
        """The results as CSV, in pieces, with one header row."""
        query = _query(state, reason, detail, provider, flag, q, include)
        extent = Extent(offset, limit, page_size)
        return self._transport.iterate(_results.read_csv(self._service, list_id, query, extent))

    def breakdown(self, list_id: int) -> Breakdown:
        """How many of which reason, provider, flag and domain."""
        return self._transport.run(_lists.get_breakdown(self._service, list_id))

    def evidence(self, list_id: int, position: int) -> Evidence:
        """Why the address at this position, from 0, got its result: what was asked, and what the mail server said."""
        return self._transport.run(_lists.get_evidence(self._service, list_id, position))

    def rename(self, list_id: int, name: str) -> ListSummary:
        """Gives it another name."""
        return self._transport.run(_lists.rename_list(self._service, list_id, name))

    def pause(self, list_id: int, *, idempotency_key: str | None = None) -> ListSummary:
        """Stops checking until `resume`: what is being asked at a mail server ends first."""
        return self._transport.run(_lists.pause_list(self._service, list_id, idempotency_key))

    def resume(self, list_id: int, *, idempotency_key: str | None = None) -> ListSummary:
        """Goes on where the list was paused."""
        return self._transport.run(_lists.resume_list(self._service, list_id, idempotency_key))

    def cancel(self, list_id: int, *, idempotency_key: str | None = None) -> ListSummary:
        """Ends an unfinished list as `failed`: what is checked stays, the rest is refunded."""
        return self._transport.run(_lists.cancel_list(self._service, list_id, idempotency_key))

    def retry(self, list_id: int, *, idempotency_key: str | None = None) -> ListSummary:
        """A new list of what this finished list and its retries have left open, charged as any: its unknown addresses
        and, where it failed or was cancelled, those never checked. Once, however often it is retried."""
        return self._transport.run(_lists.retry_list(self._service, list_id, idempotency_key))

    def retries(self, list_id: int) -> List[int]:
        """The lists that were made of it by `retry`, oldest first."""
        return self._transport.run(_lists.get_retries(self._service, list_id))

    def correct(
        self, list_id: int, *, domains: Iterable[str] | None = None, idempotency_key: str | None = None
    ) -> ListSummary:
        """A new list of likelier spellings of this finished list's misspelt addresses, charged as any.

        Once, however often it is retried.

        :param domains: correct addresses of these misspelt domains only
        """
        return self._transport.run(_lists.correct_list(self._service, list_id, domains, idempotency_key))

    def corrections(self, list_id: int) -> List[int]:
        """The lists that were made of it by `correct`, oldest first."""
        return self._transport.run(_lists.get_corrections(self._service, list_id))

    def callback(self, list_id: int) -> Callback:
        """The list's callback, and how its attempts went."""
        return self._transport.run(_lists.get_callback(self._service, list_id))

    def resend_callback(self, list_id: int, *, idempotency_key: str | None = None) -> Callback:
        """Sends the same bytes again, with all attempts anew."""
        return self._transport.run(_lists.resend_callback(self._service, list_id, idempotency_key))

    def delete(self, list_id: int, *, undo: int | None = None) -> None:
        """Removes the list and its data; an unfinished one is stopped and refunded.

        :param undo: for finished lists: the data is kept for that many seconds, in which `undelete` brings the list back
        """
        return self._transport.run(_lists.delete_list(self._service, list_id, undo))

    def undelete(self, list_id: int, *, idempotency_key: str | None = None) -> ListSummary:
        """Brings back a list that was deleted with `undo`; one that is not deleted stays as it is."""
        return self._transport.run(_lists.undelete_list(self._service, list_id, idempotency_key))


class AccountApi:
    """account.*: balance, history, usage, keys, the webhook secret, erasing an address."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport
        self.keys: KeysApi = KeysApi(service, transport)

    def get(self, *, include: AccountInclude | Sequence[AccountInclude] | None = None) -> Account:
        """Name and balance. `include` adds `retention`, how long the account keeps its data, or `settings`, what `update`
        sets besides the name."""
        return self._transport.run(_account.get_account(self._service, include))

    def rename(self, name: str) -> Account:
        """1 to 200 printable characters; only with a live key that may manage keys."""
        return self._transport.run(_account.update_account(self._service, name, None, None))

    def update(
        self, *, name: str | None = None, low_credits: int | None = None, outcomes: bool | None = None
    ) -> Account:
        """What is left out stays; only with a key that may manage keys.

        :param low_credits: endpoints are told `credits.low` once when fewer are left; 0: never. It is of the mode of the key
        :param outcomes: whether what became of mail is taken; False deletes what was taken. It is of the mode of the key
        """
        return self._transport.run(_account.update_account(self._service, name, low_credits, outcomes))

    def history(
        self, *, offset: int | None = None, limit: int | None = None, kind: Kind | None = None
    ) -> List[Entry]:
        """One page of what changed the balance, newest first."""
        query: dict[str, QueryValue] = {"offset": offset, "limit": limit, "kind": kind}
        return self._transport.run(_account.get_history(self._service, query))

    def all_history(self, *, kind: Kind | None = None) -> Iterator[Entry]:
        """All that changed the balance, newest first, over all pages."""
        require_given({"kind": kind})
        return self._transport.iterate(
            _lists.newest_first(
                lambda offset, limit: _account.get_history(
                    self._service, {"kind": kind, "offset": offset, "limit": limit}
                ),
                lambda entry: entry.id,
            )
        )

    def usage(self, *, days: int | None = None) -> List[UsageDay]:
        """Charges, refunds and results of the last days, UTC; zeros included."""
        return self._transport.run(_account.get_usage(self._service, days))

    def erase(self, email: str) -> int:
        """Erases an address from all lists, in the background; only with a key that may manage keys. Returns the id."""
        return self._transport.run(_account.erase_address(self._service, email))

    def erasure(self, erasure_id: int) -> Erasure:
        """How far an erasure is."""
        return self._transport.run(_account.get_erasure(self._service, erasure_id))

    def webhook_secret(self, *, idempotency_key: str | None = None) -> str:
        """Makes a new webhook secret, shown only here. For 24 hours callbacks are signed with the old one too."""
        return self._transport.run(_account.new_webhook_secret(self._service, idempotency_key))


class KeysApi:
    """account.keys.*: only for a key with `manage`."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(self) -> List[Key]:
        """The account's keys, oldest first, without the keys themselves."""
        return self._transport.run(_account.list_keys(self._service))

    def create(
        self,
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
        body = _account.key_body(label, test, manage, access, expires_at, allowed_ips)
        return self._transport.run(_account.create_key(self._service, body, idempotency_key))

    def delete(self, key_id: int) -> None:
        """From then on the key is refused."""
        return self._transport.run(_account.delete_key(self._service, key_id))


class CallbacksApi:
    """callbacks.*: those of all lists, and those of test lists as they are sent."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(self, *, offset: int | None = None, limit: int | None = None) -> List[CallbackEntry]:
        """One page of callbacks, those of the newest lists first; `lists.callback` has all attempts of one."""
        query: dict[str, QueryValue] = {"offset": offset, "limit": limit}
        return self._transport.run(_lists.list_callbacks(self._service, query))

    def all(self) -> Iterator[CallbackEntry]:
        """The callbacks of all lists, those of the newest first, over all pages."""
        return self._transport.iterate(
            _lists.newest_first(
                lambda offset, limit: _lists.list_callbacks(
                    self._service, {"offset": offset, "limit": limit}
                ),
                lambda entry: entry.list_id,
            )
        )

    def listen(
        self,
        *,
        on_open: Callable[[], object] | None = None,
        on_interruption: Callable[[], object] | None = None,
    ) -> Iterator[SentCallback]:
        """Each attempt as it is sent, its headers and its exact body. Test keys only. Ends when you stop iterating.

        :param on_open: the stream is open; again after each interruption
        :param on_interruption: the stream has ended, and will be opened again
        """
        return self._transport.iterate(listen(self._service, on_open, on_interruption))


class OutcomesApi:
    """outcomes.*: what became of mail. The account must have switched `outcomes` on (`account.update`)."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def send(self, outcomes: Sequence[Mapping[str, object]]) -> TakenOutcomes:
        """Tells what became of mail, any number: each with `email`, `outcome` (`delivered`, `bounced` or `complained`), of a
        bounce the mail server's `reply`, and `at` and `id` if they are known. What cannot be read is told in `errors`, by its
        place, and the rest is taken.
        """
        return self._transport.run(_outcomes.send_outcomes(self._service, outcomes))


class SuppressionsApi:
    """suppressions.*: addresses that the account does not mail. They are never given back."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def count(self) -> Suppressions:
        """How many are on the list, and why."""
        return self._transport.run(_outcomes.count_suppressions(self._service))

    def add(self, emails: Sequence[str]) -> int:
        """Such as those that unsubscribed. Returns how many were not on the list."""
        return self._transport.run(_outcomes.add_suppressions(self._service, emails))

    def find(self, emails: Sequence[str]) -> List[int]:
        """Places in `emails`, from 0, of those that are on the list."""
        return self._transport.run(_outcomes.check_suppressions(self._service, emails))

    def remove(self, emails: Sequence[str]) -> int:
        """Returns how many were on the list."""
        return self._transport.run(_outcomes.remove_suppressions(self._service, emails))


class AuditApi:
    """audit.*: who changed what in the account, and read out of it. Only with a key that may manage keys."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(
        self,
        *,
        action: AuditAction | None = None,
        member: int | None = None,
        since: int | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> List[AuditEntry]:
        """One page, newest first.

        :param member: the id of a member of the account
        :param since: Unix seconds
        """
        query: dict[str, QueryValue] = {
            "action": action,
            "member": member,
            "since": since,
            "offset": offset,
            "limit": limit,
        }
        return self._transport.run(_audit.list_audit(self._service, query))

    def all(
        self, *, action: AuditAction | None = None, member: int | None = None, since: int | None = None
    ) -> Iterator[AuditEntry]:
        """All entries, newest first, over all pages."""
        query: dict[str, QueryValue] = {"action": action, "member": member, "since": since}
        return self._transport.iterate(
            _lists.newest_first(
                lambda offset, limit: _audit.list_audit(
                    self._service, {**query, "offset": offset, "limit": limit}
                ),
                lambda entry: entry.id,
            )
        )


class RequestsApi:
    """requests.*: what the account has changed and was refused, for a week. Only with a key that may manage keys."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(
        self,
        *,
        id: str | None = None,
        status: int | None = None,
        since: int | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> List[LoggedRequest]:
        """One page, newest first.

        :param id: an `X-Request-Id`, which an error has as `request_id`
        :param since: Unix seconds
        """
        query: dict[str, QueryValue] = {
            "id": id,
            "status": status,
            "since": since,
            "offset": offset,
            "limit": limit,
        }
        return self._transport.run(_requests.list_requests(self._service, query))

    def all(self, *, status: int | None = None, since: int | None = None) -> Iterator[LoggedRequest]:
        """All of them, newest first."""
        return self._transport.iterate(
            _requests.all_requests(self._service, {"status": status, "since": since})
        )


class HooksApi:
    """hooks.*: where sending services send their own events, which become outcomes. Only for a key with `manage`; those of a test
    key belong to test mode."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(self) -> List[Hook]:
        """All of them, oldest first."""
        return self._transport.run(_hooks.list_hooks(self._service))

    def create(
        self,
        service: SendingService,
        *,
        signing_key: str | None = None,
        topic: str | None = None,
        idempotency_key: str | None = None,
    ) -> NewHook:
        """Its `url`, a secret that is shown only here, is what the sending service is given.

        :param signing_key: what the service signs with; of Postmark `user:password`, of Amazon SES none
        :param topic: of Amazon SES alone, the ARN of its SNS topic
        """
        return self._transport.run(
            _hooks.create_hook(self._service, service, signing_key, topic, idempotency_key)
        )

    def delete(self, hook_id: int) -> None:
        """Nothing is taken at its URL any more."""
        return self._transport.run(_hooks.delete_hook(self._service, hook_id))


class MembersApi:
    """members.*: people who use the account in a browser. Only for a key with `manage`; a test key reaches none."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(self) -> List[Member]:
        """All of them, those who are invited too, oldest first."""
        return self._transport.run(_members.list_members(self._service))

    def invite(self, email: str, role: Role, *, idempotency_key: str | None = None) -> InvitedMember:
        """Its `link`, shown only here, is for you to pass on: anyone who has it can join."""
        return self._transport.run(_members.invite_member(self._service, email, role, idempotency_key))

    def update(self, member_id: int, *, role: Role) -> Member:
        """From their next request on."""
        return self._transport.run(_members.update_member(self._service, member_id, role))

    def link(self, member_id: int, *, idempotency_key: str | None = None) -> InvitedMember:
        """Another link for a member; those made before end."""
        return self._transport.run(_members.make_link(self._service, member_id, idempotency_key))

    def delete(self, member_id: int) -> None:
        """Their sessions end."""
        return self._transport.run(_members.delete_member(self._service, member_id))


class WebhooksApi:
    """webhooks.*: endpoints of the account, which are told of events for days; `mxproof.webhooks.verify_event` is for the other
    end. Only for a key with `manage`; those of a test key belong to test mode."""

    def __init__(self, service: Service, transport: SyncTransport) -> None:
        self._service = service
        self._transport = transport

    def list(self) -> List[Webhook]:
        """All of them, oldest first."""
        return self._transport.run(_webhooks.list_webhooks(self._service))

    def create(
        self,
        url: str,
        events: Sequence[WebhookEventType],
        *,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """The secret that its events are signed with is `webhook_secret`, shown only here.

        :param url: https only
        """
        return self._transport.run(
            _webhooks.create_webhook(self._service, url, events, description, idempotency_key)
        )

    def get(self, webhook_id: int) -> Webhook:
        """The endpoint as it is, without its secret."""
        return self._transport.run(_webhooks.get_webhook(self._service, webhook_id))

    def update(
        self,
        webhook_id: int,
        *,
        url: str | None = None,
        events: Sequence[WebhookEventType] | None = None,
        description: str | None = None,
        paused: bool | None = None,
    ) -> Webhook:
        """What is left out stays.

        :param paused: True: its events are kept for three days; False also switches on again what the service has switched off
        """
        return self._transport.run(
            _webhooks.update_webhook(self._service, webhook_id, url, events, description, paused)
        )

    def delete(self, webhook_id: int) -> None:
        """With its deliveries, pending ones too."""
        return self._transport.run(_webhooks.delete_webhook(self._service, webhook_id))

    def test(self, webhook_id: int, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Sends it an event of the type `test`, signed and repeated like any other."""
        return self._transport.run(_webhooks.test_webhook(self._service, webhook_id, idempotency_key))

    def rotate_secret(self, webhook_id: int, *, idempotency_key: str | None = None) -> str:
        """Makes a new secret, shown only here. For 24 hours events are signed with the old one too."""
        return self._transport.run(_webhooks.rotate_secret(self._service, webhook_id, idempotency_key))

    def deliveries(
        self,
        webhook_id: int,
        *,
        offset: int | None = None,
        limit: int | None = None,
        state: CallbackState | None = None,
    ) -> List[WebhookDelivery]:
        """One page of what was sent to it, newest first, with every attempt."""
        query: dict[str, QueryValue] = {"offset": offset, "limit": limit, "state": state}
        return self._transport.run(_webhooks.get_deliveries(self._service, webhook_id, query))

    def all_deliveries(
        self, webhook_id: int, *, state: CallbackState | None = None
    ) -> Iterator[WebhookDelivery]:
        """All that was sent to it in the last 30 days, newest first, over all pages."""
        require_given({"state": state})
        return self._transport.iterate(_webhooks.all_deliveries(self._service, webhook_id, state))

    def resend(
        self, webhook_id: int, delivery: str, *, idempotency_key: str | None = None
    ) -> WebhookDelivery:
        """Sends the same bytes again under the same `webhook-id`, with all attempts anew.

        :param delivery: its `id`
        """
        return self._transport.run(
            _webhooks.resend_delivery(self._service, webhook_id, delivery, idempotency_key)
        )


def _query(
    state: OneOrSeveral[ResultRowState],
    reason: OneOrSeveral[Reason],
    detail: OneOrSeveral[Detail],
    provider: OneOrSeveral[Provider],
    flag: OneOrSeveral[Flag],
    q: str | None,
    include: OneOrSeveral[ResultInclude],
) -> dict[str, QueryValue]:
    query: dict[str, QueryValue] = {
        "state": state,
        "reason": reason,
        "detail": detail,
        "provider": provider,
        "flag": flag,
        "q": q,
        "include": include,
    }
    require_given(query)
    return query
