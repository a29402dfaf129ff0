// What became of mail, as a body says it: JSON, NDJSON or CSV → outcomes, and what is wrong with the others.
// Promise held here: every outcome that is taken is in bounds, whatever the bytes; what is taken and what is wrong together are
// counted, none is in both, and no sentence has anything of the body in it.
//
// An input is a letter for how the rest is to be read.
import { parsers } from '../../../server/src/http/body/parse-bodies.ts';
import { knownFields } from '../../../server/src/http/body/request-schemas.ts';
import { MAIL_OUTCOMES } from '../../../server/src/rules/mail-outcome.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';

const FORMS = { j: 'outcomes', l: 'outcome_lines', t: 'outcome_table' } as const;
const LETTERS = Object.keys(FORMS) as (keyof typeof FORMS)[];
const INPUT_MAX_BYTES = 16_384;
const EMAIL_MAX_CHARACTERS = 1_000;
const REPLY_MAX_CHARACTERS = 4_000;
const ID_MAX_CHARACTERS = 255;
const YEAR_10000_SECONDS = 253_402_300_800;

function check(input: Buffer): void {
  const letter = LETTERS[(input[0] ?? 0) % LETTERS.length]!;
  const route = FORMS[letter];
  const read = parsers[route](input.subarray(1), knownFields(route));
  if (read.kind === 'refused') {
    promised(
      ['invalid_json', 'outcomes_required', 'too_large'].includes(read.why),
      'a refusal is known',
      read,
    );
    return;
  }
  const { given, wrong } = read;
  promised(given.length + wrong.length > 0, 'something was read');
  for (const [at, { index, error }] of wrong.entries()) {
    promised(index < given.length + wrong.length, 'a place is within', index);
    promised(at === 0 || index > wrong[at - 1]!.index, 'places are in order, each once');
    promised(/^[ -~]{5,80}$/.test(error), 'a sentence is ours', error);
  }
  for (const { email, outcome, reply, atSeconds, id } of given) {
    promised(email.trim() === email && email !== '', 'an address is clean', email);
    promised([...email].length <= 2 * EMAIL_MAX_CHARACTERS, 'an address has a bound');
    promised(MAIL_OUTCOMES.includes(outcome), 'an outcome is known', outcome);
    promised(reply.length <= REPLY_MAX_CHARACTERS, 'a reply has a bound');
    promised(id === null || (id !== '' && id.length <= ID_MAX_CHARACTERS), 'an id has a bound');
    promised(
      atSeconds === null || (Number.isInteger(atSeconds) && atSeconds >= 0 && atSeconds < YEAR_10000_SECONDS),
      'a time is one',
      atSeconds,
    );
  }
}

const EMAILS = ['ann@example.com', ' A@B.example ', '', 'x', 'ü@bücher.example', '\ud800@x'];
const OUTCOMES = [...MAIL_OUTCOMES, 'opened', ''];
const REPLIES = ['', '550 5.1.1 User unknown', 'a "b", c\r\nd', '\0', 'x'.repeat(5_000)];
const TIMES = ['', '1760000000', '2026-11-19T05:00:00Z', '2026-11-19', '1e99', '-1', '1760000000123', 'now'];

function make(random: Random): Buffer {
  const letter = random.pick(LETTERS);
  const rows = Array.from({ length: random.between(0, 5) }, () => ({
    email: random.pick(EMAILS),
    outcome: random.pick(OUTCOMES),
    reply: random.chance(0.1) ? null : random.pick(REPLIES),
    at: random.chance(0.2) ? Number(random.pick(TIMES)) : random.pick(TIMES),
    id: random.chance(0.2) ? random.between(0, 9) : random.pick(['', 'a', 'b'.repeat(256)]),
  }));
  if (letter === 'j') return Buffer.from(letter + JSON.stringify({ outcomes: rows }));
  if (letter === 'l')
    return Buffer.from(
      letter + rows.map((row) => JSON.stringify(row)).join(random.pick(['\n', '\r\n', '\n\n'])),
    );
  const separator = random.pick([',', ';']);
  const cell = (value: unknown) => {
    const text = String(value ?? '');
    return random.chance(0.5) || /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => Object.values(row).map(cell).join(separator));
  return Buffer.from(
    letter + [['email', 'outcome', 'reply', 'at', 'id'].join(separator), ...lines].join('\r\n'),
  );
}

function* seeds(): Generator<Buffer> {
  yield Buffer.from('j{"outcomes":[{"email":"a@b.example","outcome":"delivered"},7]}');
  yield Buffer.from('l{"email":"a@b.example","outcome":"bounced","reply":"550"}\n{\n');
  yield Buffer.from('t\ufeffoutcome;email\r\ncomplained;"a@b.example"\r\n;\r\n"');
}

export const outcomes: Target = {
  name: 'outcomes',
  inputs: 20_000,
  cpuSecondsMax: 100,
  inputMaxBytes: INPUT_MAX_BYTES,
  seeds,
  dictionary: words(
    '{',
    '}',
    '[',
    ']',
    '"',
    '""',
    ',',
    ';',
    '\r\n',
    'email',
    'outcome',
    'delivered',
    '\\u0000',
    'null',
  ),
  make,
  check,
};
