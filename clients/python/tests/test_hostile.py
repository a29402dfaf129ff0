"""What the client makes of a server that fails, lies or attacks: each test for the blocking client and for the awaiting one."""

from __future__ import annotations

import json
import logging
import pickle
import socket
import threading
import time
import traceback
from collections.abc import Callable, Generator
from typing import Any, cast

import anyio
import httpx
import pytest
from hostile_server import KEY, Answer, HostileServer, answer, cut_off, hang_up, refusal

import mxproof
from mxproof import MXProof, _calls, _events, _flow, _lists, _parse, _sse, _transports

Connect = Callable[..., MXProof]

COUNTS = {"deliverable": 1, "risky": 0, "undeliverable": 0, "unknown": 0}
LIST: dict[str, Any] = {
    "id": 7,
    "name": "",
    "status": "done",
    "total": 1,
    "duplicates_removed": 0,
    "checked": 1,
    "counts": COUNTS,
    "created_at": 1,
    "finished_at": 2,
}
ACCOUNT = {"name": "a", "credits": 1, "credits_used": 0, "lists": 0}
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"

# What is poured out without end ends at last, so that a client that takes it all fails the test.
POURED = 500


def event(name: str, at: str, data: object) -> bytes:
    return f"event: {name}\nid: {at}\ndata: {json.dumps(data)}\n\n".encode()


@pytest.mark.parametrize(
    "trouble",
    [
        cut_off,
        hang_up,
        refusal(429, "rate_limited", retry_after="0"),
        refusal(408, "timed_out"),
        refusal(500, "internal_error"),
        answer(502, "<html>", content_type="text/html"),
        answer(200, '{"id":'),
    ],
    ids=["cut off", "hung up", "429", "408", "500", "502 of a proxy", "half a JSON"],
)
def test_what_may_pass_is_tried_again_with_the_same_bytes_and_key(
    connect: Connect, hostile: HostileServer, trouble: Answer
) -> None:
    hostile.will(trouble, trouble, answer(201, LIST))
    made = connect(KEY, hostile.url).lists.create(["ann@example.com"], name="spring")
    assert made.id == 7
    first, *others = hostile.asked
    assert len(others) == 2
    assert first.headers["idempotency-key"]
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(first.body) == {"emails": ["ann@example.com"], "name": "spring"}
    for other in others:
        assert (other.body, other.headers["idempotency-key"]) == (
            first.body,
            first.headers["idempotency-key"],
        )


