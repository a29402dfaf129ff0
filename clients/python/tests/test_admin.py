"""What the operator's client promises, kept by the real service, and what it makes of one that fails or lies: each test for the
blocking client and for the awaiting one."""

from __future__ import annotations

import contextlib
import json
import logging
import pickle
import secrets
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import RunningService
from hostile_server import HostileServer, answer, hang_up, refusal

import mxproof
from mxproof import MXProof, _lines, _lists
from mxproof.admin import AdminAuditAction, AdminClient

Operate = Callable[..., AdminClient]

KEY = "mx_admin_0123456789"
ACCOUNT: dict[str, Any] = {
    "id": 7,
    "name": "a",
    "external_id": None,
    "status": "active",
    "credits": 1,
    "credits_used": 0,
    "lists": 0,
    "created_at": 1,
    "last_active_at": None,
    "rate_requests": None,
    "rate_addresses": None,
    "retention": {"results": None, "evidence": None, "callbacks": None, "single_checks": None},
    "monthly_credits": None,
    "monthly_from": None,
    "mail": None,
    "low_credits": None,
    "outcomes": False,
}
ENTRY: dict[str, Any] = {
    "id": 9,
    "at": 1,
    "action": "credits.changed",
    "actor": {"kind": "admin_key", "id": 1, "name": None},
    "client": "192.0.2.1",
    "request_id": "r",
    "account_id": 7,
    "subject": None,
    "changes": {"credits": {"before": 1, "after": 2}},
    "changed": ["name"],
}
LINE = json.dumps(ENTRY)
LIST: dict[str, Any] = {
    "id": 1,
    "account_id": 7,
    "name": "",
    "status": "checking",
    "total": 1,
    "duplicates_removed": 0,
    "checked": 0,
    "counts": {"deliverable": 0, "risky": 0, "undeliverable": 0, "unknown": 0},
    "created_at": 1,
    "finished_at": None,
    "paused_at": None,
    "pending": 1,
    "checking": 0,
    "waits_for": {"why": "queued", "host": None, "next_attempt_at": None},
}
# What is poured out without end ends at last, so that a client that takes it all fails the test.
POURED = 500


@contextlib.contextmanager
def leaves(admin: AdminClient, *actions: AdminAuditAction) -> Iterator[None]:
    """What is done leaves these entries in the audit trail, and no others."""
    before = admin.audit.list(limit=1)
    yield
    last = before[0].id if before else 0
    assert [one.action for one in reversed(admin.audit.list()) if one.id > last] == list(actions)


@pytest.fixture
def live(service: RunningService) -> Iterator[Callable[[str], MXProof]]:
    """Customers' clients, closed at the end."""
    with contextlib.ExitStack() as made:
        yield lambda key: made.enter_context(MXProof(key, service.url, max_retries=0))


