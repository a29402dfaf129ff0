# Written by scripts/python-client.ts from openapi.json: change the routes, not this file.
"""What the service answers, as its OpenAPI document describes it.

Words (`State`, `Reason`, …) may become more in a later version of the service: a value can be one that is not listed
here. Fields that are only there if asked for are None otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "Access",
    "Account",
    "AccountInclude",
    "AccountRetention",
    "AccountSettings",
    "Accuracy",
    "AccuracyDetail",
    "AccuracyProvider",
    "AccuracyStates",
    "AddedSuppressions",
    "AuditAction",
    "AuditActorKind",
    "AuditChange",
    "AuditEntry",
    "AuditEntryActor",
    "AuditEntrySubject",
    "AuditPage",
    "AuditSubjectKind",
    "BegunErasure",
    "BounceBasis",
    "Breakdown",
    "BreakdownDomain",
    "BreakdownFlags",
    "Callback",
    "CallbackAttempt",
    "CallbackEntry",
    "CallbackPage",
    "CallbackState",
    "CatchAll",
    "CheckedAddress",
    "CheckedSuppressions",
    "Checking",
    "Clarity",
    "Corrections",
    "Deleted",
    "DeliveryEvent",
    "Detail",
    "Domain",
    "Entry",
    "Erasure",
    "ErasureStatus",
    "ErrorBody",
    "ErrorCode",
    "Evidence",
    "EvidenceDialogue",
    "EvidenceDialogueFrom",
    "EvidenceDns",
    "EvidenceHost",
    "Flag",
    "Group",
    "History",
    "Hook",
    "HookAnswer",
    "HookPage",
    "Include",
    "InvitedMember",
    "Key",
    "KeyPage",
    "Kind",
    "LinkAsked",
    "ListDone",
    "ListFile",
    "ListPage",
    "ListSummary",
    "ListSummaryCounts",
    "ListWaiting",
    "LoggedRequest",
    "MailHost",
    "MailOutcome",
    "Meaning",
    "Member",
    "MemberPage",
    "MemberStatus",
    "NewHook",
    "NewKey",
    "NewWebhook",
    "OffReason",
    "OwnMember",
    "OwnSession",
    "OwnSessionAccount",
    "Pending",
    "Provider",
    "QueryInclude",
    "Reason",
    "RecipientReply",
    "RemovedSuppressions",
    "Replies",
    "Reply",
    "RequestPage",
    "ResultInclude",
    "ResultPage",
    "ResultRow",
    "ResultRowState",
    "Retries",
    "Role",
    "SendingService",
    "SentCallback",
    "ServiceStatus",
    "SignInWays",
    "SignInWaysOpenid",
    "SignedIn",
    "State",
    "StateOutcomes",
    "Status",
    "StatusCode",
    "StatusReason",
    "Suggestion",
    "Suppressions",
    "TakenOutcomes",
    "TakenOutcomesError",
    "Usage",
    "UsageDay",
    "WaitingGroup",
    "WarmUpLeft",
    "WarmUpStatus",
    "Webhook",
    "WebhookDelivery",
    "WebhookDeliveryAttempt",
    "WebhookDeliveryPage",
    "WebhookEvent",
    "WebhookEventData",
    "WebhookEventType",
    "WebhookPage",
    "WebhookSecret",
    "Why",
    "WrongState",
    "WrongVerdicts",
    "WrongVerdictsWrong",
]

ErrorCode = Literal[
    "invalid_request", "invalid_json", "unknown_field", "unknown_parameter", "unexpected_body",
    "email_required", "email_too_long", "emails_required", "emails_not_strings", "too_many_addresses",
    "too_many_test_addresses", "name_not_string", "name_too_long", "bad_account_name",
    "callback_url_not_https", "callback_url_too_long", "callback_port_not_allowed", "url_not_https",
    "url_too_long", "url_port_not_allowed", "bad_events", "bad_description", "bad_paused", "bad_service",
    "bad_signing_key", "bad_topic", "bad_low_credits", "bad_mail_when_done", "bad_list_mail", "bad_outcomes",
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

State = Literal["deliverable", "risky", "undeliverable", "unknown"]
"""What to do with a checked address."""

Reason = Literal[
    "accepted_email", "low_deliverability", "low_quality", "disposable", "rejected_email", "invalid_domain",
    "invalid_email", "unavailable_smtp", "no_connect", "dns_error",
]
"""Why the state was given."""

Detail = Literal[
    "accepted", "role", "disposable", "catch_all", "catch_all_unknown", "mailbox_full", "no_such_mailbox",
    "mailbox_disabled", "mailbox_moved", "syntax", "no_such_domain", "no_mx", "null_mx", "private_address",
    "greylisted", "rate_limited", "blocked", "source_resting", "budget", "sender_refused", "temporary",
    "unclear", "timeout", "connection_refused", "connection_lost", "tls_failed", "proxy_refused",
    "proxy_no_route", "dns_failed", "dns_untrusted", "network_down", "never_asked", "list_ended",
    "tenant_lapsed", "decides_after_data", "tenant_accepts_all", "gateway_accepts_all",
]
"""Why, more finely than `reason`. Further words may be added."""

AuditAction = Literal[
    "account.created", "account.changed", "account.deleted", "credits.changed", "credits.granted",
    "key.created", "key.revoked", "webhook_secret.replaced", "session.begun", "session.ended",
    "sessions.ended", "link.created", "webhook.created", "webhook.changed", "webhook.deleted",
    "webhook.secret_replaced", "hook.created", "hook.deleted", "suppressions.removed", "list.cancelled",
    "list.deleted", "list.restored", "list.exported", "callback.resent", "address.erased", "member.invited",
    "member.joined", "member.link_created", "member.changed", "member.removed",
]
"""What was done. Further actions may be added."""

AuditActorKind = Literal["key", "session", "member", "operator", "service"]
"""key: an API key. session: a browser. member: a person of the account. operator: who runs the service.
service: the service itself."""

AuditSubjectKind = Literal["key", "webhook", "hook", "list", "erasure", "member"]
"""What kind of thing it was done to."""

StatusCode = Literal["database", "dns", "port_25", "source_blocked"]
"""port_25: mail servers cannot be reached. dns: the DNS servers do not answer or cannot be trusted.
database: it does not answer. source_blocked: a mail provider has blocked an IP address of this service."""

Status = Literal["processing", "checking", "done", "failed"]

ResultRowState = Literal["deliverable", "risky", "undeliverable", "unknown", "pending"]

BounceBasis = Literal["domain", "provider", "detail"]

EvidenceDialogueFrom = Literal["client", "server", "note"]

Access = Literal["full", "read", "verify"]

ErasureStatus = Literal["running", "done"]

SendingService = Literal["postmark", "sendgrid", "ses", "mailgun"]

WrongState = Literal["deliverable", "undeliverable"]

MailOutcome = Literal["bounced", "delivered", "complained"]

Checking = Literal["ok", "waiting"]

WebhookEventType = Literal["list.done", "list.failed", "list.paused", "credits.low"]

OffReason = Literal["gone", "failing"]

DeliveryEvent = Literal["list.done", "list.failed", "list.paused", "credits.low", "test"]

CallbackState = Literal["pending", "delivered", "failed"]

CatchAll = Literal["yes", "no", "unknown"]

Meaning = Literal[
    "accepted", "no_mailbox", "over_quota", "mailbox_busy", "greylisted", "temporary", "rate_limited",
    "too_many_recipients", "blocked", "sender_refused", "tls_required", "tenant_lapsed", "relay_denied",
    "content", "protocol", "unclear",
]

Clarity = Literal["plain", "meant", "vague"]

Why = Literal[
    "queued", "paused", "accepted", "role", "disposable", "catch_all", "catch_all_unknown",
    "decides_after_data", "tenant_accepts_all", "gateway_accepts_all", "mailbox_full", "no_such_mailbox",
    "mailbox_disabled", "mailbox_moved", "syntax", "no_such_domain", "no_mx", "null_mx", "private_address",
    "tenant_lapsed", "greylisted", "rate_limited", "blocked", "source_resting", "budget", "sender_refused",
    "temporary", "unclear", "timeout", "connection_refused", "connection_lost", "tls_failed",
    "proxy_refused", "proxy_no_route", "dns_failed", "dns_untrusted", "network_down", "never_asked",
    "list_ended",
]

Kind = Literal["grant", "charge", "refund"]

Role = Literal["viewer", "member", "owner"]

MemberStatus = Literal["invited", "joined"]

AccountInclude = Literal["retention", "settings"]

Include = Literal["detail", "suggestion", "provider", "checked_at"]

QueryInclude = Literal["group", "email", "retention", "paused", "file"]

Provider = Literal[
    "a1", "abv", "addy", "aliyun", "allinkl", "amazon", "amazonses", "apple", "appriver", "arsys", "aruba",
    "att", "barracuda", "beget", "bell", "biglobe", "bluehost", "bol", "bouygues", "broadcom", "bt",
    "centrum", "centurylink", "charter", "chinamobile", "cisco", "cleanmail", "cloudflare", "combell",
    "comcast", "coremail", "cox", "daum", "docomo", "domainfactory", "dreamhost", "duckduckgo", "earthlink",
    "fastmail", "fastweb", "forcepoint", "fortinet", "forwardemail", "free", "freemailhu", "freenet",
    "gandi", "globo", "gmx", "godaddy", "google", "hetzner", "hey", "homepl", "hornetsecurity", "hosteurope",
    "hostgator", "hostinger", "hostpoint", "hushmail", "iij", "improvmx", "infomaniak", "interia", "ionos",
    "kddi", "kinghost", "kpn", "laposte", "libero", "libraesva", "locaweb", "lolipop", "loopia",
    "mailboxorg", "mailfence", "mailgun", "mailinblack", "mailjet", "mailroute", "mailru", "mandrill",
    "microsoft", "migadu", "mimecast", "mxguarddog", "mxroute", "namecheap", "naver", "nazwa", "netcup",
    "netease", "netvigator", "networksolutions", "nicru", "nifty", "nospamproxy", "o2pl", "ocn", "onecom",
    "onet", "optus", "orange", "otenet", "other", "outlook", "ovh", "perceptionpoint", "plala", "posteo",
    "postmark", "proofpoint", "proton", "proximus", "purelymail", "qq", "rackspace", "rambler", "rediff",
    "register", "regru", "retarus", "runbox", "sakura", "sapo", "scaleway", "sendgrid", "seppmail", "seznam",
    "sfr", "shaw", "simplelogin", "simply", "sina", "siteground", "smx", "softbank", "sohu", "sonet",
    "sophos", "spamexperts", "sparkpost", "startmail", "strato", "swisscom", "talktalk", "telekom",
    "telenet", "telenor", "telia", "telstra", "telus", "terra", "tim", "timeweb", "tiscali", "titan",
    "titanhq", "tpg", "transip", "trellix", "trendmicro", "tuta", "ukrnet", "uniteddomains", "uol", "vade",
    "videotron", "vodafone", "walla", "webde", "wp", "xserver", "xtra", "yahoo", "yahoojapan", "yandex",
    "ziggo", "zoho",
]

Flag = Literal["role", "free", "disposable", "accept_all"]

ResultInclude = Literal["detail", "suggestion", "provider", "checked_at", "estimate", "suppressed"]


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """The body of every response with status 400 or above."""

    error: str
    """What went wrong, for people. Programs match on `MXProof-Error`."""


@dataclass(frozen=True, slots=True)
class ListFile:
    """The file a list was made of."""

    name: str
    """Its name."""
    rows: int
    """Rows with something in them, without the header."""
    addresses: int
    """Addresses found in them."""
    invalid: int
    """Texts that are no e-mail addresses, and were left out."""
    duplicates: int
    """Addresses that were there before."""
    corrected: int
    """Misspelt addresses that were corrected before they were sent."""


@dataclass(frozen=True, slots=True)
class ListSummaryCounts:
    deliverable: int
    """Can receive mail."""
    risky: int
    """Catch-all domain, role address, disposable domain or full mailbox."""
    undeliverable: int
    """Cannot receive mail."""
    unknown: int
    """No answer; refunded when the list finishes."""


@dataclass(frozen=True, slots=True)
class ListSummary:
    """A list and its progress."""

    id: int
    """List identifier."""
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
    group: str | None = None
    """Only with `include=group`: the group it was submitted with, or null."""
    email: str | None = None
    """Only with `include=email`: the address of a single check, or null for other lists."""
    results_expire_at: int | None = None
    """Only with `include=retention`: when addresses and results are deleted, in Unix seconds. Null: the
    list is unfinished, they are kept, or they are gone."""
    results_expired_at: int | None = None
    """Only with `include=retention`: when addresses and results were deleted, in Unix seconds. Null: they
    are there."""
    paused_at: int | None = None
    """Only with `include=paused`: since when the list is paused, in Unix seconds. Null: it is not."""
    file: ListFile | None = None
    """Only with `include=file`: what was said of its file at submission, or null."""


@dataclass(frozen=True, slots=True)
class CheckedAddress:
    """The result of a single check."""

    email: str
    """The address, trimmed and lower-cased."""
    state: State
    reason: Reason
    score: int
    """Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100."""
    accept_all: bool
    """The domain accepts every address. False if not known."""
    role: bool
    """A role address, such as info@."""
    free: bool
    """The domain is a free mailbox provider."""
    disposable: bool
    """The domain provides disposable mailboxes."""
    mx: str | None
    """The MX host that answered, otherwise the most preferred one; null if there is none."""
    provider: str | None = None
    """With `include=provider`: who runs the MX host, such as `google`; `other` if not known; empty if
    there is none."""
    detail: Detail | None = None
    """With `include=detail`. Null while pending and in results from before 0.2."""
    suggestion: str | None = None
    """With `include=suggestion`: a likelier spelling of the domain. Null while pending."""
    checked_at: int | None = None
    """With `include=checked_at`: when the result was stored, in Unix seconds. Null while pending and in
    results from before 0.2."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One address of a list."""

    email: str
    """The address, trimmed and lower-cased."""
    state: ResultRowState
    """pending: not yet checked."""
    reason: Reason | Literal[""]
    """Why the state was given; empty while pending."""
    score: int
    """Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100."""
    accept_all: bool
    """The domain accepts every address. False if not known."""
    role: bool
    """A role address, such as info@."""
    free: bool
    """The domain is a free mailbox provider."""
    disposable: bool
    """The domain provides disposable mailboxes."""
    mx: str | None
    """The MX host that answered, otherwise the most preferred one; null if there is none."""
    provider: str
    """Who runs the MX host, such as `google`; `other` if not known; empty if there is none."""
    position: int | None = None
    """Place in the whole list, from 0. Only in filtered pages."""
    detail: Detail | None = None
    """With `include=detail`. Null while pending and in results from before 0.2."""
    suggestion: str | None = None
    """With `include=suggestion`: a likelier spelling of the domain. Null while pending."""
    checked_at: int | None = None
    """With `include=checked_at`: when the result was stored, in Unix seconds. Null while pending and in
    results from before 0.2."""
    bounce_probability: float | None = None
    """With `include=estimate`: how likely mail to the address bounces. Null: nothing is known."""
    bounce_low: float | None = None
    """With `include=estimate`: where the probability is at least, with 95 %."""
    bounce_high: float | None = None
    """With `include=estimate`: where it is at most."""
    bounce_n: int | None = None
    """With `include=estimate`: to how many addresses mail was sent of which that is known."""
    bounce_basis: BounceBasis | None = None
    """With `include=estimate`: whose mail that was: to the same domain, the same provider, or all with
    the same detail."""
    suppressed: bool | None = None
    """With `include=suppressed`: whether it is on the account’s suppression list."""


