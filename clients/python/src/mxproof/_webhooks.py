"""Endpoints of the account, and what was sent to them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ._calls import Call, QueryValue, Service, carry_out, fetch, idempotency_key, require_id
from ._errors import Refusal
from ._flow import Flow
from ._lists import every_once, is_done_before
from ._types import (
    NewWebhook,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryPage,
    WebhookPage,
    WebhookSecret,
)


def list_webhooks(service: Service) -> Flow[list[Webhook]]:
    return (yield from fetch(service, WebhookPage, Call("GET", "/webhooks"), "the endpoints")).webhooks


def create_webhook(
    service: Service, url: str, events: Sequence[str], description: str | None, key: str | None
) -> Flow[NewWebhook]:
    body = _body(url, events, description, None)
    return fetch(service, NewWebhook, _post("/webhooks", key, body), "a new endpoint")


def get_webhook(service: Service, webhook_id: int) -> Flow[Webhook]:
    return fetch(service, Webhook, Call("GET", _path(webhook_id)), "an endpoint")


def update_webhook(
    service: Service,
    webhook_id: int,
    url: str | None,
    events: Sequence[str] | None,
    description: str | None,
    paused: bool | None,
) -> Flow[Webhook]:
    body = _body(url, events, description, paused)
    return fetch(service, Webhook, Call("PATCH", _path(webhook_id), body=body), "an endpoint")


def delete_webhook(service: Service, webhook_id: int) -> Flow[None]:
    try:
        yield from carry_out(service, Call("DELETE", _path(webhook_id)))
    except Refusal as refusal:
        # The attempt before this one deleted it, and its answer was lost.
        if not is_done_before(refusal, "webhook_not_found"):
            raise


def test_webhook(service: Service, webhook_id: int, key: str | None) -> Flow[WebhookDelivery]:
    return fetch(service, WebhookDelivery, _post(f"{_path(webhook_id)}/test", key), "a delivery")


def rotate_secret(service: Service, webhook_id: int, key: str | None) -> Flow[str]:
    call = _post(f"{_path(webhook_id)}/secret", key)
    return (yield from fetch(service, WebhookSecret, call, "a webhook secret")).webhook_secret


def get_deliveries(
    service: Service, webhook_id: int, query: dict[str, QueryValue]
) -> Flow[list[WebhookDelivery]]:
    call = Call("GET", f"{_path(webhook_id)}/deliveries", query=query)
    return (yield from fetch(service, WebhookDeliveryPage, call, "the deliveries")).deliveries


def all_deliveries(service: Service, webhook_id: int, state: QueryValue) -> Flow[None]:
    return every_once(
        lambda offset, limit: get_deliveries(
            service, webhook_id, {"state": state, "offset": offset, "limit": limit}
        ),
        lambda delivery: delivery.id,
    )


def resend_delivery(
    service: Service, webhook_id: int, delivery: str, key: str | None
) -> Flow[WebhookDelivery]:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", delivery):
        raise ValueError("A delivery is named by the webhook-id of its attempts.")
    call = _post(f"{_path(webhook_id)}/deliveries/{delivery}/resend", key)
    return fetch(service, WebhookDelivery, call, "a delivery")


def _path(webhook_id: int) -> str:
    return f"/webhooks/{require_id(webhook_id, 'webhook')}"


def _body(
    url: str | None, events: Sequence[str] | None, description: str | None, paused: bool | None
) -> dict[str, object]:
    if isinstance(events, str):
        raise TypeError("events is a list of names, not one string.")
    given = {
        "url": url,
        "events": None if events is None else list(events),
        "description": description,
        "paused": paused,
    }
    return {field: value for field, value in given.items() if value is not None}


def _post(path: str, key: str | None, body: dict[str, object] | None = None) -> Call:
    # The service does not remember it: done twice, there would be two endpoints, two secrets or two events.
    return Call("POST", path, body=body, headers=idempotency_key(key), repeat="unless_done")