def test_two_calls_never_share_a_key(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(answer(201, LIST))
    mx = connect(KEY, hostile.url)
    mx.lists.create(["ann@example.com"])
    mx.lists.create(["ann@example.com"])
    mx.lists.create(["ann@example.com"], idempotency_key="mine")
    first, second, third = [one.headers["idempotency-key"] for one in hostile.asked]
    assert first != second
    assert third == "mine"


def test_tries_end(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(refusal(503, "unavailable"))
    with pytest.raises(mxproof.ServiceUnavailable) as refused:
        connect(KEY, hostile.url, max_retries=2).account.get()
    assert (refused.value.attempts, len(hostile.asked)) == (3, 3)
    assert refused.value.in_doubt


def test_what_cannot_pass_is_tried_once(connect: Connect, hostile: HostileServer) -> None:
    mx = connect(KEY, hostile.url)
    for status, kind in [
        (400, mxproof.InvalidRequest),
        (401, mxproof.InvalidApiKey),
        (402, mxproof.InsufficientCredits),
        (403, mxproof.Forbidden),
        (404, mxproof.NotFound),
        (409, mxproof.Conflict),
        (418, mxproof.Refusal),
        (422, mxproof.IdempotencyKeyReused),
    ]:
        hostile.asked.clear()
        hostile.will(answer(status, {"error": "no"}))
        with pytest.raises(mxproof.Refusal) as refused:
            mx.account.get()
        assert type(refused.value) is kind
        assert len(hostile.asked) == 1


def test_retry_after_is_handed_on_where_it_is_too_long(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(refusal(429, "rate_limited", retry_after="91"))
    with pytest.raises(mxproof.RateLimited) as refused:
        connect(KEY, hostile.url).account.get()
    assert (refused.value.retry_after, len(hostile.asked)) == (91, 1)


def test_retry_after_is_obeyed() -> None:
    service = _calls.Service(_calls.Settings("http://service", KEY))
    flow = _calls.carry_out(service, _calls.Call("GET", "/account"))
    assert isinstance(next(flow), _flow.Send)
    pause = flow.send(_flow.Answer(503, {"retry-after": "7"}, b""))
    assert isinstance(pause, _flow.Sleep)
    assert 7 <= pause.seconds <= 7 + _calls.FIRST_WAIT_SECONDS
    assert isinstance(flow.send(None), _flow.Send)


def test_a_key_is_not_made_twice(connect: Connect, hostile: HostileServer) -> None:
    mx = connect(KEY, hostile.url)
    for trouble in (cut_off, refusal(500, "internal_error")):
        hostile.asked.clear()
        hostile.will(trouble)
        with pytest.raises(mxproof.MXProofError):
            mx.account.keys.create("x")
        with pytest.raises(mxproof.MXProofError):
            mx.account.webhook_secret()
        assert len(hostile.asked) == 2
    hostile.will(refusal(429, "rate_limited", retry_after="0"), answer(200, {"webhook_secret": "whsec_x"}))
    assert mx.account.webhook_secret() == "whsec_x"


def test_what_a_lost_answer_did_is_no_error(connect: Connect, hostile: HostileServer) -> None:
    mx = connect(KEY, hostile.url)
    hostile.will(hang_up, refusal(404, "list_not_found"))
    mx.lists.delete(7)
    hostile.will(refusal(404, "list_not_found"))
    with pytest.raises(mxproof.ListNotFound):
        mx.lists.delete(7)
    hostile.will(hang_up, refusal(404, "key_not_found"))
    mx.account.keys.delete(3)
    hostile.will(hang_up, refusal(409, "list_finished"), answer(200, {**LIST, "status": "failed"}))
    assert mx.lists.cancel(7).status == "failed"
    hostile.will(hang_up, refusal(409, "list_finished"), answer(200, LIST))
    with pytest.raises(mxproof.Conflict):
        mx.lists.cancel(7)
    callback: dict[str, object] = {
        "url": "https://x",
        "state": "pending",
        "attempts": [],
        "next_attempt_at": None,
    }
    hostile.will(hang_up, refusal(409, "callback_pending"), answer(200, callback))
    assert mx.lists.resend_callback(7).state == "pending"


def test_a_redirect_takes_the_key_nowhere(connect: Connect, hostile: HostileServer) -> None:
    with HostileServer() as elsewhere:
        elsewhere.will(answer(200, ACCOUNT))
        hostile.will(answer(307, None, location=f"{elsewhere.url}/v1/account"))
        for options in ({}, {"http_client": _following(connect)}):
            with pytest.raises(mxproof.UnexpectedAnswer, match="redirects to http"):
                connect(KEY, hostile.url, **options).account.get()
        assert elsewhere.asked == []


def _following(connect: Connect) -> Any:
    is_sync = "make_driven" not in connect.__qualname__
    return httpx.Client(follow_redirects=True) if is_sync else httpx.AsyncClient(follow_redirects=True)


def test_an_answer_without_end_is_not_held(
    connect: Connect, hostile: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_transports, "MAX_ANSWER_BYTES", 100_000)

    def pour(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[")
        for _ in range(POURED):
            connection.sendall(b"1," * 10_000)

    hostile.will(pour)
    with pytest.raises(mxproof.UnexpectedAnswer, match="larger than 100000 bytes"):
        connect(KEY, hostile.url).account.get()


@pytest.mark.parametrize(
    ("body", "headers", "words"),
    [
        ("[" * 1_000_001, {}, "more than 1000000 values"),
        ("[" * 200_000, {}, "nested too deeply"),
        (json.dumps({**ACCOUNT, "credits": "1"}), {}, "not the account"),
        (json.dumps({**ACCOUNT, "credits": True}), {}, "not the account"),
        (json.dumps({"name": "a"}), {}, "not the account"),
        ("null", {}, "not the account"),
        ("<html>", {"content_type": "text/html"}, "not JSON"),
        (json.dumps(ACCOUNT), {"content_encoding": "gzip"}, "compressed"),
    ],
)
def test_what_is_not_an_answer_of_the_service_never_reaches_the_caller(
    connect: Connect, hostile: HostileServer, body: str, headers: dict[str, str], words: str
) -> None:
    hostile.will(answer(200, body, **headers))
    with pytest.raises(mxproof.UnexpectedAnswer, match=words):
        connect(KEY, hostile.url).account.get()
    assert len(hostile.asked) == 1


def test_another_list_than_the_one_asked_for_is_refused(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(answer(200, {**LIST, "id": 8}))
    with pytest.raises(mxproof.UnexpectedAnswer, match="not this list"):
        connect(KEY, hostile.url).lists.get(7)


def test_words_and_fields_of_a_later_service_are_taken(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(answer(200, {**LIST, "status": "paused", "colour": "blue"}))
    assert connect(KEY, hostile.url).lists.get(7).status == "paused"  # type: ignore[comparison-overlap]


def test_what_the_service_warns_of_is_passed_on_once(connect: Connect, hostile: HostileServer) -> None:
    unknown, old = "unknown field: colour", "deprecated: parameter size may go on 2028-06-01; use limit"
    warned: list[str] = []
    mx = connect(KEY, hostile.url, on_warning=warned.append)
    hostile.will(
        answer(200, LIST, mxproof_warning=unknown),
        answer(200, LIST, mxproof_warning=old),
        answer(200, LIST),
        refusal(404, "list_not_found", mxproof_warning=unknown),
    )
    for _ in range(3):
        mx.lists.get(7)
    with pytest.raises(mxproof.ListNotFound):
        mx.lists.get(7)
    assert warned == [unknown, old]


def test_warnings_are_bounded(connect: Connect, hostile: HostileServer) -> None:
    warned: list[str] = []
    mx = connect(KEY, hostile.url, on_warning=warned.append)
    for number in range(_calls.MOST_WARNINGS + 1):
        hostile.will(answer(200, LIST, mxproof_warning=f"{number} " + "x" * 2 * _calls.LONGEST_WARNING))
        mx.lists.get(7)
    assert [len(one) for one in warned] == [_calls.LONGEST_WARNING] * _calls.MOST_WARNINGS


def test_a_warning_of_the_service_is_one_of_the_logger(
    connect: Connect, hostile: HostileServer, caplog: pytest.LogCaptureFixture
) -> None:
    hostile.will(answer(200, LIST, mxproof_warning="unknown field: colour"))
    connect(KEY, hostile.url).lists.get(7)
    mine = [one for one in caplog.records if one.name == "mxproof"]
    assert [(one.levelname, one.getMessage()) for one in mine] == [
        ("WARNING", "MXProof: unknown field: colour")
    ]


def test_the_client_says_what_it_is(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(answer(200, LIST))
    connect(KEY, hostile.url).lists.get(7)
    assert hostile.asked[0].headers["user-agent"] == f"mxproof-python/{mxproof.__version__}"


def test_a_drip_ends_with_the_attempt_and_the_call_with_its_deadline(
    connect: Connect, hostile: HostileServer
) -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
        for _ in range(POURED):
            connection.sendall(b" ")
            time.sleep(0.02)

    hostile.will(drip)
    mx = connect(KEY, hostile.url, timeout=0.2)
    with pytest.raises(mxproof.ConnectionFailed, match=r"within 0\.2 s"):
        mx.with_options(max_retries=0).account.get()
    with pytest.raises(mxproof.DeadlineExceeded) as late:
        mx.with_options(deadline=0.5, max_retries=1000).account.get()
    assert isinstance(late.value.__cause__, mxproof.ConnectionFailed)
    assert late.value.attempts > 1


@pytest.mark.parametrize(("of_client", "of_call"), [(1, None), (300, 1)])
def test_a_check_that_outlasts_the_deadline_says_which_list_will_have_its_result(
    connect: Connect, hostile: HostileServer, of_client: float, of_call: float | None
) -> None:
    hostile.will(answer(202, {"state": "pending", "list_id": 7}), answer(200, {**LIST, "status": "checking"}))
    with pytest.raises(mxproof.DeadlineExceeded) as late:
        connect(KEY, hostile.url, deadline=of_client).verify("ann@example.com", deadline=of_call)
    assert pickle.loads(pickle.dumps(late.value)).list_id == 7
    assert [one.path for one in hostile.asked if one.method == "POST"] == ["/v1/verify"]
    assert mxproof.DeadlineExceeded("x").list_id is None


def test_a_wait_in_seconds_is_asked_for_and_gives_a_handle(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(answer(202, {"state": "pending", "list_id": 7}))
    mx = connect(KEY, hostile.url)
    checks = [mx.verify("ann@example.com", wait=wait) for wait in (3, 1, False)]
    assert [(one.list_id, one.answer) for one in checks] == [(7, None)] * 3
    assert [one.headers["prefer"] for one in hostile.asked] == ["wait=3", "wait=1", "wait=0"]


def test_silence_ends_with_the_attempt(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(lambda connection: (connection.recv(1), None)[1])
    with pytest.raises(mxproof.ConnectionFailed, match=r"within 0\.1 s"):
        connect(KEY, hostile.url, timeout=0.1, max_retries=0).account.get()


def test_a_stream_that_breaks_is_continued_from_its_last_event(
    connect: Connect, hostile: HostileServer
) -> None:
    half = {**LIST, "total": 2, "status": "checking", "finished_at": None}
    whole = {**LIST, "total": 2, "checked": 2}
    hostile.will(
        STREAM + event("progress", "5", half),
        STREAM + event("progress", "4", {**half, "checked": 0}) + event("done", "6", whole),
    )
    seen = list(connect(KEY, hostile.url).lists.follow(7))
    # What is reported never goes back.
    assert [one.checked for one in seen] == [1, 2]
    assert [one.headers.get("last-event-id") for one in hostile.asked] == [None, "5"]


@pytest.fixture
def responses(monkeypatch: pytest.MonkeyPatch) -> list[httpx.Response]:
    """All there were, kept: the collector must not close what the client forgot."""
    kept: list[httpx.Response] = []
    send, send_async = httpx.Client.send, httpx.AsyncClient.send

    def keep(*args: Any, **kwargs: Any) -> httpx.Response:
        kept.append(send(*args, **kwargs))
        return kept[-1]

    async def keep_async(*args: Any, **kwargs: Any) -> httpx.Response:
        kept.append(await send_async(*args, **kwargs))
        return kept[-1]

    monkeypatch.setattr(httpx.Client, "send", keep)
    monkeypatch.setattr(httpx.AsyncClient, "send", keep_async)
    return kept


def test_a_stream_is_closed_when_its_reader_stops(
    connect: Connect, hostile: HostileServer, responses: list[httpx.Response]
) -> None:
    closed = threading.Event()

    def stay(connection: socket.socket) -> None:
        connection.sendall(STREAM + event("progress", "1", {**LIST, "status": "checking", "checked": 0}))
        if connection.recv(1) == b"":
            closed.set()

    hostile.will(stay)
    followed = connect(KEY, hostile.url).lists.follow(7)
    assert next(followed).status == "checking"
    assert not closed.is_set()
    cast("Generator[object, None, None]", followed).close()
    assert closed.wait(60)
    assert [one.is_closed for one in responses] == [True]


def test_a_stream_is_closed_when_its_task_is_cancelled(
    hostile: HostileServer, responses: list[httpx.Response]
) -> None:
    closed = threading.Event()

    def stay(connection: socket.socket) -> None:
        connection.sendall(STREAM)
        if connection.recv(1) == b"":
            closed.set()

    async def use() -> None:
        async with mxproof.AsyncMXProof(KEY, hostile.url) as mx:
            with anyio.move_on_after(0.2) as scope:
                await mx.lists.wait(7)
            assert scope.cancelled_caught
            # Before the client is closed.
            assert await anyio.to_thread.run_sync(lambda: closed.wait(60))
            assert [one.is_closed for one in responses] == [True]

    hostile.will(stay)
    anyio.run(use)


def test_where_events_do_not_come_through_it_is_asked(
    connect: Connect, hostile: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_events, "LONGEST_SILENCE_SECONDS", 0.1)
    mx = connect(KEY, hostile.url)
    done = answer(200, LIST)

    def say_nothing(connection: socket.socket) -> None:
        connection.sendall(STREAM)
        connection.recv(1)

    def flood(connection: socket.socket) -> None:
        connection.sendall(STREAM)
        for _ in range(POURED):
            connection.sendall(b"data: " + b"x" * 100_000)

    monkeypatch.setattr(_sse, "MAX_EVENT_CHARACTERS", 200_000)
    for troubles in (
        [refusal(429, "too_many_streams")],
        [answer(404, "no such route")],
        [done],
        [hang_up, STREAM, STREAM + b"event: progress\ndata: {\n\n"],
        [say_nothing, say_nothing, say_nothing],
        [flood],
    ):
        hostile.asked.clear()
        hostile.will(*troubles, done)
        assert mx.lists.wait(7).status == "done"
        assert hostile.asked[-1].path == "/v1/lists/7"
        assert len(hostile.asked) == len(troubles) + 1
    for final in (refusal(404, "list_not_found"), refusal(401, "invalid_api_key")):
        hostile.will(final)
        with pytest.raises(mxproof.Refusal):
            mx.lists.wait(7)


def test_an_outage_is_waited_out_once_the_service_was_there(connect: Connect, hostile: HostileServer) -> None:
    mx = connect(KEY, hostile.url, max_retries=0)
    hostile.will(refusal(503, "unavailable"))
    with pytest.raises(mxproof.ServiceUnavailable):
        mx.lists.wait(7, events=False)
    checking = {**LIST, "status": "checking", "checked": 0}
    hostile.will(answer(200, checking), refusal(503, "unavailable"), hang_up, answer(200, LIST))
    assert mx.lists.wait(7, events=False).status == "done"


def test_results_of_other_addresses_are_refused(connect: Connect, hostile: HostileServer) -> None:
    row = {
        "email": "eve@example.com",
        "state": "deliverable",
        "reason": "accepted_email",
        "score": 100,
        "accept_all": False,
        "role": False,
        "free": False,
        "disposable": False,
        "mx": None,
        "provider": "",
    }
    mx = connect(KEY, hostile.url)
    hostile.will(answer(201, LIST), STREAM + event("done", "1", LIST), answer(200, {"results": [row]}))
    with pytest.raises(mxproof.UnexpectedAnswer, match="not those of the addresses"):
        list(mx.verify_many(["ann@example.com"]))
    hostile.will(answer(200, {"results": [row] * 3}))
    with pytest.raises(mxproof.UnexpectedAnswer, match="more results than were asked for"):
        list(mx.lists.results(7, page_size=2))
    hostile.will(answer(201, LIST), STREAM + event("done", "1", LIST), answer(200, {"results": []}))
    with pytest.raises(mxproof.UnexpectedAnswer, match="fewer"):
        list(mx.verify_many(["ann@example.com"]))


def test_what_is_made_meanwhile_is_not_listed_twice(
    connect: Connect, hostile: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lists, "ROWS_PER_PAGE", 2)
    first, second, third = ({**LIST, "id": number} for number in (9, 8, 7))
    hostile.will(
        answer(200, {"lists": [first, second]}),
        answer(200, {"lists": [second, third]}),
        answer(200, {"lists": []}),
    )
    assert [one.id for one in connect(KEY, hostile.url).lists.all()] == [9, 8, 7]


def test_nothing_is_submitted_before_all_of_the_input_is_fit(
    connect: Connect, hostile: HostileServer
) -> None:
    mx = connect(KEY, hostile.url)
    with pytest.raises(TypeError, match="Address 1 is not a string"):
        list(mx.verify_many(["ann@example.com", 3]))  # type: ignore[list-item]
    with pytest.raises(ValueError, match="Address 1 has more than 1000"):
        list(mx.verify_many(["ann@example.com", "x" * 1001]))
    with pytest.raises(TypeError, match="not one string"):
        list(mx.verify_many("ann@example.com"))
    with pytest.raises(TypeError, match="not one string"):
        mx.lists.create("ann@example.com")
    assert hostile.asked == []


def test_only_what_the_service_gives_out_goes_into_paths(connect: Connect, hostile: HostileServer) -> None:
    mx = connect(KEY, hostile.url)
    wrong: Any
    for wrong in (0, -1, True, 1.5, "7/../8", None):
        for call in (mx.lists.get, mx.lists.delete, mx.lists.callback, mx.account.keys.delete):
            with pytest.raises(ValueError, match="positive integer"):
                call(wrong)
    with pytest.raises(ValueError, match="position"):
        mx.lists.evidence(7, -1)
    with pytest.raises(ValueError, match="printable ASCII"):
        mx.verify("ann@example.com", idempotency_key="a\r\nb")
    hostile.will(refusal(404, "group_not_found"))
    with pytest.raises(mxproof.NotFound):
        mx.lists.group("../a b?c")
    assert [one.path for one in hostile.asked] == ["/v1/groups/..%2Fa%20b%3Fc"]


def test_neither_key_nor_address_is_told_to_others(
    connect: Connect, hostile: HostileServer, caplog: pytest.LogCaptureFixture
) -> None:
    mx = connect(KEY, hostile.url, max_retries=0)
    # Not as it stands here: tracebacks show this file.
    person, piece = "@".join(["ann", "example.com"]), "@".join(["ann", "exa"])
    calls: list[Callable[[], object]] = [
        lambda: mx.suggest(person),
        mx.account.get,
        lambda: list(mx.lists.results(7, q=piece)),
        lambda: mx.verify(person),
    ]
    shown = [repr(mx), repr(mx.lists), repr(mx._service.settings)]
    hostile.will(answer(200, "{}"), hang_up, refusal(401, "invalid_api_key"), hang_up)
    with caplog.at_level(logging.DEBUG):
        for call in calls:
            with pytest.raises(mxproof.MXProofError) as error:
                call()
            shown.append("".join(traceback.format_exception(error.value)))
            shown.append(repr(vars(error.value)))
    assert "/v1/suggest" in caplog.text
    for text in (*shown, caplog.text):
        assert KEY not in text
        assert piece not in text
        assert "ann%40exa" not in text


def test_errors_survive_pickling(connect: Connect, hostile: HostileServer) -> None:
    hostile.will(refusal(402, "insufficient_credits", mxproof_credits_needed="12", x_request_id="r-1"))
    with pytest.raises(mxproof.InsufficientCredits) as poor:
        connect(KEY, hostile.url).account.get()
    again = pickle.loads(pickle.dumps(poor.value))
    assert type(again) is mxproof.InsufficientCredits
    assert vars(again) == vars(poor.value)
    assert (again.needed, again.request_id, str(again)) == (12, "r-1", "insufficient credits")


def test_addresses_full_of_commas_are_no_attack() -> None:
    text = json.dumps([",[{" * 1_000_000, 'quoted " and \\'])
    assert _parse.parse_json(text) == json.loads(text)
    with pytest.raises(ValueError, match="too many digits"):
        _parse.parse_json("9" * 1_000)
    with pytest.raises(ValueError, match="not JSON"):
        _parse.parse_json("NaN")


def test_waits_double_with_full_jitter_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_calls, "FIRST_WAIT_SECONDS", 0.5)
    monkeypatch.setattr("random.random", lambda: 1.0)
    assert [_calls.backoff(retry) for retry in (0, 1, 2, 3, 4, 5, 5000)] == [0.5, 1, 2, 4, 8, 8, 8]
    monkeypatch.setattr("random.random", lambda: 0.0)
    assert _calls.backoff(3) == 0
