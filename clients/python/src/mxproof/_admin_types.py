# Written by scripts/python-client.ts from openapi-admin.json: change the routes, not this file.
"""What the service answers its operator. As of _types.py, words may become more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ._types import (
    AuditChange,
    CallbackState,
    Deleted,
    ErrorBody,
    Key,
    KeyPage,
    ListSummaryCounts,
    ListWaiting,
    Member,
    MemberPage,
    NewKey,
    SignInWaysOpenid,
    Status,
    WaitingGroup,
    WebhookSecret,
)

__all__ = [
    "AccountStatus",
    "AdminAccount",
    "AdminAccountDetail",
    "AdminAccountDetailRetention",
    "AdminAccountPage",
    "AdminAuditAction",
    "AdminAuditActorKind",
    "AdminAuditEntry",
    "AdminAuditEntryActor",
    "AdminAuditEntrySubject",
    "AdminAuditPage",
    "AdminAuditSubjectKind",
    "AdminCallback",
    "AdminCallbackAttempt",
    "AdminCallbackPage",
    "AdminList",
    "AdminListPage",
    "AdminListWaitsFor",
    "AdminResending",
    "AdminScope",
    "AuditChange",
    "CallbackState",
    "CheckStatus",
    "Deleted",
    "Doctor",
    "DoctorReport",
    "DoctorReportCheck",
    "ErrorBody",
    "ErrorCode",
    "Key",
    "KeyPage",
    "LedgerVerification",
    "LedgerVerificationDifference",
    "ListSummaryCounts",
    "ListWaiting",
    "Member",
    "MemberPage",
    "NewAccount",
    "NewKey",
    "Node",
    "NodePage",
    "NodeRole",
    "NodeState",
    "OperatorSession",
    "OperatorSignInWays",
    "OperatorSignedIn",
    "Overview",
    "OverviewAccounts",
    "OverviewAlert",
    "OverviewCallbacks",
    "OverviewChecks",
    "OverviewDoctor",
    "OverviewNodes",
    "OverviewProviders",
    "OverviewProvidersRow",
    "OverviewQueue",
    "OverviewSources",
    "RestedBy",
    "Resting",
    "SignInLink",
    "SignInWaysOpenid",
    "SignedOut",
    "SourceCounts",
    "SourceCountsRefused",
    "SourceHealth",
    "SourceHealthRefusal",
    "SourceHealthRest",
    "SourceHealthWarmUp",
    "SourceRefusalKind",
    "Sources",
    "Status",
    "WaitingGroup",
    "WebhookSecret",
]

ErrorCode = Literal[
    "bad_body", "admin_key_required", "bad_credits", "bad_first_credits", "bad_note", "bad_external_id",
    "bad_search", "bad_account_status", "bad_rate", "bad_retention", "bad_monthly_credits", "bad_mail",
    "bad_account", "bad_stuck", "bad_hours", "bad_overview_hours", "bad_rest_provider", "bad_actor",
    "bad_audit_format", "invalid_admin_key", "admin_scope", "not_an_operator", "account_not_found",
    "source_not_found", "not_enough_credits", "external_id_taken", "invalid_request", "invalid_json",
    "unknown_field", "unknown_parameter", "unexpected_body", "email_required", "email_too_long",
    "emails_required", "emails_not_strings", "too_many_addresses", "too_many_test_addresses",
    "name_not_string", "name_too_long", "bad_account_name", "callback_url_not_https",
    "callback_url_too_long", "callback_port_not_allowed", "url_not_https", "url_too_long",
    "url_port_not_allowed", "bad_events", "bad_description", "bad_paused", "bad_service", "bad_signing_key",
    "bad_topic", "bad_low_credits", "bad_mail_when_done", "bad_list_mail", "bad_outcomes",
    "outcomes_required", "too_many_outcomes", "bad_group", "bad_file", "bad_domain", "bad_domains",
    "bad_offset", "bad_limit", "bad_format", "bad_state", "bad_reason", "bad_detail", "bad_include",
    "bad_list_include", "bad_account_include", "bad_provider", "bad_flag", "bad_q", "bad_status",
    "bad_delivery_state", "bad_http_status", "bad_request_id", "bad_since", "bad_action", "bad_member",
    "bad_single", "api_key_required", "bad_undo", "bad_kind", "bad_days", "bad_idempotency_key", "bad_label",
    "bad_test", "bad_manage", "bad_access", "manage_needs_full", "bad_expires_at", "bad_allowed_ips",
    "bad_email", "bad_role", "bad_account_id", "bad_code", "text_required", "text_too_long",
    "invalid_api_key", "hook_refused", "insufficient_credits", "foreign_page", "key_access", "role",
    "account_suspended", "sign_in_by_key_off", "sign_in_expired", "not_invited", "provider_refused",
    "provider_untrusted", "may_not_manage", "no_member", "only_test_keys", "test_keys_only", "not_found",
    "link_not_found", "list_not_found", "group_not_found", "no_such_position", "results_expired",
    "evidence_expired", "sign_in_not_set_up", "not_checked_yet", "key_not_found", "member_not_found",
    "erasure_not_found", "webhook_not_found", "delivery_not_found", "hook_not_found", "own_key",
    "no_mail_sent", "mailbox_not_proved", "too_many_keys", "already_member", "last_owner",
    "too_many_members", "no_other_side", "too_many_webhooks", "too_many_hooks", "webhook_not_active",
    "delivery_pending", "no_callback", "timed_out", "list_unfinished", "list_finished", "list_paused",
    "list_not_paused", "single_check", "group_full", "nothing_to_retry", "nothing_to_correct",
    "callback_pending", "outcomes_off", "too_many_suppressions", "too_large", "text_too_large",
    "encoded_body", "idempotency_key_reused", "rate_limited", "test_lists_full", "too_many_erasures",
    "too_many_erasures_a_day", "too_many_streams", "headers_too_large", "internal_error",
    "provider_unavailable", "unavailable",
]
"""Why a request was refused: the header `MXProof-Error` of every response with status 400 or above.
Further codes may be added."""

AdminAuditAction = Literal[
    "account.created", "account.changed", "account.deleted", "credits.changed", "credits.granted",
    "key.created", "key.revoked", "webhook_secret.replaced", "session.begun", "session.ended",
    "sessions.ended", "link.created", "webhook.created", "webhook.changed", "webhook.deleted",
    "webhook.secret_replaced", "hook.created", "hook.deleted", "suppressions.removed", "list.cancelled",
    "list.deleted", "list.restored", "list.exported", "callback.resent", "address.erased", "member.invited",
    "member.joined", "member.link_created", "member.changed", "member.removed", "source.rested",
    "source.resumed", "admin_key.created", "admin_key.revoked", "operator.link_created",
    "operator.signed_in", "operator.signed_out", "operators.signed_out", "doctor.run", "settings.changed",
    "secret_key.rotated", "store.backed_up", "store.restored", "store.reapplied", "audit.exported",
]
"""What was done. Further actions may be added."""

AdminAuditActorKind = Literal["key", "session", "member", "admin_key", "operator", "command", "service"]
"""key: an API key. session: a browser of an account. member: a person of an account. admin_key: an
operator’s key. operator: an operator’s browser. command: the command line. service: the service itself."""

AdminAuditSubjectKind = Literal["key", "webhook", "hook", "list", "erasure", "member", "admin_key"]
"""What kind of thing it was done to."""

AccountStatus = Literal["active", "suspended"]

AdminScope = Literal["read", "write"]

NodeState = Literal["alive", "stopped", "lost"]

NodeRole = Literal["http", "checks"]

SourceRefusalKind = Literal["block", "rate", "ptr", "policy"]

RestedBy = Literal["refusals", "operator"]

CheckStatus = Literal["ok", "warning", "failure", "skipped"]


@dataclass(frozen=True, slots=True)
class AdminAccount:
    """An account. The balance is that of live mode."""

    id: int
    """Account identifier."""
    name: str
    """Its name."""
    external_id: str | None
    """Your own word for it, such as the customer’s number in your billing; null: none."""
    status: AccountStatus
    """suspended: it reads and deletes what it has, and begins nothing new; its unfinished lists go on."""
    credits: int
    """The balance."""
    credits_used: int
    """Charges less refunds."""
    lists: int
    """Existing lists, single checks included."""
    created_at: int
    """Unix seconds."""
    last_active_at: int | None
    """When a key or a browser of it last asked for something, live or test, in Unix seconds; at most a
    minute behind. Null: never."""


@dataclass(frozen=True, slots=True)
class AdminAccountPage:
    """Accounts, newest first."""

    accounts: list[AdminAccount]


@dataclass(frozen=True, slots=True)
class AdminAccountDetailRetention:
    """How long its data is kept."""

    results: int | None
    """Days from the end of a list on; null: as the deployment says."""
    evidence: int | None
    """Days from the end of a list on; null: as the deployment says."""
    callbacks: int | None
    """Days from the end of a list on; null: as the deployment says."""
    single_checks: int | None
    """Days from the end of a list on; null: as the deployment says."""


@dataclass(frozen=True, slots=True)
class AdminAccountDetail:
    """An account and what is set for it."""

    id: int
    """Account identifier."""
    name: str
    """Its name."""
    external_id: str | None
    """Your own word for it, such as the customer’s number in your billing; null: none."""
    status: AccountStatus
    """suspended: it reads and deletes what it has, and begins nothing new; its unfinished lists go on."""
    credits: int
    """The balance."""
    credits_used: int
    """Charges less refunds."""
    lists: int
    """Existing lists, single checks included."""
    created_at: int
    """Unix seconds."""
    last_active_at: int | None
    """When a key or a browser of it last asked for something, live or test, in Unix seconds; at most a
    minute behind. Null: never."""
    rate_requests: int | None
    """Requests a minute for each of its keys; null: as the deployment says."""
    rate_addresses: int | None
    """Addresses a minute for each of its keys; null: as the deployment says."""
    retention: AdminAccountDetailRetention
    """How long its data is kept."""
    monthly_credits: int | None
    """Granted once at the start of each month (UTC); null: none."""
    monthly_from: str | None
    """The first day of the month that is granted next, such as `2026-12-01`; null: none."""
    mail: str | None
    """Who is mailed when a list is done or credits are low; null: no person."""
    low_credits: int | None
    """Credits are low below it, as the account has set it; null: it has not."""
    outcomes: bool
    """It tells what became of its mail, as it has set it."""


@dataclass(frozen=True, slots=True)
class NewAccount:
    """An account that was just opened."""

    id: int
    """Account identifier."""
    name: str
    """Its name."""
    external_id: str | None
    """Your own word for it, such as the customer’s number in your billing; null: none."""
    status: AccountStatus
    """suspended: it reads and deletes what it has, and begins nothing new; its unfinished lists go on."""
    credits: int
    """The balance."""
    credits_used: int
    """Charges less refunds."""
    lists: int
    """Existing lists, single checks included."""
    created_at: int
    """Unix seconds."""
    last_active_at: int | None
    """When a key or a browser of it last asked for something, live or test, in Unix seconds; at most a
    minute behind. Null: never."""
    rate_requests: int | None
    """Requests a minute for each of its keys; null: as the deployment says."""
    rate_addresses: int | None
    """Addresses a minute for each of its keys; null: as the deployment says."""
    retention: AdminAccountDetailRetention
    """How long its data is kept."""
    monthly_credits: int | None
    """Granted once at the start of each month (UTC); null: none."""
    monthly_from: str | None
    """The first day of the month that is granted next, such as `2026-12-01`; null: none."""
    mail: str | None
    """Who is mailed when a list is done or credits are low; null: no person."""
    low_credits: int | None
    """Credits are low below it, as the account has set it; null: it has not."""
    outcomes: bool
    """It tells what became of its mail, as it has set it."""
    api_key: str = field(repr=False)
    """Its first key. It is shown only here: store it now."""
    webhook_secret: str = field(repr=False)
    """What its callbacks are signed with. It is shown only here: store it now."""


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A one-time link."""

    url: str = field(repr=False)
    """It signs in the browser that opens it, once."""
    expires_at: int
    """Unix seconds."""