@dataclass(frozen=True, slots=True)
class ResultPage:
    """Rows in the order the unique addresses were added."""

    results: list[ResultRow]


@dataclass(frozen=True, slots=True)
class BreakdownFlags:
    role: int
    """Role addresses."""
    free: int
    """Addresses at free mailbox providers."""
    disposable: int
    """Addresses at disposable domains."""
    accept_all: int
    """Addresses at domains that accept every address."""


@dataclass(frozen=True, slots=True)
class BreakdownDomain:
    domain: str
    """What follows the last `@`, as submitted."""
    total: int
    """Addresses, pending ones included."""
    deliverable: int
    """Checked so far."""
    risky: int
    """Checked so far."""
    undeliverable: int
    """Checked so far."""
    unknown: int
    """Checked so far."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What a list consists of; fills in as results arrive."""

    reasons: dict[str, int]
    """Rows by reason. Pending rows have none."""
    details: dict[str, int]
    """Rows by detail, the most frequent first. Rows from before 0.2 have none."""
    providers: dict[str, int]
    """Rows by provider, the most frequent first. Rows without a MX host have none."""
    flags: BreakdownFlags
    domains: list[BreakdownDomain]
    """The largest domains, by `total`, then by name."""


@dataclass(frozen=True, slots=True)
class EvidenceDns:
    """Null if nothing was looked up."""

    domain: str
    """What was looked up, in its ASCII form."""
    found: str
    """What was found, such as `mx 10 mx.example.com`."""


