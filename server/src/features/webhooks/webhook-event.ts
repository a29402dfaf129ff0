// What is sent to an endpoint, its id and its bytes; and what of the answer is shown.
import { type List, listSummary } from '../../rules/list.ts';
import type { WebhookEvent } from '../../rules/webhook-events.ts';

const TEST_PREFIX = 'test_';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A receiver of live events can tell it from the id alone, which the signature covers. */
export function messageId(uuid: string, test: boolean): string {
  return `${test ? TEST_PREFIX : ''}${uuid}`;
}

/** Null: no message has this id. */
export function uuidOf(id: string): string | null {
  const uuid = id.startsWith(TEST_PREFIX) ? id.slice(TEST_PREFIX.length) : id;
  return UUID.test(uuid) ? uuid : null;
}

/** Of a list, as the trigger has written them. */
interface ListFacts {
  readonly status: List['status'];
  readonly checked: number;
  readonly deliverable: number;
  readonly risky: number;
  readonly undeliverable: number;
  readonly unknown: number;
  readonly finishedAtSeconds: number | null;
}

/** `list`: as it is now; its progress is that of when it happened. */
export function eventBody(
  event: { readonly event: WebhookEvent | 'test'; readonly atMs: number; readonly facts: object },
  list: List | null,
): string {
  const { event: type, atMs, facts } = event;
  return JSON.stringify({
    type,
    timestamp: new Date(atMs).toISOString(),
    data: list === null ? facts : listSummary(listThen(list, facts as ListFacts)),
  });
}

function listThen(list: List, { status, checked, finishedAtSeconds, ...counts }: ListFacts): List {
  return { ...list, status, checked, finishedAtSeconds, counts };
}

/** In bytes. */
export const ANSWER_BYTES = 500;

/** Controls, format characters such as those of writing direction, and separators of lines. */
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** As text that a terminal and a page may show. */
export function answerText(bytes: Uint8Array): string {
  // Not the half of a character at its end.
  const text = new TextDecoder().decode(bytes.subarray(0, ANSWER_BYTES), { stream: true });
  return text.replace(NOT_SHOWN, ' ').trim();
}