def test_the_life_of_an_account_each_step_one_entry_of_the_audit_trail(
    admin: AdminClient, service: RunningService, live: Callable[[str], MXProof]
) -> None:
    number = f"C-{secrets.token_hex(4)}"
    with leaves(admin, "account.created"):
        made = admin.accounts.create("Ants Ltd", credits=100, note="invoice 1", external_id=number)
    assert (made.name, made.external_id, made.status, made.credits) == ("Ants Ltd", number, "active", 100)
    assert made.api_key not in repr(made)
    customer = live(made.api_key)
    assert customer.account.get().credits == 100
    with leaves(admin), pytest.raises(mxproof.Conflict) as taken:
        admin.accounts.create("Bees", external_id=number)
    assert taken.value.kind == "external_id_taken"

    with leaves(admin, "credits.changed"):
        assert admin.accounts.change_credits(made.id, 50).credits == 150
    with leaves(admin, "credits.changed"):
        assert admin.accounts.change_credits(made.id, -30, note="paid twice").credits == 120
    with leaves(admin), pytest.raises(mxproof.Conflict) as too_many:
        admin.accounts.change_credits(made.id, -121)
    assert too_many.value.kind == "not_enough_credits"

    with leaves(admin, "key.created"):
        key = admin.accounts.keys.create(made.id, "ci", access="read", allowed_ips=["127.0.0.0/8"])
    assert live(key.api_key).account.get().name == "Ants Ltd"
    assert [(one.id, one.access) for one in admin.accounts.keys.list(made.id)][1:] == [(key.id, "read")]
    with leaves(admin, "key.revoked"):
        admin.accounts.keys.delete(made.id, key.id)
    with pytest.raises(mxproof.InvalidApiKey):
        live(key.api_key).account.get()
    with pytest.raises(mxproof.NotFound):
        admin.accounts.keys.delete(made.id, key.id)

    # Where its mail goes is not known without DNS: it waits.
    customer.lists.create(["a@x.test", "b@x.test"])
    assert admin.accounts.get(made.id).credits == 118
    with leaves(admin, "account.changed"):
        assert admin.accounts.update(made.id, status="suspended").status == "suspended"
    with pytest.raises(mxproof.Forbidden) as suspended:
        customer.lists.create(["a@x.test"])
    assert suspended.value.kind == "account_suspended"
    assert customer.account.get().name == "Ants Ltd"
    assert [one.id for one in admin.accounts.list(status="suspended", q=number)] == [made.id]
    with leaves(admin, "account.changed"):
        admin.accounts.update(made.id, status="active")

    with leaves(admin, "account.changed"):
        changed = admin.accounts.update(
            made.id, rate_requests=600, retention={"results": 30}, monthly_credits=1_000, external_id=None
        )
    assert (changed.name, changed.external_id, changed.rate_requests) == ("Ants Ltd", None, 600)
    assert (changed.retention.results, changed.retention.evidence) == (30, None)
    assert changed.monthly_credits == 1_000
    assert changed.monthly_from is not None
    with leaves(admin, "account.changed"):
        admin.accounts.update(made.id, monthly_credits=None)
    assert admin.accounts.get(made.id).monthly_credits is None
    with leaves(admin, "account.changed"):
        admin.accounts.update(made.id, name="Ants and Sons", rate_addresses=7_000, mail="ann@example.com")
    with leaves(admin):
        changed = admin.accounts.update(made.id, rate_addresses=7_000, mail="ann@example.com")
    assert (changed.name, changed.rate_addresses, changed.mail) == ("Ants and Sons", 7_000, "ann@example.com")

    with leaves(admin, "link.created"):
        link = admin.accounts.link(made.id)
    assert link.url.startswith(f"{service.url}/sign-in/")
    assert link.url not in repr(link)
    with leaves(admin, "sessions.ended"):
        assert admin.accounts.sign_out(made.id) == 0
    with leaves(admin, "webhook_secret.replaced"):
        assert admin.accounts.webhook_secret(made.id).startswith("whsec_")

    with leaves(admin, "account.deleted"):
        admin.accounts.delete(made.id)
    with pytest.raises(mxproof.NotFound) as gone:
        admin.accounts.get(made.id)
    assert gone.value.kind == "account_not_found"
    with pytest.raises(mxproof.InvalidApiKey):
        customer.account.get()
    # The trail of a deleted account stays. Its list was not checked, and is refunded.
    trail = list(admin.audit.all(account=made.id))
    assert trail[0].action == "account.deleted"
    assert trail[0].changes["credits"] == mxproof.AuditChange(118, None)
    # What only reads is not in it.
    assert len(trail) == 14
    assert {one.actor.kind for one in trail} == {"admin_key"}
    assert admin.verify_ledger().differences == []


def test_accounts_are_found_and_read_in_a_loop(admin: AdminClient) -> None:
    name = f"Wasps {secrets.token_hex(4)}"
    made = [admin.accounts.create(name).id for _ in range(3)][::-1]
    assert [one.id for one in admin.accounts.all(q=name)] == made
    page = admin.accounts.page(q=name, offset=1, limit=1)
    assert (page.total, [one.id for one in page.accounts]) == (3, made[1:2])
    # A number is also looked for in names.
    assert made[0] in [one.id for one in admin.accounts.list(q=str(made[0]))]