@dataclass(frozen=True, slots=True)
class EvidenceHost:
    """Null if the domain has no MX host."""

    name: str
    """The MX host."""
    address: str | None
    """Its IP address; null if it was not asked."""
    tls: bool
    """The dialogue was encrypted."""
    source: str | None
    """The address it was asked from, or host and port of the proxy; null if the operating system chose
    it."""


@dataclass(frozen=True, slots=True)
class EvidenceDialogue:
    at_ms: int
    """Since the connection began; of a note, how old it was."""
    from_: EvidenceDialogueFrom
    """client: this service. note: what it knew before."""
    text: str
    """Shortened if long; other people’s addresses are left out."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why an address got its result."""

    position: int
    """Place in the list."""
    email: str
    """The address, trimmed and lower-cased."""
    state: State
    """As in the result."""
    reason: Reason
    """As in the result."""
    detail: Detail | None
    """Null in results from before 0.2."""
    score: int
    """Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100."""
    checked_at: int
    """When the result was stored, in Unix seconds."""
    attempts: int
    """How often the mail server was asked; 0 if it need not be."""
    explanation: str
    """Why the state was given, in one sentence."""
    rule: str
    """The rule that decided, for people. Its wording may change."""
    suggestion: str | None
    """A likelier spelling of the domain."""
    dns: EvidenceDns | None
    """Null if nothing was looked up."""
    host: EvidenceHost | None
    """Null if the domain has no MX host."""
    dialogue: list[EvidenceDialogue]
    """The SMTP dialogue as far as it concerns this address."""


