// What a body says became of mail: JSON, NDJSON (a JSON object a line) or CSV with a header.
// Promise: whatever the bytes, at most MAX_OUTCOMES are read, each on its own: one that is wrong keeps no other from being taken,
// and is told by its place, counted from 0.
import { cleanEmail, longerThan, MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import {
  type GivenOutcome,
  MAIL_OUTCOMES,
  MAX_OUTCOME_ID_CHARACTERS,
  MAX_OUTCOME_REPLY_CHARACTERS,
  MAX_OUTCOMES,
  type MailOutcome,
} from '../../rules/mail-outcome.ts';
import { unknownNames } from '../unknown-names.ts';
import {
  own,
  type Parser,
  parser,
  type RefusedBody,
  refused,
  type TakenBody,
  whatIs,
} from './read-by-hand.ts';

export interface WrongOutcome {
  readonly index: number;
  readonly error: string;
}

export interface OutcomesBody {
  readonly given: readonly GivenOutcome[];
  readonly wrong: readonly WrongOutcome[];
}

const FIELDS = ['email', 'outcome', 'reply', 'at', 'id'] as const;
/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;
/** Of a line of NDJSON: escaped, the longest of all fields. */
const MAX_LINE_CHARACTERS = 64 * 1024;
const MAX_CELLS = 100;
const ISO_8601 = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** By how the body is written. */
export const outcomeParsers = {
  outcomes: parser(readOutcomes),
  outcome_lines: readOutcomeLines satisfies Parser<OutcomesBody>,
  outcome_table: readOutcomeTable satisfies Parser<OutcomesBody>,
};

function readOutcomes(body: unknown): OutcomesBody | RefusedBody {
  const outcomes = own(body, 'outcomes');
  if (!Array.isArray(outcomes))
    return refused('outcomes_required', whatIs(body, 'outcomes', 'an array of objects'));
  const reader = new OutcomeReader();
  for (const each of outcomes) if (!reader.add(() => each)) break;
  return reader.end();
}

function readOutcomeLines(bytes: Uint8Array): TakenBody<OutcomesBody> | RefusedBody {
  const text = textOf(bytes);
  const reader = new OutcomeReader();
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    const line = to - from > MAX_LINE_CHARACTERS ? null : text.slice(from, to).trim();
    from = to + 1;
    if (line === '') continue;
    if (!reader.add(() => (line === null ? null : JSON.parse(line)))) break;
  }
  return taken(reader.end(), []);
}

function readOutcomeTable(bytes: Uint8Array): TakenBody<OutcomesBody> | RefusedBody {
  const rows = rowsOf(textOf(bytes));
  const header = (rows.next().value ?? []).map((cell) => cell.trim().toLowerCase());
  const unknown = unknownNames(
    header.filter((name) => name !== ''),
    FIELDS,
  );
  const missing = ['email', 'outcome'].find((name) => !header.includes(name));
  if (missing !== undefined) return refused('outcomes_required', `the first row names no column ${missing}`);
  const columns = FIELDS.map((field) => [field, header.indexOf(field)] as const);
  const reader = new OutcomeReader();
  for (const cells of rows) {
    const row = Object.fromEntries(columns.map(([field, at]) => [field, at < 0 ? undefined : cells[at]]));
    if (!reader.add(() => row)) break;
  }
  return taken(reader.end(), unknown);
}

function taken(
  read: OutcomesBody | RefusedBody,
  unknownFields: readonly string[],
): TakenBody<OutcomesBody> | RefusedBody {
  return 'kind' in read ? read : { kind: 'taken', ...read, unknownFields };
}

class OutcomeReader {
  readonly #given: GivenOutcome[] = [];
  readonly #wrong: WrongOutcome[] = [];
  #count = 0;

  /** False: there are too many. `read` may throw: then it is no JSON. */
  add(read: () => unknown): boolean {
    const index = this.#count++;
    if (index === MAX_OUTCOMES) return false;
    const outcome = outcomeOf(read);
    if (typeof outcome === 'string') this.#wrong.push({ index, error: outcome });
    else this.#given.push(outcome);
    return true;
  }

  end(): OutcomesBody | RefusedBody {
    if (this.#count === 0) return refused('outcomes_required', 'there is no outcome in it');
    if (this.#count > MAX_OUTCOMES) return refused('too_many_outcomes');
    return { given: this.#given, wrong: this.#wrong };
  }
}

/** Or what is wrong with it. */
function outcomeOf(read: () => unknown): GivenOutcome | string {
  let value: unknown;
  try {
    value = read();
  } catch {
    return 'not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object';
  const given = own(value, 'email');
  if (typeof given !== 'string') return 'email required';
  if (longerThan(given, MAX_EMAIL_CHARACTERS)) return 'email too long';
  const email = cleanEmail(given);
  if (email === '') return 'email required';
  const outcome = own(value, 'outcome');
  if (!MAIL_OUTCOMES.includes(outcome as MailOutcome))
    return 'outcome must be delivered, bounced or complained';
  const reply = own(value, 'reply') ?? '';
  if (typeof reply !== 'string') return 'reply must be a string';
  const atSeconds = secondsOf(own(value, 'at'));
  if (Number.isNaN(atSeconds)) return 'at must be a time in Unix seconds, or ISO 8601';
  const id = own(value, 'id') ?? '';
  if ((typeof id !== 'string' && !Number.isSafeInteger(id)) || String(id).length > MAX_OUTCOME_ID_CHARACTERS)
    return `id must be a string of at most ${MAX_OUTCOME_ID_CHARACTERS} characters`;
  return {
    email,
    outcome: outcome as MailOutcome,
    reply: reply.slice(0, MAX_OUTCOME_REPLY_CHARACTERS),
    atSeconds,
    id: id === '' ? null : String(id),
  };
}

/** Null: none was given. NaN: it is no time. */
function secondsOf(given: unknown): number | null {
  if (given === undefined || given === null || given === '') return null;
  const seconds =
    typeof given === 'string' && ISO_8601.test(given)
      ? Date.parse(given) / 1_000
      : typeof given === 'number' || (typeof given === 'string' && /^\d{1,15}(?:\.\d{1,9})?$/.test(given))
        ? Number(given)
        : Number.NaN;
  return seconds >= 0 && seconds <= MAX_SECONDS ? Math.floor(seconds) : Number.NaN;
}

/** Bytes that are no UTF-8 become U+FFFD; a byte order mark is left out. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** RFC 4180, with line breaks of any kind, and with semicolons where the header has no comma; blank rows are left out. */
function* rowsOf(text: string): Generator<string[], void, undefined> {
  const headerEnd = text.search(/[\r\n]/);
  const header = headerEnd < 0 ? text : text.slice(0, headerEnd);
  const separator = header.includes(',') ? ',' : ';';
  const cellEnd = separator === ',' ? /[,\r\n]/g : /[;\r\n]/g;
  for (let at = 0; at < text.length; ) {
    const cells: string[] = [];
    for (;;) {
      let cell = '';
      if (text[at] === '"') {
        for (at += 1; ; ) {
          const quote = text.indexOf('"', at);
          const to = quote < 0 ? text.length : quote;
          cell += text.slice(at, to);
          at = to + 1;
          if (text[at] !== '"') break;
          cell += '"';
          at += 1;
        }
      }
      cellEnd.lastIndex = at;
      const end = cellEnd.exec(text)?.index ?? text.length;
      cell += text.slice(at, end);
      at = end;
      if (cells.length < MAX_CELLS) cells.push(cell);
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (cells.length > 1 || cells[0] !== '') yield cells;
  }
}
