"""What the account has changed and was refused, for a week."""

from __future__ import annotations

from ._calls import Call, QueryValue, Service, fetch
from ._flow import Flow, emit
from ._types import LoggedRequest, RequestPage

# What the service keeps of an account, and gives at once.
_MOST_KEPT = 10_000


def list_requests(service: Service, query: dict[str, QueryValue]) -> Flow[list[LoggedRequest]]:
    call = Call("GET", "/requests", query=query)
    return (yield from fetch(service, RequestPage, call, "the requests")).requests


def all_requests(service: Service, query: dict[str, QueryValue]) -> Flow[None]:
    for each in (yield from list_requests(service, {**query, "limit": _MOST_KEPT})):
        yield from emit(each)