@dataclass(frozen=True, slots=True)
class Pending:
    """The check continues and is charged: read its result, do not post it again."""

    state: Literal["pending"]
    list_id: int
    """List identifier."""


@dataclass(frozen=True, slots=True)
class AccountRetention:
    """Only with `include=retention`: how many days after the end of a list something is kept, rounded up;
    null: for ever."""

    results: int | None
    """Addresses and results of lists."""
    evidence: int | None
    """Why each result is what it is; 0: not collected."""
    callbacks: int | None
    """Callbacks and their attempts."""
    single_checks: int | None
    """Addresses and results of single checks."""


@dataclass(frozen=True, slots=True)
class AccountSettings:
    """Only with `include=settings`: what the account has set, each mode its own."""

    low_credits: int | None
    """Credits are low below it; null: never."""
    outcomes: bool
    """Whether what became of its mail is taken."""


@dataclass(frozen=True, slots=True)
class Account:
    """The account of the key."""

    name: str
    credits: int
    """Balance."""
    credits_used: int
    """Charges minus refunds."""
    lists: int
    """Number of existing lists, including single checks."""
    retention: AccountRetention | None = None
    """Only with `include=retention`: how many days after the end of a list something is kept, rounded up;
    null: for ever."""
    settings: AccountSettings | None = None
    """Only with `include=settings`: what the account has set, each mode its own."""


@dataclass(frozen=True, slots=True)
class Key:
    """An API key, without the key itself."""

    id: int
    """Key identifier."""
    label: str
    """Where the key is used."""
    prefix: str
    """How the key begins."""
    test: bool
    """A test key: no network, no credits."""
    manage: bool
    """The key may manage keys and the webhook secret."""
    access: Access
    """What the key may do."""
    created_at: int
    """Unix seconds."""
    last_used_at: int | None
    """Unix seconds, at most a minute behind; null if never used."""
    expires_at: int | None
    """Unix seconds; null if the key does not expire."""
    allowed_ips: list[str] | None
    """Addresses and CIDR ranges the key may be used from; null if from anywhere."""


@dataclass(frozen=True, slots=True)
class KeyPage:
    """The keys of the account, oldest first."""

    keys: list[Key]


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made."""

    id: int
    """Key identifier."""
    label: str
    """Where the key is used."""
    prefix: str
    """How the key begins."""
    test: bool
    """A test key: no network, no credits."""
    manage: bool
    """The key may manage keys and the webhook secret."""
    access: Access
    """What the key may do."""
    created_at: int
    """Unix seconds."""
    last_used_at: int | None
    """Unix seconds, at most a minute behind; null if never used."""
    expires_at: int | None
    """Unix seconds; null if the key does not expire."""
    allowed_ips: list[str] | None
    """Addresses and CIDR ranges the key may be used from; null if from anywhere."""
    api_key: str = field(repr=False)
    """The key itself. It is shown only here: store it now."""


@dataclass(frozen=True, slots=True)
class WebhookSecret:
    """A new webhook secret."""

    webhook_secret: str = field(repr=False)
    """The secret itself. It is shown only here: store it now."""


@dataclass(frozen=True, slots=True)
class Deleted:
    deleted: Literal[True]


@dataclass(frozen=True, slots=True)
class ListPage:
    """Lists, newest first."""

    lists: list[ListSummary]


@dataclass(frozen=True, slots=True)
class AuditChange:
    """A number or a closed word, before and after."""

    before: int | float | bool | str | None
    """What it was; null: nothing."""
    after: int | float | bool | str | None
    """What it is; null: nothing."""


@dataclass(frozen=True, slots=True)
class AuditEntryActor:
    """Who did it."""

    kind: AuditActorKind
    id: int | None
    """Of the key, of the key that the browser was signed in with, or of the member; null where there is
    none."""
    name: str | None
    """Always null: who works for the operator is not shown."""


@dataclass(frozen=True, slots=True)
class AuditEntrySubject:
    kind: AuditSubjectKind
    id: int
    """Its identifier, also once it is gone."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A change or an export."""

    id: int
    """Entry identifier; later entries have larger ones."""
    at: int
    """Unix seconds."""
    action: AuditAction
    actor: AuditEntryActor
    """Who did it."""
    client: str | None
    """Where it came from: an IP address; null where it is not known or not shown."""
    request_id: str | None
    """`X-Request-Id` of its answer; null if it was no request."""
    account_id: int | None
    """The account."""
    subject: AuditEntrySubject | None
    """What it was done to; null: to the account itself."""
    changes: dict[str, AuditChange]
    """Numbers and closed words that changed, by field."""
    changed: list[str]
    """Fields whose text changed, such as a name or a URL: the texts themselves are not kept."""


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Entries of the audit trail, newest first."""

    entries: list[AuditEntry]


@dataclass(frozen=True, slots=True)
class BegunErasure:
    """An erasure that goes on."""

    id: int
    """Where to ask how far it is: `GET /v1/erase/{id}`."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """How far an erasure is."""

    status: ErasureStatus
    """done: the address is in no list, evidence, callback or remembered answer of the account that was
    stored when the erasure was asked for."""
    lists: int
    """Lists, single checks included, that had it so far."""
    rows: int
    """Rows whose `email` is now empty."""


@dataclass(frozen=True, slots=True)
class OwnMember:
    """What a signed-in member is mailed."""

    list_mail: bool
    """You are mailed when a list that you start is done, unless its `mail_when_done` is false."""
    sends_mail: bool
    """The service sends mail."""
    mail_to: str | None
    """Your mailbox; null: none is proved to be yours, or the service sends no mail."""
    mail_stopped: bool
    """Mail to it was stopped from one of the mails, until you choose some again."""
    mail_error: str | None
    """What went wrong with the last mail to it; null: nothing."""


@dataclass(frozen=True, slots=True)
class Hook:
    """Where a sending service sends its events, without its URL."""

    id: int
    """Hook identifier."""
    service: SendingService
    """Whose events it takes."""
    topic: str | None
    """Of Amazon SES: the ARN of the only topic that may send to it. Null for the others."""
    created_at: int
    """Unix seconds."""
    last_event_at: int | None
    """When the last request came that was proven to be the service’s, to the minute, in Unix seconds.
    Null: none yet."""


@dataclass(frozen=True, slots=True)
class HookPage:
    """The hooks of the account, oldest first."""

    hooks: list[Hook]


@dataclass(frozen=True, slots=True)
class NewHook:
    """A hook that was just made."""

    id: int
    """Hook identifier."""
    service: SendingService
    """Whose events it takes."""
    topic: str | None
    """Of Amazon SES: the ARN of the only topic that may send to it. Null for the others."""
    created_at: int
    """Unix seconds."""
    last_event_at: int | None
    """When the last request came that was proven to be the service’s, to the minute, in Unix seconds.
    Null: none yet."""
    url: str = field(repr=False)
    """What to give to the sending service. It is a secret, and shown only here: who knows it may be
    believed."""


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What became of the events of a sending service."""

    accepted: int
    """Outcomes that were taken."""
    ignored: int
    """Events that tell nothing of a delivery, echoes of a suppression list, addresses that are none; all
    of them where outcomes are off."""
    duplicates: int
    """Outcomes that were known before."""


