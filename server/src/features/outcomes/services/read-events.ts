// The parts that the readers of the services' bodies share. Promise: whatever the value is, nothing throws, and no name is read
// from a prototype.
import { cleanEmail, longerThan, MAX_EMAIL_CHARACTERS } from '../../../rules/clean-emails.ts';
import { MAX_OUTCOME_REPLY_CHARACTERS } from '../../../rules/mail-outcome.ts';
import type { ServiceEvents, ServiceOutcome } from './service.ts';

/** Undefined: it is no JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A field of what may be an object. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Empty: it is none. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Without the name and the brackets that some services leave around it. Empty: it is none. */
export function address(value: unknown): string {
  const whole = text(value).trim();
  const opening = whole.lastIndexOf('<');
  const email = cleanEmail(opening >= 0 && whole.endsWith('>') ? whole.slice(opening + 1, -1) : whole);
  return email.includes('@') && !longerThan(email, MAX_EMAIL_CHARACTERS) ? email : '';
}

export function replyText(value: unknown): string {
  return text(value).trim().slice(0, MAX_OUTCOME_REPLY_CHARACTERS);
}

/** Of a date as text; null: it is none. */
export function secondsOfDate(value: unknown): number | null {
  return wholeSeconds(Date.parse(text(value)) / 1_000);
}

export function wholeSeconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : null;
}

/** Its parts may name the recipient: what is stored of it is a keyed hash. */
export function eventId(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Each event is nothing, or what it says of one recipient or several. */
export function gather(
  events: readonly unknown[],
  read: (event: unknown) => readonly ServiceOutcome[] | null,
): ServiceEvents {
  const outcomes: ServiceOutcome[] = [];
  let ignored = 0;
  for (const event of events) {
    const told = read(event) ?? [];
    const complete = told.filter(({ email }) => email !== '');
    outcomes.push(...complete);
    if (complete.length === 0) ignored += 1;
  }
  return { outcomes, ignored };
}
