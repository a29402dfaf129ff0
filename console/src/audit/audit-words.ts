// An entry of the audit trail in words: what was done, who did it, and what changed. Pure.
// Promise: an action, field or word that a later service writes is told by its own name.
import type { AuditEntry } from '@mxproof/client';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { formatMoment } from '../design/format.ts';
import { type ActionWords, auditWords as words } from '../messages/en-audit.ts';

/** Of an account's trail or of the deployment's, which has more words. */
export interface Entry extends Pick<AuditEntry, 'changes' | 'changed'> {
  readonly action: string;
  readonly actor: Omit<AuditEntry['actor'], 'kind'> & { readonly kind: string };
  readonly subject: { readonly kind: string; readonly id: number } | null;
}
type Value = Entry['changes'][string]['before'];

/** Who reads it. */
export interface Reader {
  readonly actions: Readonly<Record<string, ActionWords>>;
  readonly subjects: Readonly<Record<string, (id: string) => string>>;
  /** Null: the service itself. */
  who(actor: Entry['actor']): string | null;
  /** Of a key that still exists and has one. */
  keyLabel?(id: number): string | undefined;
  /** Of a member who is still one: their mailbox. */
  memberEmail?(id: number): string | undefined;
}

/** Whose account it is: the operator is one, whatever was used. */
export const forAccount = (
  keyLabel: (id: number) => string | undefined,
  memberEmail: (id: number) => string | undefined = () => undefined,
): Reader => ({
  actions: words.actions,
  subjects: words.subjects,
  keyLabel,
  memberEmail,
  who: ({ kind, id }) => {
    const label = id === null ? undefined : keyLabel(id);
    const key =
      label === undefined ? words.who.key(id === null ? null : String(id)) : words.who.keyNamed(label);
    switch (kind) {
      case 'key':
        return key;
      case 'session':
        return words.who.session(id === null ? null : key);
      case 'member':
        return memberOf(id, memberEmail);
      case 'service':
        return null;
      default:
        return words.who.operator;
    }
  },
});

function memberOf(id: number | null, memberEmail: NonNullable<Reader['memberEmail']>): string {
  const email = id === null ? undefined : memberEmail(id);
  return email === undefined
    ? words.who.member(id === null ? null : String(id))
    : words.who.memberNamed(email);
}

/** Such as: Key no. 12 was made by the operator. */
export function sentenceOf(entry: Entry, reader: Reader): string {
  const who = reader.who(entry.actor);
  const what = whatOf(entry, reader);
  const [, , place] = reader.actions[entry.action] ?? [];
  if (place === 'who_first') return words.whoFirst(who ?? words.who.service, what);
  return who === null ? what : words.by(what, who);
}

function whatOf({ action, subject, changes }: Entry, reader: Reader): string {
  const { before, after } = changes.credits ?? {};
  if (/^credits\./.test(action) && typeof before === 'number' && typeof after === 'number')
    return words.credits(after - before);
  const [, sentence] = reader.actions[action] ?? [];
  return sentence ? sentence(subject && subjectOf(subject, reader)) : words.other(action);
}

function subjectOf(
  { kind, id }: NonNullable<Entry['subject']>,
  { keyLabel, memberEmail, subjects }: Reader,
): string | null {
  const email = kind === 'member' ? memberEmail?.(id) : undefined;
  if (email !== undefined) return words.memberNamed(email);
  const label = kind === 'key' ? keyLabel?.(id) : undefined;
  return label === undefined ? (subjects[kind]?.(String(id)) ?? null) : words.keyNamed(label);
}

export interface Change {
  readonly field: string;
  /** Null: of a text, of which it is known that it changed. */
  readonly values: { readonly before: string | null; readonly after: string } | null;
}

/** What was made of nothing shows what it is, but for what it is not, and that it has texts. */
export function changesOf({
  action,
  changes,
  changed,
}: Pick<Entry, 'action' | 'changes' | 'changed'>): Change[] {
  const shown = Object.entries(changes).filter(
    ([, { before, after }]) => (before ?? false) !== (after ?? false),
  );
  const isNew = /\.(created|invited)$/.test(action);
  return [
    ...shown.map(([field, { before, after }]) => ({
      field: nameOf(field),
      values: { before: before === null ? null : textOf(field, before), after: textOf(field, after) },
    })),
    ...(isNew ? [] : changed).map((field) => ({ field: nameOf(field), values: null })),
  ];
}

/** A setting of the service stays as it is written. */
function nameOf(field: string): string {
  const known = words.fields[field];
  if (known !== undefined || /^[A-Z]/.test(field)) return known ?? field;
  const spaced = field.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function textOf(field: string, value: Value): string {
  if (value === null) return words.none;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  // As it is set.
  if (/^[A-Z]/.test(field)) return String(value);
  if (typeof value === 'number') {
    if (/_at$/.test(field)) return formatMoment(value);
    return /seconds$/.test(field) ? words.duration(value) : words.number(value);
  }
  return field === 'provider' ? providerName(value) : value.replaceAll('_', ' ');
}