@dataclass(frozen=True, slots=True)
class TakenOutcomesError:
    index: int
    """Its place in the request, from 0."""
    error: str
    """What is wrong with it, for people."""


@dataclass(frozen=True, slots=True)
class TakenOutcomes:
    """What was taken of a request."""

    accepted: int
    """Outcomes that were not known."""
    ignored: int
    """Outcomes that say nothing new: echoes of a sending service’s suppression list, and what is more
    than a year old."""
    duplicates: int
    """Repeats, of what was sent before or in the same request."""
    errors: list[TakenOutcomesError]
    """Outcomes that cannot be read; the others are taken."""


@dataclass(frozen=True, slots=True)
class StateOutcomes:
    """Addresses with one verdict, by what became of mail to them."""

    delivered: int
    """Mail was delivered."""
    bounced: int
    """The mail server said that there is no such mailbox."""
    full: int
    """The mailbox was full."""
    blocked: int
    """The sender or the message was refused, which says nothing of the address."""
    complained: int
    """Mail was delivered, and the recipient called it spam."""
    unclear: int
    """Mail bounced, and its reply does not say why."""


@dataclass(frozen=True, slots=True)
class AccuracyStates:
    deliverable: StateOutcomes
    risky: StateOutcomes
    undeliverable: StateOutcomes
    unknown: StateOutcomes


@dataclass(frozen=True, slots=True)
class AccuracyProvider:
    provider: str
    """Who runs the MX host."""
    state: State
    """What was said of the addresses."""
    n: int
    """Addresses whose mailbox took the mail, or was said not to exist."""
    bounced: int
    """Addresses of which the mail server said that there is no such mailbox."""
    rate: float | None
    """`bounced` of `n`. Null below 30."""
    low: float | None
    """Where the rate is at least, with 95 % (Wilson). Null below 30."""
    high: float | None
    """Where it is at most. Null below 30."""


@dataclass(frozen=True, slots=True)
class AccuracyDetail:
    detail: Detail
    """Why that was said of the addresses."""
    n: int
    """Addresses whose mailbox took the mail, or was said not to exist."""
    bounced: int
    """Addresses of which the mail server said that there is no such mailbox."""
    rate: float | None
    """`bounced` of `n`. Null below 30."""
    low: float | None
    """Where the rate is at least, with 95 % (Wilson). Null below 30."""
    high: float | None
    """Where it is at most. Null below 30."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often verdicts were right, by what became of the account’s own mail."""

    matched: int
    """Addresses with outcomes and a verdict before them; one with two verdicts counts twice."""
    unmatched: int
    """Addresses with outcomes of which no verdict was found."""
    states: AccuracyStates
    providers: list[AccuracyProvider]
    """The largest first."""
    details: list[AccuracyDetail]
    """The largest first."""


@dataclass(frozen=True, slots=True)
class WrongVerdictsWrong:
    email: str
    """As it was checked."""
    list_id: int
    """Where its result is."""
    position: int
    """Its row in the list, from 0: for its evidence."""
    state: WrongState
    """What was said of it."""
    detail: Detail
    """Why."""
    provider: str
    """Who runs the MX host."""
    outcome: MailOutcome
    """What became of mail to it."""
    day: str
    """On which day, in UTC."""