@dataclass(frozen=True, slots=True)
class SignedOut:
    sessions_ended: int
    """Browsers that were signed in."""


@dataclass(frozen=True, slots=True)
class OperatorSession:
    """An operator’s session."""

    scope: AdminScope
    """read: every GET. write: everything."""
    expires_at: int
    """Unix seconds."""


@dataclass(frozen=True, slots=True)
class OperatorSignInWays:
    """How operators’ browsers can be signed in, besides the link of `mxproof admin link`."""

    key: bool
    """With an admin key."""
    openid: SignInWaysOpenid | None
    """With an OpenID provider, from `/operator/sign-in/openid`; null: it signs in no operators."""


@dataclass(frozen=True, slots=True)
class OperatorSignedIn:
    """An operator’s session that has just begun."""

    scope: AdminScope
    """read: every GET. write: everything."""
    expires_at: int
    """Unix seconds."""
    proof: str = field(repr=False)
    """For `MXProof-Operator-Proof`, kept in the page’s storage."""


@dataclass(frozen=True, slots=True)
class AdminAuditEntryActor:
    """Who did it."""

    kind: AdminAuditActorKind
    id: int | None
    """Of the key, of the key that the browser was signed in with, or of the member; null where there is
    none."""
    name: str | None
    """Of the user who ran a command, or of an operator the subject at the sign-in provider; otherwise
    null."""


