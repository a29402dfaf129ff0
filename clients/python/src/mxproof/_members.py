"""Members: people who use the account in a browser."""

from __future__ import annotations

from ._calls import Call, Service, carry_out, fetch, idempotency_key, require_id
from ._errors import Refusal
from ._flow import Flow
from ._lists import is_done_before
from ._types import InvitedMember, Member, MemberPage, Role


def list_members(service: Service) -> Flow[list[Member]]:
    return (yield from fetch(service, MemberPage, Call("GET", "/members"), "the members")).members


def invite_member(service: Service, email: str, role: Role, key: str | None) -> Flow[InvitedMember]:
    return _invited(service, "/members", {"email": email, "role": role}, key)


def update_member(service: Service, member_id: int, role: Role) -> Flow[Member]:
    return fetch(service, Member, Call("PATCH", _path(member_id), body={"role": role}), "a member")


def make_link(service: Service, member_id: int, key: str | None) -> Flow[InvitedMember]:
    return _invited(service, f"{_path(member_id)}/link", None, key)


def delete_member(service: Service, member_id: int) -> Flow[None]:
    try:
        yield from carry_out(service, Call("DELETE", _path(member_id)))
    except Refusal as refusal:
        # The attempt before this one deleted it, and its answer was lost.
        if not is_done_before(refusal, "member_not_found"):
            raise


def _invited(
    service: Service, path: str, body: dict[str, object] | None, key: str | None
) -> Flow[InvitedMember]:
    # The service does not remember it: done twice, the first link would be lost.
    call = Call("POST", path, body=body, headers=idempotency_key(key), repeat="unless_done")
    return fetch(service, InvitedMember, call, "an invited member")


def _path(member_id: int) -> str:
    return f"/members/{require_id(member_id, 'member')}"