@dataclass(frozen=True, slots=True)
class WrongVerdicts:
    """A page of the verdicts that were wrong."""

    total: int
    """Wrong verdicts whose list and results are there."""
    gone: int
    """Those of which only the verdict is left, and not the address."""
    wrong: list[WrongVerdictsWrong]
    """The latest first."""


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The suppression list, counted: addresses are not given back."""

    total: int
    """Addresses on the list. One may be there for more than one reason."""
    bounced: int
    """Of which a mail server said that there is no such mailbox."""
    complained: int
    """That called mail of the account spam."""
    uploaded: int
    """That were added, such as unsubscribes."""


@dataclass(frozen=True, slots=True)
class AddedSuppressions:
    added: int
    """Addresses that were not on the list."""


@dataclass(frozen=True, slots=True)
class RemovedSuppressions:
    removed: int
    """Addresses that were on the list."""


@dataclass(frozen=True, slots=True)
class CheckedSuppressions:
    suppressed: list[int]
    """Places in `emails`, from 0, of those that are on the list."""


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request that changed something or was refused."""

    id: str
    """`X-Request-Id` of the answer."""
    at: int
    """When the request came, in Unix seconds."""
    method: str
    route: str | None
    """As in this document, never the path itself; null: there is no such path."""
    status: int
    """Of the answer."""
    error: ErrorCode | None
    """`MXProof-Error` of the answer; null if it was no refusal."""
    duration_ms: int
    """Until the answer was sent."""
    key_id: int | None
    """The key, or the one the browser was signed in with; null if it was signed in with a link."""
    client: str
    """The `User-Agent`, cut off, in printable ASCII and without e-mail addresses; empty if none was sent."""


@dataclass(frozen=True, slots=True)
class RequestPage:
    """Requests, newest first."""

    requests: list[LoggedRequest]


@dataclass(frozen=True, slots=True)
class SignInWaysOpenid:
    """With an OpenID provider, from `/sign-in/openid`; null: none is set up."""

    name: str
    """What people call the provider."""


@dataclass(frozen=True, slots=True)
class SignInWays:
    """How browsers can be signed in here."""

    key: bool
    """With an API key."""
    mail: bool
    """With a link by mail."""
    openid: SignInWaysOpenid | None
    """With an OpenID provider, from `/sign-in/openid`; null: none is set up."""


@dataclass(frozen=True, slots=True)
class LinkAsked:
    """The link was asked for; whether one is sent is not said."""




@dataclass(frozen=True, slots=True)
class StatusReason:
    """Something that keeps the deployment from checking."""

    code: StatusCode
    since: int
    """Unix seconds."""
    advice: str
    """One sentence for the operator: what is wrong, and what to do."""


@dataclass(frozen=True, slots=True)
class WarmUpLeft:
    """What is left of the day at one provider."""

    provider: str
    """As in results; other: all mail hosts of no known provider together."""
    left: int
    """Recipients that may still be asked about there today."""


@dataclass(frozen=True, slots=True)
class WarmUpStatus:
    """Source addresses that are being warmed up ask about a limited number of recipients a day at each
    provider. What does not fit waits, and ends unknown and is refunded if its list ends first. A domain
    is asked from one source: those of other sources have no such limit."""

    day_ends_at: int
    """When the day ends, in UTC; Unix seconds. The next one may allow more."""
    providers: list[WarmUpLeft]
    """Each at most once."""
    elsewhere: int
    """The same at each provider that is not named."""


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """Whether the deployment checks addresses, a few seconds old at most."""

    checking: Checking
    """waiting: no address can be checked for now. Lists keep their place and continue by themselves; with
    DNS servers that answer wrongly, addresses end unknown and are refunded. ok: addresses are checked,
    perhaps except for those that a reason concerns."""
    reasons: list[StatusReason]
    """Each code at most once. Empty with `waiting`: no node of the deployment checks."""
    warm_up: WarmUpStatus | None = None


@dataclass(frozen=True, slots=True)
class Webhook:
    """An endpoint of the account, without its secret."""

    id: int
    """Endpoint identifier."""
    url: str
    """Where events are sent."""
    events: list[WebhookEventType]
    """What the endpoint is told of."""
    description: str
    """What it is for; empty if nothing was given."""
    created_at: int
    """Unix seconds."""
    paused_at: int | None
    """Since when it is paused, in Unix seconds. Its events are kept for three days. Null: it is not."""
    off_at: int | None
    """When the service switched it off, in Unix seconds. Its events are dropped until `paused: false`
    switches it on again. Null: it is on."""
    off_reason: OffReason | None
    """gone: it answered 410. failing: for five days no attempt succeeded. Null: it is on."""


@dataclass(frozen=True, slots=True)
class WebhookPage:
    """The endpoints of the account, oldest first."""

    webhooks: list[Webhook]


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """An endpoint that was just made."""

    id: int
    """Endpoint identifier."""
    url: str
    """Where events are sent."""
    events: list[WebhookEventType]
    """What the endpoint is told of."""
    description: str
    """What it is for; empty if nothing was given."""
    created_at: int
    """Unix seconds."""
    paused_at: int | None
    """Since when it is paused, in Unix seconds. Its events are kept for three days. Null: it is not."""
    off_at: int | None
    """When the service switched it off, in Unix seconds. Its events are dropped until `paused: false`
    switches it on again. Null: it is on."""
    off_reason: OffReason | None
    """gone: it answered 410. failing: for five days no attempt succeeded. Null: it is on."""
    webhook_secret: str = field(repr=False)
    """What its events are signed with. It is shown only here: store it now."""


@dataclass(frozen=True, slots=True)
class WebhookDeliveryAttempt:
    at: int
    """Unix seconds."""
    status: int | None
    """The status that the endpoint answered; null if it gave none."""
    error: str | None
    """Why there was no status, in a few words or as an error code such as `ECONNREFUSED`."""
    duration_ms: int
    """How long the attempt took."""
    answer: str | None
    """The first 500 bytes of the answer’s body, as text without control characters; null if there was no
    answer."""


@dataclass(frozen=True, slots=True)
class WebhookDelivery:
    """An event on its way to an endpoint."""

    id: str
    """The `webhook-id` of every attempt; of the test side it begins with `test_`."""
    event: DeliveryEvent
    """What is told."""
    list_id: int | None
    """The list that it is about; null if it is about none."""
    state: CallbackState
    """pending: an attempt is due, or the endpoint is paused. failed: no more attempts are made."""
    created_at: int
    """When it happened, in Unix seconds."""
    next_attempt_at: int | None
    """Unix seconds; null if no attempt is due."""
    attempts: list[WebhookDeliveryAttempt]
    """Oldest first; of many, the last 30."""


@dataclass(frozen=True, slots=True)
class WebhookDeliveryPage:
    """Deliveries, newest first."""

    deliveries: list[WebhookDelivery]