@dataclass(frozen=True, slots=True)
class AdminAuditEntrySubject:
    kind: AdminAuditSubjectKind
    id: int
    """Its identifier, also once it is gone."""


@dataclass(frozen=True, slots=True)
class AdminAuditEntry:
    """A change or an export."""

    id: int
    """Entry identifier; later entries have larger ones."""
    at: int
    """Unix seconds."""
    action: AdminAuditAction
    actor: AdminAuditEntryActor
    """Who did it."""
    client: str | None
    """Where it came from: an IP address, or a machine; null where it is not known."""
    request_id: str | None
    """`X-Request-Id` of its answer; null if it was no request."""
    account_id: int | None
    """The account."""
    subject: AdminAuditEntrySubject | None
    """What it was done to; null: to the account itself."""
    changes: dict[str, AuditChange]
    """Numbers and closed words that changed, by field."""
    changed: list[str]
    """Fields whose text changed, such as a name or a URL: the texts themselves are not kept."""


@dataclass(frozen=True, slots=True)
class AdminAuditPage:
    """Entries of the trail, newest first."""

    entries: list[AdminAuditEntry]


@dataclass(frozen=True, slots=True)
class AdminListWaitsFor:
    why: str
    """As in `GET …/waiting`."""
    host: str | None
    next_attempt_at: int | None