def test_lists_of_all_accounts_and_their_end(admin: AdminClient, service: RunningService) -> None:
    with leaves(admin, "account.created"):
        owner = admin.accounts.create("Lists", credits=10)
    with MXProof(owner.api_key, service.url) as customer:
        # Where its mail goes is not known without DNS: it waits.
        made = customer.lists.create(["a@x.test", "b@x.test"], name="spring")
    (found,) = admin.lists.all(account=owner.id)
    assert (found.id, found.account_id, found.name, found.total) == (made.id, owner.id, "spring", 2)
    assert admin.lists.waiting(made.id).pending == 2
    with leaves(admin, "list.cancelled"):
        ended = admin.lists.cancel(made.id)
    assert (ended.status, ended.pending, ended.waits_for) == ("failed", 0, None)
    with pytest.raises(mxproof.Conflict) as again:
        admin.lists.cancel(made.id)
    assert again.value.kind == "list_finished"
    assert list(admin.lists.all(account=owner.id, stuck=True)) == []
    with pytest.raises(mxproof.ListNotFound):
        admin.lists.waiting(9_999_999)
    assert list(admin.callbacks.all(account=owner.id, state="failed")) == []
    with pytest.raises(mxproof.NotFound) as none:
        admin.callbacks.resend(made.id)
    assert none.value.kind == "no_callback"


def test_the_deployment(admin: AdminClient) -> None:
    assert [node.state for node in admin.nodes()] == ["alive"]
    assert admin.overview(hours=1).nodes.alive == 1
    assert admin.verify_ledger().differences == []
    assert admin.sources().left_out == 0
    assert admin.doctor().left_out == 0
    with leaves(admin, "doctor.run"):
        assert len(admin.run_doctor().reports) == 1
    with pytest.raises(mxproof.NotFound) as unknown:
        admin.rest_source("198.51.100.9", "google", hours=1)
    assert unknown.value.kind == "source_not_found"
    with pytest.raises(mxproof.NotFound):
        admin.resume_source("../own", "google")
    with pytest.raises(ValueError, match="named by its id"):
        admin.resume_source("..", "google")


def test_the_trail_is_read_by_page_and_as_lines(admin: AdminClient) -> None:
    made = admin.accounts.create("Trail")
    newest, older = admin.audit.list(limit=2)
    assert (newest.action, newest.actor.kind, newest.account_id) == ("account.created", "admin_key", made.id)
    assert admin.audit.list(offset=1, limit=1) == [older]
    with leaves(admin, "audit.exported"):
        exported = list(admin.audit.export())
    assert [one for one in exported if one.action != "audit.exported"][0] == newest
    assert list(admin.audit.export(account=made.id, action="account.created")) == [newest]


def test_a_key_of_an_account_is_no_operators(operate: Operate, service: RunningService) -> None:
    with pytest.raises(mxproof.InvalidApiKey) as refused:
        operate(service.live_key, service.url).nodes()
    assert refused.value.kind == "invalid_admin_key"