@dataclass(frozen=True, slots=True)
class WebhookEventData:
    credits: int
    """The balance."""
    low_credits: int
    """What it fell below."""


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """What is sent to an endpoint."""

    type: DeliveryEvent
    """What happened."""
    timestamp: str
    """When, in UTC."""
    data: ListSummary | WebhookEventData | dict[str, int]
    """Of `list.done`, `list.failed` and `list.paused` the list as it was then, of `credits.low` the
    balance, of `test` nothing."""


@dataclass(frozen=True, slots=True)
class ListDone:
    """Sent to `callback_url` when the list is done."""

    event: Literal["list.done"]
    list: ListSummary


@dataclass(frozen=True, slots=True)
class CallbackAttempt:
    at: int
    """Unix seconds."""
    status: int | None
    """The receiver’s status; null if it gave none."""
    error: str | None
    """Why there was no status, in a few words or as an error code such as `ECONNREFUSED`."""
    duration_ms: int
    """How long the attempt took."""


@dataclass(frozen=True, slots=True)
class Callback:
    """The callback of a list."""

    url: str
    """Where it is sent."""
    state: CallbackState
    """pending: the list is not done, or an attempt is due."""
    attempts: list[CallbackAttempt]
    """Oldest first; of many, the last 30."""
    next_attempt_at: int | None
    """Unix seconds; null if no attempt is due."""


@dataclass(frozen=True, slots=True)
class CallbackEntry:
    """The callback of a list, without the attempts before the last."""

    list_id: int
    """List identifier."""
    list_name: str
    """Its name, empty if it has none."""
    url: str
    """Where it is sent."""
    state: CallbackState
    """pending: the list is not done, or an attempt is due."""
    attempt_count: int
    """How many attempts the callback shows."""
    last_attempt: CallbackAttempt | None
    """Null if none was made."""
    next_attempt_at: int | None
    """Unix seconds; null if no attempt is due. A pending callback without one waits for its list to be
    done."""


@dataclass(frozen=True, slots=True)
class CallbackPage:
    """Callbacks, those of the newest lists first."""

    callbacks: list[CallbackEntry]


@dataclass(frozen=True, slots=True)
class SentCallback:
    """One attempt at the callback of a test list."""

    list_id: int
    """List identifier."""
    url: str
    """Where it is sent."""
    headers: dict[str, str]
    """What is sent with it, the signatures included."""
    body: str
    """The exact bytes, as text: what the signatures are made of."""


@dataclass(frozen=True, slots=True)
class MailHost:
    """A mail host of a domain."""

    host: str
    """Its name."""
    preference: int
    """The lowest is tried first."""


@dataclass(frozen=True, slots=True)
class Domain:
    """What can be said about a domain without asking a mail server."""

    domain: str
    """The domain in ASCII, lower case."""
    accepts_mail: bool | None
    """Whether it can receive mail: by DNS alone. Null, as all that comes from DNS, if DNS does not tell
    or cannot be trusted."""
    mx: list[MailHost] | None
    """Its mail hosts, the most preferred first; the domain itself if it has an address and no MX record;
    empty if it accepts no mail."""
    provider: str | None
    """Who runs the most preferred one, such as `google`; `other` if not known; empty without a mail host."""
    free: bool
    """The domain is a free mailbox provider."""
    disposable: bool
    """The domain provides disposable mailboxes."""
    suggestion: str | None
    """A likelier spelling of the domain, or null."""
    catch_all: CatchAll
    """Whether it accepts every address, as checks of this account have found within 30 days."""
    catch_all_at: int | None
    """When they found it; null with `unknown`."""
    spf: str | None
    """Its SPF record; empty without one that receivers use, as where there are several."""
    dmarc: str | None
    """Its DMARC record, or that of the registered domain that it belongs to; empty without one that
    receivers use."""
    checked_at: int
    """When this was put together, in Unix seconds."""


@dataclass(frozen=True, slots=True)
class Group:
    """Lists of one group, as one. Deleted lists are not part of it."""

    group: str
    """As given at submission."""
    name: str
    """The name of its oldest list, without ` (1 of 3)` at the end."""
    lists: list[int]
    """Its lists, oldest first."""
    status: Status
    """done when all are; failed when one is and the others have ended; processing while all are;
    otherwise checking."""
    total: int
    """Number of addresses, unique within each list."""
    duplicates_removed: int
    """Duplicate addresses dropped at submission; not charged."""
    checked: int
    """Addresses checked so far."""
    counts: ListSummaryCounts
    created_at: int
    """When the first was created, in Unix seconds."""
    finished_at: int | None
    """When the last ended, in Unix seconds; null while one is unfinished."""


@dataclass(frozen=True, slots=True)
class Retries:
    """Lists made of a list by retrying it."""

    lists: list[int]
    """Oldest first; of more than 1000, the newest."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """Lists made of the misspelt addresses of a list."""

    lists: list[int]
    """Oldest first; of more than 1000, the newest."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a mail server’s reply means."""

    meaning: Meaning
    """What the reply means, whatever the stage. Further words may be added."""
    clarity: Clarity
    """vague: the words would fit a missing mailbox and something else as well. meant: vague, but the
    provider is known to mean it."""
    rule: str
    """What decided, for people."""
    state: State
    """What a check would say of an address answered so."""
    reason: Reason
    """Likewise."""
    detail: Detail
    explanation: str
    """What the reply says, as one sentence for people."""
    advice: str
    """What to do about it, for people."""


@dataclass(frozen=True, slots=True)
class RecipientReply:
    """What one recipient of a log or bounce was answered."""

    position: int
    """Which recipient of the text, from 0. Its address is never told."""
    meaning: Meaning
    """What the reply means, whatever the stage. Further words may be added."""
    clarity: Clarity
    """vague: the words would fit a missing mailbox and something else as well. meant: vague, but the
    provider is known to mean it."""
    rule: str
    """What decided, for people."""
    state: State
    """What a check would say of an address answered so."""
    reason: Reason
    """Likewise."""
    detail: Detail
    explanation: str
    """What the reply says, as one sentence for people."""
    advice: str
    """What to do about it, for people."""


