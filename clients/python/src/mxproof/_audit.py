"""Who changed what in the account, and read out of it."""

from __future__ import annotations

from ._calls import Call, QueryValue, Service, fetch
from ._flow import Flow
from ._types import AuditEntry, AuditPage


def list_audit(service: Service, query: dict[str, QueryValue]) -> Flow[list[AuditEntry]]:
    call = Call("GET", "/audit", query=query)
    return (yield from fetch(service, AuditPage, call, "the audit trail")).entries