@dataclass(frozen=True, slots=True)
class AdminList:
    """A list of an account, without any of its addresses."""

    id: int
    """List identifier."""
    account_id: int
    """Whose it is."""
    name: str
    """Name given at submission; empty if none was given."""
    status: Status
    """Results are final once the list is done."""
    total: int
    """Number of unique addresses."""
    duplicates_removed: int
    """Duplicate addresses dropped at submission; not charged."""
    checked: int
    """Addresses checked so far."""
    counts: ListSummaryCounts
    created_at: int
    """Unix seconds."""
    finished_at: int | None
    """Unix seconds; null while the list is unfinished."""
    paused_at: int | None
    """Since when it is paused, in Unix seconds; null: it is not."""
    pending: int
    """Addresses without a result; 0 once it has ended."""
    checking: int
    """Of these, being asked about at this moment."""
    waits_for: AdminListWaitsFor | None
    """The largest group of addresses that wait; null: none does."""


@dataclass(frozen=True, slots=True)
class AdminListPage:
    """Lists of all accounts, newest first; those that are stuck oldest first."""

    lists: list[AdminList]


@dataclass(frozen=True, slots=True)
class AdminCallbackAttempt:
    at: int
    """Unix seconds."""
    status: int | None
    error: str | None
    """What went wrong; null: nothing."""
    duration_ms: int
    """Milliseconds."""