@dataclass(frozen=True, slots=True)
class Replies:
    """In the order in which the recipients first appear."""

    replies: list[RecipientReply]


@dataclass(frozen=True, slots=True)
class WaitingGroup:
    """Addresses that wait for the same thing at the same host."""

    why: Why
    """queued: their turn has not come. paused: the list is. Otherwise what holds them up, in the words of
    `detail`."""
    host: str | None
    """The mail host they wait for; null if there is none, or none is known yet."""
    provider: str | None
    """Who runs it, as in results; null if not known."""
    addresses: int
    """How many wait."""
    attempt: int
    """The number of the next attempt; the lowest of the group."""
    next_attempt_at: int | None
    """The earliest, in Unix seconds; null if not known."""


@dataclass(frozen=True, slots=True)
class ListWaiting:
    """What an unfinished list waits for, at most two seconds old. `checking` and all groups add up to
    `pending`."""

    pending: int
    """Addresses without a result."""
    checking: int
    """Of these, being asked about at this moment."""
    done_by: int | None
    """The latest time at which the list ends, in Unix seconds; null once it has ended, and while it is
    paused."""
    waiting: list[WaitingGroup]
    """The 50 largest groups, by `why` and `host`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One change of the balance."""

    id: int
    """Entry identifier; later entries have larger ones."""
    at: int
    """Unix seconds."""
    kind: Kind
    """grant: credits were added, or taken back by the operator. charge, refund: by a list."""
    credits: int
    """The change; a charge is negative, and so is a grant that was taken back."""
    balance: int
    """After the change."""
    list_id: int | None
    """The list that was charged or refunded; null for a grant."""
    list_name: str | None
    """Its name, empty if it has none; null for a grant and once the list is deleted."""
    single: bool | None
    """Whether it was a single check, whose list has no name; null for a grant and once the list is
    deleted."""
    note: str
    """What happened, for people."""


@dataclass(frozen=True, slots=True)
class History:
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class UsageDay:
    """What an account used on one day."""

    date: str
    """The day in UTC."""
    charged: int
    """Credits charged on this day."""
    refunded: int
    """Credits refunded on this day."""
    deliverable: int
    """Results of lists that finished on this day."""
    risky: int
    """Likewise."""
    undeliverable: int
    """Likewise."""
    unknown: int
    """Likewise; refunded."""


@dataclass(frozen=True, slots=True)
class Usage:
    days: list[UsageDay]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What can be said about an address without asking a mail server."""

    email: str
    """The address, trimmed and lower-cased."""
    valid: bool
    """Whether it is well-formed. It may not exist all the same."""
    suggestion: str | None
    """A likelier spelling of the domain; null if there is none."""
    role: bool
    """A role address, such as info@."""
    free: bool
    """The domain is a free mailbox provider."""
    disposable: bool
    """The domain provides disposable mailboxes."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that is signed in."""

    name: str
    """Name of the account."""
    test: bool
    """Signed in with a test key."""
    expires_at: int
    """Unix seconds; 12 hours without a request end the session sooner."""
    proof: str = field(repr=False)
    """For the page’s storage, and for `MXProof-Session-Proof` in each of its requests."""


@dataclass(frozen=True, slots=True)
class Member:
    """A person who may use the account in a browser."""

    id: int
    """Member identifier."""
    email: str | None
    """The mailbox that was invited, in lower case; null where a sign-in provider named none."""
    role: Role
    """viewer: reads lists and results. member: checks addresses, too. owner: manages keys, webhooks and
    members, too."""
    status: MemberStatus
    """invited: the invitation has not been used yet."""
    created_at: int
    """Unix seconds."""
    joined_at: int | None
    """Unix seconds; null: invited."""
    last_seen_at: int | None
    """Unix seconds, at most a minute behind; null: never."""
    mail_error: str | None
    """What went wrong with the last mail to them, such as the invitation; null: nothing."""


@dataclass(frozen=True, slots=True)
class MemberPage:
    """The members of the account, oldest first."""

    members: list[Member]


@dataclass(frozen=True, slots=True)
class InvitedMember:
    """A member, and the link to join with."""

    id: int
    """Member identifier."""
    email: str | None
    """The mailbox that was invited, in lower case; null where a sign-in provider named none."""
    role: Role
    """viewer: reads lists and results. member: checks addresses, too. owner: manages keys, webhooks and
    members, too."""
    status: MemberStatus
    """invited: the invitation has not been used yet."""
    created_at: int
    """Unix seconds."""
    joined_at: int | None
    """Unix seconds; null: invited."""
    last_seen_at: int | None
    """Unix seconds, at most a minute behind; null: never."""
    mail_error: str | None
    """What went wrong with the last mail to them, such as the invitation; null: nothing."""
    link: str = field(repr=False)
    """For this member: it works once, within 7 days, for anyone who has it, and is shown only here."""
    mailed: bool
    """Another link is mailed to the member."""


@dataclass(frozen=True, slots=True)
class OwnSessionAccount:
    account_id: int
    """For `POST /session/switch`."""
    name: str
    """Name of the account."""
    role: Role
    """viewer: reads lists and results. member: checks addresses, too. owner: manages keys, webhooks and
    members, too."""


@dataclass(frozen=True, slots=True)
class OwnSession:
    """The session of a browser."""

    name: str
    """Name of the account."""
    account_id: int
    """The account; its test side has the same number."""
    test: bool
    """On the test side of the account."""
    role: Role | None
    """The role of the member; null: signed in with a key, or with a link of the operator."""
    manage: bool
    """The session may manage keys, webhooks and members."""
    email: str | None
    """The mailbox of the member; null: no member, or none is known."""
    signed_in_as: str | None
    """What was proved: a mailbox, or the name of the sign-in provider’s host; null: nothing, and
    `accounts` has at most this one."""
    can_switch_side: bool
    """It may go to the test side of its account, and back."""
    accounts: list[OwnSessionAccount]
    """Those that it may switch to, this one included; empty: it is no member’s."""
