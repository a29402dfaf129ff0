"""What the client promises, kept by the real service: each test for the blocking client and for the awaiting one."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine

import anyio
import pytest
import trio
from conftest import RunningService

import mxproof
from mxproof import MXProof, webhooks

Connect = Callable[..., MXProof]


def asyncio_run(use: Callable[[], Coroutine[object, object, list[str]]]) -> list[str]:
    return asyncio.run(use())


def test_an_address_is_verified_and_typed(mx: MXProof) -> None:
    found = mx.verify(" Ann@Example.com ", include=["detail", "checked_at"])
    assert (found.email, found.state, found.reason) == ("ann@example.com", "deliverable", "accepted_email")
    assert found.score >= 80
    assert found.detail == "accepted"
    assert isinstance(found.checked_at, int)
    assert found.provider is None
    assert mx.mode == "test"
    assert mx.verify("catch-all@example.com").accept_all is True
    assert mx.verify("rejected-email@example.com").state == "undeliverable"


def test_a_slow_check_is_waited_for_and_never_posted_again(mx: MXProof) -> None:
    before = len(mx.lists.list(single=True))
    check = mx.verify("slow@example.com", wait=False)
    # The wait ends with its deadline, and the check goes on.
    with pytest.raises(mxproof.DeadlineExceeded):
        check.result(deadline=0.2)
    found = check.result(deadline=60)
    assert found.state == "deliverable"
    assert found.provider is None
    assert mx.check(check.list_id, include="provider").result().provider is not None
    assert len(mx.lists.list(single=True)) == before + 1
    assert mx.lists.list(single="only", include="email", limit=1)[0].email is not None


def test_a_key_that_only_verifies_follows_its_own_check(service: RunningService) -> None:
    with mxproof.MXProof(service.form_key, service.url) as form:
        assert form.verify("slow@example.com", include="detail").detail == "accepted"
        with pytest.raises(mxproof.Forbidden) as refused:
            form.lists.create(["ann@example.com"])
        assert refused.value.kind == "key_access"


def test_a_wait_in_seconds_gives_what_came_by_then(mx: MXProof) -> None:
    found = mx.verify("rejected-email@example.com", wait=3)
    assert found.answer is not None
    assert found.answer.state == "undeliverable"
    assert found.result() == found.answer
    pending = mx.verify("slow@example.com", wait=0)
    assert pending.answer is None
    assert mx.verify("slow@example.com", wait=False).answer is None
    for wait in (-1, 301, 0.5, "3"):
        with pytest.raises(ValueError, match="wait is True, False, or a whole number of seconds"):
            mx.verify("ann@example.com", wait=wait)  # type: ignore[arg-type]


def test_many_addresses_come_back_in_order_with_their_twins(mx: MXProof) -> None:
    emails = [
        "ann@example.com",
        "",
        "rejected-email@example.com",
        "ANN@example.com\ufeff",
        "dns-error@example.com",
    ]
    seen: list[mxproof.ManyProgress] = []
    found = list(mx.verify_many(iter(emails), name="spring", on_progress=seen.append))
    assert [one.input for one in found] == emails
    states = [one.result.state if one.result else None for one in found]
    assert states == ["deliverable", None, "undeliverable", "deliverable", "unknown"]
    assert found[3].result is found[0].result
    assert (seen[-1].checked, seen[-1].total, seen[-1].counts.undeliverable) == (3, 3, 1)
    assert seen[-1].lists[0].name == "spring"
    assert list(mx.verify_many([" "])) == [mxproof.Verified(" ", None)]


def test_the_same_key_continues_many_without_a_second_charge(mx: MXProof) -> None:
    key = f"import-{id(mx)}-{threading.get_ident()}"
    emails = ["ann@example.com", "bob@example.com"]
    first = list(mx.verify_many(emails, idempotency_key=key))
    credits = mx.account.get().credits
    assert list(mx.verify_many(emails, idempotency_key=key)) == first
    assert mx.account.get().credits == credits


def test_more_than_a_list_holds_become_several_of_one_group(service: RunningService) -> None:
    with MXProof(service.test_key, service.url) as mx:
        emails = [f"a{n}@example.com" for n in range(10_001)]
        seen: list[mxproof.ManyProgress] = []
        found = list(mx.verify_many(emails, name="large", on_progress=seen.append))
        assert [one.result.email for one in found if one.result] == emails
        lists = seen[-1].lists
        assert [one.name for one in lists] == ["large (1 of 2)", "large (2 of 2)"]
        group = mx.lists.get(lists[0].id, include=["group", "retention"]).group
        assert group is not None
        assert mx.lists.group(group).lists == [one.id for one in lists]
        assert {one.id for one in mx.lists.all(group=group)} == {one.id for one in lists}


def test_a_list_from_its_creation_to_its_deletion(mx: MXProof) -> None:
    emails = [
        "ann@example.com",
        "disposable@example.com",
        "rejected-email@example.com",
        "no-connect@example.com",
    ]
    made = mx.lists.create([*emails, emails[0]], name="autumn")
    assert (made.total, made.duplicates_removed) == (4, 1)
    done = mx.lists.wait(made.id)
    assert done.status == "done"
    assert mx.lists.get(made.id) == done
    assert mx.lists.list(limit=1) == [done]
    assert next(iter(mx.lists.all(status="done"))) == done

    rows = list(mx.lists.results(made.id, page_size=3))
    assert [row.email for row in rows] == emails
    assert [row.position for row in rows] == [None] * 4
    assert [row.email for row in mx.lists.results(made.id, offset=1, limit=2, page_size=1)] == emails[1:3]
    filtered = list(mx.lists.results(made.id, state=["risky", "unknown"]))
    assert [row.position for row in filtered] == [1, 3]
    page = mx.lists.page(made.id, flag="disposable", limit=1)
    assert (page.total, page.results[0].email) == (1, emails[1])
    csv = "".join(mx.lists.csv(made.id, page_size=2)).split("\r\n")
    assert csv[0].startswith("email,state,")
    assert [line.split(",")[0] for line in csv[1:]] == [*emails, ""]

    breakdown = mx.lists.breakdown(made.id)
    assert breakdown.reasons["accepted_email"] == 1
    assert breakdown.flags.disposable == 1
    assert breakdown.domains[0].domain == "example.com"
    evidence = mx.lists.evidence(made.id, 2)
    assert (evidence.email, evidence.state) == (emails[2], "undeliverable")
    assert all(line.from_ in ("client", "server", "note") for line in evidence.dialogue)
    assert mx.lists.waiting(made.id).pending == 0

    assert mx.lists.rename(made.id, "winter").name == "winter"
    again = mx.lists.retry(made.id)
    assert again.total == 1
    assert mx.lists.retries(made.id) == [again.id]
    mx.lists.delete(made.id, undo=60)
    with pytest.raises(mxproof.ListNotFound):
        mx.lists.get(made.id)
    assert mx.lists.undelete(made.id).name == "winter"
    mx.lists.delete(made.id)
    with pytest.raises(mxproof.ListNotFound) as refused:
        mx.lists.undelete(made.id)
    assert (refused.value.kind, refused.value.status) == ("list_not_found", 404)
    assert refused.value.request_id


def test_misspelt_addresses_are_checked_as_they_were_meant(mx: MXProof) -> None:
    made = mx.lists.create(["rejected-email@gmial.com", "rejected-email@hotmial.com", "ann@gmial.com"])
    mx.lists.wait(made.id)
    meant = mx.lists.correct(made.id, domains=["gmial.com"])
    assert [row.email for row in mx.lists.results(meant.id)] == ["rejected-email@gmail.com"]
    everything = mx.lists.correct(made.id)
    assert everything.total == 2
    assert mx.lists.corrections(made.id) == [meant.id, everything.id]
    with pytest.raises(mxproof.Conflict) as nothing:
        mx.lists.correct(mx.lists.wait(meant.id).id)
    assert nothing.value.kind == "nothing_to_correct"


def test_a_list_is_followed_to_its_end(mx: MXProof) -> None:
    made = mx.lists.create(["ann@example.com", "slow@example.com"])
    assert mx.lists.waiting(made.id).pending > 0
    seen = list(mx.lists.follow(made.id))
    assert [one.status for one in seen][-1] == "done"
    assert [one.checked for one in seen] == sorted(one.checked for one in seen)
    assert sum(one.status == "done" for one in seen) == 1
    for events in (True, False):
        told: list[mxproof.ListSummary] = []
        assert mx.lists.wait(made.id, events=events, on_progress=told.append) == seen[-1]
        assert told == [seen[-1]]


def test_a_list_is_cancelled(mx: MXProof) -> None:
    made = mx.lists.create(["slow@example.com"])
    assert mx.lists.cancel(made.id).status == "failed"
    with pytest.raises(mxproof.Conflict) as refused:
        mx.lists.cancel(made.id)
    assert refused.value.kind == "list_finished"
    with pytest.raises(mxproof.ListFailed):
        mx.check(made.id).result()


def test_a_list_is_paused_and_resumed_and_its_file_is_kept(mx: MXProof) -> None:
    file = mxproof.ListFile(name="spring.xlsx", rows=3, addresses=2, invalid=1, duplicates=0, corrected=0)
    made = mx.lists.create(["ann@example.com", "slow@example.com"], file=file)
    mx.lists.pause(made.id)
    held = mx.lists.get(made.id, include=["paused", "file"])
    assert (held.status in ("processing", "checking"), held.file) == (True, file)
    assert held.paused_at is not None
    assert [group.why for group in mx.lists.waiting(made.id).waiting] == ["paused"]
    with pytest.raises(mxproof.Conflict) as refused:
        mx.lists.pause(made.id)
    assert refused.value.kind == "list_paused"
    mx.lists.resume(made.id)
    assert mx.lists.wait(made.id).counts.deliverable == 2


def test_callbacks_are_listened_to_and_verified(mx: MXProof, service: RunningService) -> None:
    opened = threading.Event()
    heard = mx.callbacks.listen(on_open=opened.set)
    sent: list[mxproof.SentCallback] = []
    listener = threading.Thread(target=lambda: sent.extend(itertools.islice(heard, 1)))
    listener.start()
    assert opened.wait(60)
    made = mx.lists.create(["ann@example.com"], callback_url="https://127.0.0.1:1/hook")
    listener.join(60)
    assert sent[0].list_id == made.id
    callback = webhooks.verify(sent[0].body, sent[0].headers, service.webhook_secret)
    assert callback.event == "list.done"
    assert callback.list == mx.lists.get(made.id)
    assert mx.lists.callback(made.id).url == sent[0].url
    assert next(iter(mx.callbacks.all())).list_id == made.id
    assert mx.callbacks.list(limit=1)[0].list_id == made.id
    with pytest.raises(mxproof.CallbackRejected):
        webhooks.verify(sent[0].body + " ", sent[0].headers, service.webhook_secret)


def test_the_account_tells_of_itself(mx: MXProof) -> None:
    made = mx.lists.create(["ann@example.com", "dns-error@example.com"])
    mx.lists.wait(made.id)
    refund, charge = mx.account.history(limit=2)
    assert (refund.kind, refund.credits, refund.list_id) == ("refund", 1, made.id)
    assert (charge.kind, charge.credits) == ("charge", -2)
    assert list(itertools.islice(mx.account.all_history(kind="charge"), 1)) == [charge]
    days = mx.account.usage(days=2)
    assert len(days) == 2
    assert days[-1].charged >= 2
    domain = mx.domain("catch-all.bücher.example")
    assert (domain.domain, domain.catch_all) == ("catch-all.xn--bcher-kva.example", "yes")
    suggestion = mx.suggest("ann@gmial.com")
    assert (suggestion.valid, suggestion.suggestion, suggestion.role) == (True, "gmail.com", False)
    status = mx.status()
    assert (status.checking, status.reasons) == ("ok", [])


def test_a_reply_and_a_bounce_are_explained(mx: MXProof) -> None:
    assert mx.read_reply("5.2.2 Mailbox full", code=552).meaning == "over_quota"
    found = mx.read_bounce("<a@x.test>: 550 no such user\n<b@x.test>: 552 mailbox full")
    assert [(one.position, one.state) for one in found] == [(0, "undeliverable"), (1, "risky")]


# httpx leaves its own generators to the collector, of which trio warns.
@pytest.mark.filterwarnings("ignore:Async generator 'httpx:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("run", [asyncio_run, trio.run], ids=["asyncio", "trio"])
def test_addresses_may_come_and_progress_go_asynchronously(
    service: RunningService, run: Callable[..., list[str]]
) -> None:
    told: list[int] = []

    async def addresses() -> AsyncIterator[str]:
        for name in ("ann", "bob"):
            await anyio.sleep(0)
            yield f"{name}@example.com"

    async def tell(progress: mxproof.ManyProgress) -> None:
        await anyio.sleep(0)
        told.append(progress.checked)

    async def use() -> list[str]:
        async with mxproof.AsyncMXProof(service.test_key, service.url) as mx:
            return [one.input async for one in mx.verify_many(addresses(), on_progress=tell)]

    assert run(use) == ["ann@example.com", "bob@example.com"]
    assert told[-1] == 2


def test_an_endpoint_is_made_changed_tried_and_deleted(mx: MXProof) -> None:
    made = mx.webhooks.create("https://127.0.0.1:1/hook", ["list.done"], description="shop")
    assert made.webhook_secret.startswith("whsec_")
    assert made.webhook_secret not in repr(made)
    found = mx.webhooks.get(made.id)
    assert (found.url, found.events, found.description) == (made.url, ["list.done"], "shop")
    assert found in mx.webhooks.list()
    assert mx.webhooks.rotate_secret(made.id) != made.webhook_secret

    sent = mx.webhooks.test(made.id)
    assert (sent.event, sent.state, sent.list_id) == ("test", "pending", None)
    assert sent.id.startswith("test_")
    assert [one.id for one in mx.webhooks.deliveries(made.id, limit=1)] == [sent.id]
    assert [one.id for one in mx.webhooks.all_deliveries(made.id)] == [sent.id]
    assert mx.webhooks.deliveries(made.id, offset=1, state="delivered") == []
    with pytest.raises(mxproof.Conflict) as pending:
        mx.webhooks.resend(made.id, sent.id)
    assert pending.value.kind == "delivery_pending"
    with pytest.raises(ValueError, match="webhook-id"):
        mx.webhooks.resend(made.id, "../..")

    held = mx.webhooks.update(made.id, events=["list.failed", "credits.low"], paused=True)
    assert (held.events, held.paused_at is None) == (["list.failed", "credits.low"], False)
    with pytest.raises(TypeError, match="not one string"):
        mx.webhooks.update(made.id, events="list.done")  # type: ignore[arg-type]
    with pytest.raises(mxproof.Conflict) as paused:
        mx.webhooks.test(made.id)
    assert paused.value.kind == "webhook_not_active"
    assert mx.webhooks.update(made.id, paused=False).paused_at is None
    mx.webhooks.delete(made.id)
    with pytest.raises(mxproof.NotFound) as gone:
        mx.webhooks.get(made.id)
    assert gone.value.kind == "webhook_not_found"


def test_a_hook_is_made_and_deleted(mx: MXProof) -> None:
    made = mx.hooks.create("mailgun", signing_key="key-0123456789abcdef")
    assert "/v1/hooks/mailgun/" in made.url
    assert made.url not in repr(made)
    assert [(one.id, one.service) for one in mx.hooks.list()] == [(made.id, "mailgun")]
    with pytest.raises(mxproof.Refusal) as refused:
        mx.hooks.create("ses", topic="arn:aws:s3:::bucket")
    assert refused.value.kind == "bad_topic"
    mx.hooks.delete(made.id)
    assert mx.hooks.list() == []
    with pytest.raises(mxproof.NotFound) as gone:
        mx.hooks.delete(made.id)
    assert gone.value.kind == "hook_not_found"


def test_where_credits_are_low_is_set_and_taken_back(mx: MXProof) -> None:
    assert mx.account.update(low_credits=500).settings == mxproof.AccountSettings(500, False)
    assert mx.account.get(include=["settings", "retention"]).settings == mxproof.AccountSettings(500, False)
    mx.account.update(low_credits=0)
    assert mx.account.get(include="settings").settings == mxproof.AccountSettings(None, False)


def test_keys_are_made_used_and_deleted(connect: Connect, mx: MXProof, service: RunningService) -> None:
    key = mx.account.keys.create("a test", allowed_ips=["127.0.0.0/8"])
    assert (key.test, key.manage, key.allowed_ips) == (True, False, ["127.0.0.0/8"])
    assert key.api_key not in repr(key)
    assert key.id in [one.id for one in mx.account.keys.list()]
    other = connect(key.api_key, service.url)
    assert other.account.get().name == mx.account.get().name
    with pytest.raises(mxproof.Forbidden) as refused:
        other.account.keys.list()
    assert refused.value.kind == "may_not_manage"
    mx.account.keys.delete(key.id)
    with pytest.raises(mxproof.InvalidApiKey):
        other.account.get()


def test_refusals_are_classes(mx: MXProof) -> None:
    with pytest.raises(mxproof.InsufficientCredits) as poor:
        mx.verify("insufficient-credits@example.com")
    assert (poor.value.needed, poor.value.status) == (1, 402)
    hasty = mx.with_options(max_retries=0)
    with pytest.raises(mxproof.RateLimited) as limited:
        hasty.verify("rate-limited@example.com")
    assert limited.value.kind == "rate_limited"
    assert limited.value.retry_after is not None
    made = mx.lists.create(["ann@example.com"])
    with pytest.raises(mxproof.InvalidRequest) as wrong:
        mx.lists.page(made.id, state="blue")  # type: ignore[arg-type]
    assert wrong.value.kind == "bad_state"
    with pytest.raises(mxproof.NotFound) as nothing:
        mx.lists.group("no-such-group")
    assert nothing.value.kind == "group_not_found"
    mx.verify("ann@example.com", idempotency_key="one-key-for-two")
    with pytest.raises(mxproof.IdempotencyKeyReused):
        mx.verify("bob@example.com", idempotency_key="one-key-for-two")
    body = wrong.value.body
    assert json.dumps(body) == json.dumps({"error": str(wrong.value)})


def test_the_id_of_a_success_and_of_a_refusal_finds_the_request(mx: MXProof) -> None:
    told: list[mxproof.AnswerInfo] = []
    telling = mx.with_options(on_answer=told.append)
    for _ in range(2):
        telling.lists.create(["ann@example.com"], idempotency_key=f"once {id(told)}")
    with pytest.raises(mxproof.ListNotFound) as refused:
        telling.lists.get(424_242)
    assert [(one.status, one.replayed) for one in told] == [(201, False), (201, True), (404, False)]
    assert told[2].request_id == refused.value.request_id
    for answer, route in zip(told, ["/v1/lists", "/v1/lists", "/v1/lists/{id}"], strict=True):
        found: list[mxproof.LoggedRequest] = []
        # It is written a second or two after the answer.
        for _ in range(600):
            found = mx.requests.list(id=answer.request_id)
            if found:
                break
            time.sleep(0.1)
        assert [(one.route, one.status) for one in found] == [(route, answer.status)]
    assert refused.value.request_id in [one.id for one in mx.requests.all(status=404)]


def test_what_was_done_is_in_the_audit_trail(mx: MXProof) -> None:
    key = mx.account.keys.create("another")
    mx.account.keys.delete(key.id)
    revoked, made = mx.audit.list(limit=2)
    assert (revoked.action, revoked.actor.kind) == ("key.revoked", "key")
    assert revoked.subject is not None
    assert (revoked.subject.kind, revoked.subject.id) == ("key", key.id)
    assert made.changes["access"] == mxproof.AuditChange(before=None, after="full")
    assert made in mx.audit.all(action="key.created", since=made.at)
    assert mx.audit.list(member=1) == []