@dataclass(frozen=True, slots=True)
class AdminCallback:
    """The callback of a list, without its body."""

    list_id: int
    account_id: int
    url: str
    """Where it goes, without query and fragment."""
    state: CallbackState
    """failed: all attempts have failed."""
    created_at: int
    """Unix seconds."""
    attempts: list[AdminCallbackAttempt]
    next_attempt_at: int | None
    """Unix seconds; null: none is to come."""


@dataclass(frozen=True, slots=True)
class AdminCallbackPage:
    """Callbacks, newest first."""

    callbacks: list[AdminCallback]


@dataclass(frozen=True, slots=True)
class Node:
    """A process of the service."""

    id: str
    machine: str | None
    """The name of its machine."""
    state: NodeState
    """lost: it fell silent. stopped: it said that it stops."""
    roles: list[NodeRole]
    url: str | None
    """Where it listens; null: it answers no requests."""
    sources: list[str]
    """Addresses it asks from."""
    seen_seconds_ago: int
    """When it was last heard of."""
    jobs: int
    """Jobs that it has in hand."""


@dataclass(frozen=True, slots=True)
class NodePage:
    """Nodes that were heard of within the last hour."""

    nodes: list[Node]


@dataclass(frozen=True, slots=True)
class SourceCountsRefused:
    """Refusals about the source, which may come before any recipient."""

    block: int
    """The source is on a block list."""
    rate: int
    """It asked too much."""
    ptr: int
    """Its name does not fit its address."""
    policy: int
    """Otherwise about the source."""


@dataclass(frozen=True, slots=True)
class SourceCounts:
    asked: int
    """Recipients, of which the others are parts."""
    accepted: int
    """The mail host takes mail for them."""
    unknown_recipients: int
    """It knows no such mailbox."""
    deferred: int
    """It put them off."""
    refused: SourceCountsRefused
    """Refusals about the source, which may come before any recipient."""


@dataclass(frozen=True, slots=True)
class SourceHealthRefusal:
    kind: SourceRefusalKind
    """What it is about."""
    reply: str
    """In the mail server’s words."""
    link: str | None
    """Where to ask to be taken off the list, at a known operator; null: none."""
    at: int
    """Unix seconds."""


@dataclass(frozen=True, slots=True)
class SourceHealthRest:
    since: int
    """Unix seconds."""
    until: int | None
    """Unix seconds; null: until it is resumed."""
    by: RestedBy
    """Who began it."""


@dataclass(frozen=True, slots=True)
class SourceHealthWarmUp:
    day: int
    """The day of the warm-up."""
    per_day: int
    """Recipients it may ask about on this day."""
    used: int
    """Of these, asked."""
    held_back: str | None
    """Why the limit does not grow; null: it does."""


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """How one source fares at one provider."""

    id: str
    """For `POST /admin/v1/sources/{id}/rest`: the address, or `own`."""
    source: str
    """The address; empty: the machine’s own."""
    provider: str
    """By its word in results."""
    today: SourceCounts
    last_week: SourceCounts
    refusal: SourceHealthRefusal | None
    """The latest refusal about the source; null: none."""
    rest: SourceHealthRest | None
    """Nothing is asked there from this source meanwhile; null: it does not rest."""
    warm_up: SourceHealthWarmUp | None
    """Null: it is not warmed up there."""


@dataclass(frozen=True, slots=True)
class Sources:
    """How the sources fare, each at each provider."""

    at: int
    """By the service’s clock, in Unix seconds."""
    pairs: list[SourceHealth]
    left_out: int
    """Pairs that are too many to be told."""


@dataclass(frozen=True, slots=True)
class Resting:
    resting: bool


@dataclass(frozen=True, slots=True)
class DoctorReportCheck:
    id: str
    group: str
    """Of the report; empty: none."""
    title: str
    status: CheckStatus
    """What came of it."""
    detail: str
    advice: str | None
    """What to do; null: nothing."""


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """What the doctor found on one machine."""

    machine: str
    ran_at: int
    """Unix seconds."""
    ok: bool
    """No check failed."""
    checks: list[DoctorReportCheck]