CALLS: dict[str, Callable[[AdminClient, str | None], object]] = {
    "create": lambda admin, key: admin.accounts.create("a", idempotency_key=key),
    "change_credits": lambda admin, key: admin.accounts.change_credits(7, 1, idempotency_key=key),
    "keys": lambda admin, key: admin.accounts.keys.create(7, "a", idempotency_key=key),
    "link": lambda admin, key: admin.accounts.link(7, idempotency_key=key),
    "sign_out": lambda admin, key: admin.accounts.sign_out(7, idempotency_key=key),
    "webhook_secret": lambda admin, key: admin.accounts.webhook_secret(7, idempotency_key=key),
    "cancel": lambda admin, key: admin.lists.cancel(7, idempotency_key=key),
    "resend": lambda admin, key: admin.callbacks.resend(7, idempotency_key=key),
    "rest": lambda admin, key: admin.rest_source("own", "google", idempotency_key=key),
    "resume": lambda admin, key: admin.resume_source("own", "google", idempotency_key=key),
    "doctor": lambda admin, key: admin.run_doctor(idempotency_key=key),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_changes_something_is_asked_again_with_the_same_bytes_under_one_key(
    operate: Operate, hostile: HostileServer, call: Callable[[AdminClient, str | None], object]
) -> None:
    admin = operate(KEY, hostile.url)
    for given in (None, "mine"):
        hostile.will(hang_up, refusal(503, "unavailable"), refusal(409, "conflict"))
        with pytest.raises(mxproof.Conflict):
            call(admin, given)
    keys = [one.headers["idempotency-key"] for one in hostile.asked]
    assert keys == [keys[0]] * 3 + ["mine"] * 3
    assert keys[0] != "mine"
    assert len({(one.method, one.path, one.body) for one in hostile.asked}) == 1
    assert {one.headers["authorization"] for one in hostile.asked} == {f"Bearer {KEY}"}
    assert all(one.path.startswith("/admin/v1/") for one in hostile.asked)


def test_what_is_left_out_of_a_change_stays_out_and_none_takes_away(
    operate: Operate, hostile: HostileServer
) -> None:
    hostile.will(answer(200, ACCOUNT))
    admin = operate(KEY, hostile.url)
    admin.accounts.update(7, mail=None, retention={"evidence": None}, rate_requests=5)
    assert json.loads(hostile.asked[0].body) == {
        "mail": None,
        "retention": {"evidence": None},
        "rate_requests": 5,
    }


def test_what_a_lost_answer_deleted_is_no_error(operate: Operate, hostile: HostileServer) -> None:
    admin = operate(KEY, hostile.url)
    hostile.will(hang_up, refusal(404, "account_not_found"))
    admin.accounts.delete(7)
    hostile.will(hang_up, refusal(404, "key_not_found"))
    admin.accounts.keys.delete(7, 8)
    hostile.will(refusal(404, "account_not_found"))
    with pytest.raises(mxproof.NotFound):
        admin.accounts.delete(7)
    with pytest.raises(mxproof.NotFound):
        admin.accounts.keys.delete(7, 8)


def test_an_answer_is_looked_at_field_by_field(operate: Operate, hostile: HostileServer) -> None:
    admin = operate(KEY, hostile.url)
    for wrong in ({**ACCOUNT, "credits": "1"}, {"id": 7}, {**ACCOUNT, "retention": None}, [ACCOUNT], None):
        hostile.will(answer(200, wrong))
        with pytest.raises(mxproof.UnexpectedAnswer):
            admin.accounts.get(7)
    hostile.will(answer(200, {"entries": [{**ENTRY, "changes": {"credits": {"before": {}, "after": 1}}}]}))
    with pytest.raises(mxproof.UnexpectedAnswer):
        admin.audit.list()
    hostile.will(answer(200, {"entries": [{**ENTRY, "action": "a.new_word", "more": 1}]}))
    (entry,) = admin.audit.list()
    assert entry.changes["credits"] == mxproof.AuditChange(1, 2)
    assert pickle.loads(pickle.dumps(entry)) == entry


def test_lists_that_are_stuck_come_oldest_first_and_each_once(
    operate: Operate, hostile: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lists, "ROWS_PER_PAGE", 2)
    pages = [{"lists": [{**LIST, "id": one} for one in ids]} for ids in ([1, 2], [2, 3], [4])]
    hostile.will(*(answer(200, page) for page in pages))
    assert [one.id for one in operate(KEY, hostile.url).lists.all(stuck=True)] == [1, 2, 3, 4]
    paths = [f"/admin/v1/lists?stuck=true&offset={offset}&limit=2" for offset in (0, 2, 4)]
    assert [one.path for one in hostile.asked] == paths


def lines(*pieces: bytes) -> Callable[[socket.socket], None]:
    def send(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\n\r\n")
        for piece in pieces:
            connection.sendall(piece)

    return send


def test_lines_come_out_wherever_they_are_cut(operate: Operate, hostile: HostileServer) -> None:
    text = f"{json.dumps({**ENTRY, 'client': 'ä'}, ensure_ascii=False)}\n{LINE}\n".encode()
    hostile.will(lines(*(bytes([byte]) for byte in text)))
    found = list(operate(KEY, hostile.url).audit.export(account=7))
    assert [one.client for one in found] == ["ä", "192.0.2.1"]
    (asked,) = hostile.asked
    assert (asked.path, asked.headers["accept"]) == (
        "/admin/v1/audit?account=7&format=ndjson",
        "application/x-ndjson",
    )


def test_an_export_is_opened_again_and_never_read_again(operate: Operate, hostile: HostileServer) -> None:
    hostile.will(
        refusal(503, "unavailable"),
        refusal(429, "rate_limited", retry_after="0"),
        lines(f"{LINE}\n".encode(), LINE[:40].encode()),
    )
    told: list[int] = []
    admin = operate(KEY, hostile.url, on_answer=lambda info: told.append(info.status))
    entries = iter(admin.audit.export())
    assert next(entries).id == 9
    with pytest.raises(mxproof.ConnectionFailed):
        next(entries)
    assert told == [503, 429, 200]


@pytest.mark.parametrize(
    "text",
    ["nothing\n", "\n", "{}\n", f'"{"x" * _lines.MAX_LINE_BYTES}"\n', "[" * 60_000 + "\n"],
    ids=["no JSON", "an empty line", "no entry", "a long line", "many brackets"],
)
def test_what_is_no_entry_is_none(operate: Operate, hostile: HostileServer, text: str) -> None:
    hostile.will(lines(f"{LINE}\n{text}".encode()))
    entries = iter(operate(KEY, hostile.url).audit.export())
    assert next(entries).id == 9
    with pytest.raises(mxproof.UnexpectedAnswer):
        next(entries)


def test_a_line_without_end_is_left_at_the_bound(operate: Operate, hostile: HostileServer) -> None:
    hostile.will(lines(*[b"x" * 100_000] * POURED))
    with pytest.raises(mxproof.UnexpectedAnswer, match="more than 65536 bytes"):
        next(iter(operate(KEY, hostile.url).audit.export()))


def test_something_else_than_lines_says_so(operate: Operate, hostile: HostileServer) -> None:
    hostile.will(answer(200, {"entries": []}))
    with pytest.raises(mxproof.UnexpectedAnswer, match="not JSON lines"):
        next(iter(operate(KEY, hostile.url).audit.export()))


def test_a_stream_that_goes_silent_is_given_up(operate: Operate, hostile: HostileServer) -> None:
    def silent(connection: socket.socket) -> None:
        lines(f"{LINE}\n".encode())(connection)
        connection.recv(1)

    hostile.will(silent)
    entries = iter(operate(KEY, hostile.url, timeout=0.2).audit.export())
    assert next(entries).id == 9
    with pytest.raises(mxproof.ConnectionFailed, match="silent"):
        next(entries)


def test_an_empty_filter_is_refused_at_once(operate: Operate, hostile: HostileServer) -> None:
    admin = operate(KEY, hostile.url)
    wrong: Any = ""
    calls: list[Callable[[], object]] = [
        lambda: admin.accounts.list(q=""),
        lambda: admin.accounts.all(q=""),
        lambda: admin.lists.all(status=wrong),
        lambda: admin.callbacks.all(state=wrong),
        lambda: admin.audit.all(action=wrong),
        lambda: admin.audit.export(actor=wrong),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="is empty: give it a value, or leave it out"):
            call()
    with pytest.raises(ValueError, match="account id is a positive integer"):
        admin.accounts.get(0)
    with pytest.raises(TypeError, match="allowed_ips is a list"):
        admin.accounts.keys.create(7, "a", allowed_ips="192.0.2.1")
    assert hostile.asked == []


def test_no_name_is_logged(
    operate: Operate, hostile: HostileServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="httpx")
    hostile.will(answer(200, {"accounts": []}))
    operate(KEY, hostile.url).accounts.list(q="ann@example.com")
    assert "/admin/v1/accounts" in caplog.text
    assert "ann" not in caplog.text


def test_where_nothing_answers_is_told_without_the_interface(operate: Operate) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(mxproof.ConnectionFailed, match=f"No answer from {url}/mail:"):
        operate(KEY, f"{url}/mail", max_retries=0).nodes()


def test_people_of_an_account_are_invited_given_a_role_and_removed(
    admin: AdminClient, live: Callable[[str], MXProof]
) -> None:
    made = admin.accounts.create("Team Ltd")
    members = live(made.api_key).members
    invited = members.invite("Ann@example.com", "viewer")
    assert (invited.email, invited.role, invited.status) == ("ann@example.com", "viewer", "invited")
    assert "/join/" in invited.link
    assert invited.link not in repr(invited)
    with pytest.raises(mxproof.Conflict) as twice:
        members.invite("ann@example.com", "owner")
    assert twice.value.kind == "already_member"
    assert members.update(invited.id, role="member").role == "member"
    assert members.link(invited.id).link != invited.link
    assert [(one.id, one.role, one.joined_at) for one in members.list()] == [(invited.id, "member", None)]
    assert [one.id for one in admin.accounts.members(made.id)] == [invited.id]
    members.delete(invited.id)
    assert members.list() == []
    with pytest.raises(mxproof.NotFound):
        members.delete(invited.id)