@dataclass(frozen=True, slots=True)
class Doctor:
    """The doctor’s latest report on each machine."""

    at: int
    """By the service’s clock, in Unix seconds."""
    reports: list[DoctorReport]
    backup_at: int | None
    """When the newest backup was made, in Unix seconds; null: there is none."""
    left_out: int
    """Machines that are too many to be told."""


@dataclass(frozen=True, slots=True)
class LedgerVerificationDifference:
    what: str
    stored: int
    recomputed: int


@dataclass(frozen=True, slots=True)
class LedgerVerification:
    """Balances and counters, recomputed."""

    accounts: int
    """Accounts that were looked at."""
    lists: int
    """Lists that were looked at."""
    differences: list[LedgerVerificationDifference]
    """Empty: every balance and counter is what its rows say."""


@dataclass(frozen=True, slots=True)
class OverviewChecks:
    """Live mode alone, without lists that were deleted since."""

    deliverable: int
    """Of lists that ended lately."""
    risky: int
    """Of lists that ended lately."""
    undeliverable: int
    """Of lists that ended lately."""
    unknown: int
    """Of lists that ended lately."""
    lists_ended: int
    """Lists and single checks that ended lately."""


@dataclass(frozen=True, slots=True)
class OverviewProvidersRow:
    provider: str
    """By its word in results."""
    checked: int
    """Addresses with a result."""
    unknown: int
    """Of these, without an answer."""


@dataclass(frozen=True, slots=True)
class OverviewProviders:
    counted: int
    """Addresses of the newest lists that were looked at, at most 100,000."""
    rows: list[OverviewProvidersRow]
    """The largest first."""


@dataclass(frozen=True, slots=True)
class OverviewQueue:
    unfinished: int
    """Lists under way, paused ones included."""
    paused: int
    """Of these, paused."""
    pending: int
    """Addresses without a result."""
    due: int
    """Jobs whose time has come and that no node has taken."""
    later: int
    """Jobs that wait for their time."""
    claimed: int
    """Jobs that nodes have in hand."""
    oldest_seconds: float | None
    """How long the oldest that is due has waited; null: none is due."""


@dataclass(frozen=True, slots=True)
class OverviewCallbacks:
    delivered: int
    """Lately."""
    failed: int
    """Lately."""
    pending: int
    """Now."""
    deliveries_pending: int
    """To webhook endpoints, now."""
    endpoints_off: int
    """Webhook endpoints that the service switched off."""


@dataclass(frozen=True, slots=True)
class OverviewAccounts:
    total: int
    """Accounts."""
    suspended: int
    """Of these, suspended."""
    active: int
    """Of these, with a list or single check of the time."""


@dataclass(frozen=True, slots=True)
class OverviewNodes:
    alive: int
    """Nodes."""
    lost: int
    """Nodes that fell silent."""
    stopped: int
    """Nodes."""


@dataclass(frozen=True, slots=True)
class OverviewSources:
    resting: int
    """Sources at providers where they rest now."""


@dataclass(frozen=True, slots=True)
class OverviewAlert:
    condition: str
    subject: str
    """What it is about; empty: the deployment."""
    detail: str
    since: int
    """Unix seconds."""


@dataclass(frozen=True, slots=True)
class OverviewDoctor:
    machines: int
    """Machines with a report."""
    failing: int
    """Of these, where a check failed."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The deployment now, and lately."""

    at: int
    """By the service’s clock, in Unix seconds."""
    hours: int
    """What "lately" is."""
    checks: OverviewChecks
    """Live mode alone, without lists that were deleted since."""
    providers: OverviewProviders
    queue: OverviewQueue
    callbacks: OverviewCallbacks
    accounts: OverviewAccounts
    nodes: OverviewNodes
    sources: OverviewSources
    alerts: list[OverviewAlert]
    """Alerts that hold now."""
    doctor: OverviewDoctor
    backup_at: int | None
    """When the newest backup was made, in Unix seconds; null: there is none."""


@dataclass(frozen=True, slots=True)
class AdminResending:
    list_id: int
    state: Literal["pending"]
