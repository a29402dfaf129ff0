// What clients post: bytes → a list, a single address, a key, or one of the documented refusals; in whatever pieces they come.
// An input is the route, then the body. Bodies above 256 KiB go to a worker thread and are not fuzzed here.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createBodyReader } from '../../../server/src/http/body/body-reader.ts';
import { isTooManyValues } from '../../../server/src/http/body/json-shape.ts';
import { type Bodies, type BodyRefusal, parseBody } from '../../../server/src/http/body/parse-bodies.ts';
import { readList } from '../../../server/src/http/body/read-json.ts';
import { NOT_JSON_SENTENCES } from '../../../server/src/http/body/where-not-json.ts';
import { wording } from '../../../server/src/http/errors.ts';
import { SENDING_SERVICES } from '../../../server/src/rules/sending-services.ts';
import { WEBHOOK_EVENTS } from '../../../server/src/rules/webhook-events.ts';
import type { Random } from '../../../world/src/random.ts';
import { piecesOf, randomOf } from '../pieces.ts';
import { promised, type Target, words } from '../target.ts';

const INPUT_MAX_BYTES = 16_384;
const EMAIL_MAX_CHARACTERS = 1_000;
const NAME_MAX_CHARACTERS = 200;
const URL_MAX_CHARACTERS = 2_000;
const LABEL_MAX_CHARACTERS = 100;
const SIGNING_KEY_MAX_CHARACTERS = 1_000;
const TOPIC_MAX_CHARACTERS = 400;
const CHUNK_SIZE = 250;
/** Lower case may be longer: İ has two bytes, i̇ has three. Else an address takes no more than it took in the body. */
const GROWTH_MAX = 1.5;

/** So that small inputs have several. */
const SMALL_PIECE_BYTES = 16;

const ROUTES = [
  'lists',
  'verify',
  'keys',
  'session',
  'reply',
  'corrections',
  'erase',
  'rename',
  'account',
  'webhook',
  'webhook_change',
  'suggest',
  'hook',
] as const satisfies (keyof Bodies)[];

const reader = createBodyReader();

const PLACE = /^unexpected (byte|end) at position \d+( \(line \d+, column \d+\))?(: |$)/;

function isFixed(detail: string): boolean {
  const sentence = detail.replace(PLACE, '');
  return sentence === '' || NOT_JSON_SENTENCES.has(sentence);
}

async function check(input: Buffer): Promise<void> {
  const route = ROUTES[(input[0] ?? 0) % ROUTES.length]!;
  const bytes = input.subarray(1);
  const body = parseBody(route, bytes);
  const json = readStrictly(bytes);
  // Operators' bodies have a target of their own.
  if (body.kind === 'refused') checkRefusal(body.why as BodyRefusal, json, route);
  if (body.kind === 'refused' && json === null)
    promised(
      body.detail === undefined || isFixed(body.detail),
      'of what is no JSON, nothing but a place and a fixed sentence is told',
      body.detail,
    );
  else
    promised(
      json !== null || (route === 'corrections' && bytes.length === 0),
      'what is taken is JSON, or may be left out',
    );
  if ('duplicatesRemoved' in body) checkList(body, json?.value, bytes.length);
  if ('email' in body) checkEmail(body.email);
  if ('label' in body) checkKey(body);
  if ('domains' in body) checkDomains(body, json?.value);
  promised(
    isDeepStrictEqual(readList(bytes, SMALL_PIECE_BYTES), readList(bytes)),
    'addresses read in small pieces are the same',
  );
  promised(!isTooManyValues(bytes), 'a small body has not too many values');
  const random = randomOf(input);
  const headers = random.chance(0.5) ? { 'content-length': String(bytes.length) } : {};
  const raw = Object.assign(Readable.from(piecesOf(bytes, random), { objectMode: false }), { headers });
  const read = await reader.read(raw as unknown as IncomingMessage, {
    accountId: 1,
    hashed: false,
    maxBytes: bytes.length,
    beforeReading: () => {},
  });
  promised(read.kind === 'body' && read.bytes === bytes.length, 'a body is read whole', read.kind);
  // Of a bounce a thread says what its replies mean; the target bounces reads those.
  const again =
    route === 'reply' ? parseBody('reply', Buffer.concat(read.blocks)) : await reader.understand(route, read);
  read.reservation.release();
  promised(isDeepStrictEqual(again, body), 'the same bytes in other pieces say the same');
}

function readStrictly(bytes: Buffer): { readonly value: unknown } | null {
  if (!isUtf8(bytes)) return null;
  try {
    return { value: JSON.parse(bytes.toString().replace(/^\ufeff/, '')) };
  } catch {
    return null;
  }
}

function field(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null
    ? Object.getOwnPropertyDescriptor(json, name)?.value
    : undefined;
}

const isWrongText = (value: unknown, most: number) =>
  value !== null && (typeof value !== 'string' || value === '' || isLong(value, most));
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isLong = (value: unknown, most: number) => typeof value === 'string' && [...value].length > most;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isFile = (value: unknown) =>
  isObject(value) &&
  typeof field(value, 'name') === 'string' &&
  !isLong(field(value, 'name'), 200) &&
  ['rows', 'addresses', 'invalid', 'duplicates', 'corrected'].every((name) => isCount(field(value, name)));
const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === '';

function checkRefusal(why: BodyRefusal, json: { readonly value: unknown } | null, route: keyof Bodies): void {
  const { status, message } = wording(why);
  promised(status === 400 || status === 413, 'a refusal is the client’s', { why, status, message });
  promised((why === 'invalid_json') === (json === null), 'what is no JSON is refused as that', why);
  if (json === null) return;
  const emails = field(json.value, 'emails');
  const email = field(json.value, 'email');
  const name = field(json.value, 'name');
  const url = field(json.value, 'callback_url');
  const endpoint = field(json.value, 'url');
  const events = field(json.value, 'events');
  const description = field(json.value, 'description');
  const low = field(json.value, 'low_credits');
  const outcomes = field(json.value, 'outcomes');
  const group = field(json.value, 'group');
  const file = field(json.value, 'file');
  const label = field(json.value, 'label');
  const domains = field(json.value, 'domains');
  const ips = field(json.value, 'allowed_ips');
  const elements: unknown[] = Array.isArray(emails) ? emails : [];
  const holds: Readonly<Record<BodyRefusal, () => boolean>> = {
    invalid_json: () => false,
    email_required: () => isBlank(email),
    bad_email: () => email !== 'anna@example.com',
    bad_role: () => !['owner', 'member', 'viewer'].includes(String(field(json.value, 'role'))),
    bad_account_id: () =>
      !(Number.isInteger(field(json.value, 'account_id')) && Number(field(json.value, 'account_id')) > 0),
    email_too_long: () => [email, ...elements].some((one) => isLong(one, EMAIL_MAX_CHARACTERS)),
    emails_required: () => !Array.isArray(emails) || elements.every(isBlank),
    emails_not_strings: () => elements.some((one) => typeof one !== 'string'),
    // No input here is long enough.
    too_many_addresses: () => false,
    too_large: () => false,
    name_not_string: () => typeof name !== 'string',
    name_too_long: () => isLong(name, NAME_MAX_CHARACTERS),
    bad_account_name: () => isBlank(name) || !isPrintable(name as string),
    callback_url_not_https: () =>
      typeof url !== 'string' || !/^https:\/\/[^@]*$/.test(url) || !URL.canParse(url),
    callback_url_too_long: () => isLong(url, URL_MAX_CHARACTERS),
    bad_file: () => file !== undefined && !isFile(file),
    bad_group: () => group === null || !isGroupOrNull(group),
    bad_domains: () =>
      !isObject(json.value) ||
      !Array.isArray(domains) ||
      domains.length === 0 ||
      domains.some((one) => typeof one !== 'string' || isLong(one, EMAIL_MAX_CHARACTERS)),
    api_key_required: () => !field(json.value, 'api_key') || typeof field(json.value, 'api_key') !== 'string',
    bad_label: () => isBlank(label) || isLong(label, LABEL_MAX_CHARACTERS) || !isPrintable(label as string),
    text_required: () => isBlank(field(json.value, 'text')),
    // No input here is long enough.
    text_too_large: () => false,
    url_not_https: () =>
      typeof endpoint !== 'string' || !/^https:\/\/[^@]*$/.test(endpoint) || !URL.canParse(endpoint),
    url_too_long: () => isLong(endpoint, URL_MAX_CHARACTERS),
    bad_events: () =>
      !Array.isArray(events) ||
      events.length === 0 ||
      new Set(events).size < events.length ||
      events.some((one) => !(WEBHOOK_EVENTS as readonly unknown[]).includes(one)),
    bad_description: () =>
      typeof description !== 'string' ||
      isLong(description, NAME_MAX_CHARACTERS) ||
      /\p{Cc}/u.test(description),
    bad_service: () => !(SENDING_SERVICES as readonly unknown[]).includes(field(json.value, 'service')),
    bad_signing_key: () => isWrongText(field(json.value, 'signing_key'), SIGNING_KEY_MAX_CHARACTERS),
    bad_topic: () => isWrongText(field(json.value, 'topic'), TOPIC_MAX_CHARACTERS),
    bad_paused: () => typeof field(json.value, 'paused') !== 'boolean',
    bad_low_credits: () => !isCount(low) || Number(low) < 1 || Number(low) > 1e12,
    bad_mail_when_done: () => typeof field(json.value, 'mail_when_done') !== 'boolean',
    bad_list_mail: () => typeof field(json.value, 'list_mail') !== 'boolean',
    bad_outcomes: () => typeof field(json.value, 'outcomes') !== 'boolean',
    outcomes_required: () => !Array.isArray(outcomes) || outcomes.length === 0,
    // No input here is long enough.
    too_many_outcomes: () => false,
    bad_test: () => typeof field(json.value, 'test') !== 'boolean',
    bad_manage: () => typeof field(json.value, 'manage') !== 'boolean',
    bad_access: () => !['full', 'read', 'verify'].includes(field(json.value, 'access') as string),
    bad_expires_at: () => !isYearInRange(field(json.value, 'expires_at')),
    bad_allowed_ips: () => !Array.isArray(ips) || ips.length === 0 || ips.some((ip) => !isAddress(ip)),
  };
  // A URL may have an @ behind its host: then nothing is said about the refusal.
  promised(holds[why](), 'a refusal is true', { why, route });
}

function checkList(body: Bodies['lists'] & { kind: 'taken' }, json: unknown, bytes: number): void {
  const { emails, duplicatesRemoved, name, callbackUrl, group, file } = body;
  const chunks = emails.pieces.flatMap(({ text }) => Buffer.from(text).toString().split('\n'));
  const taken = chunks.map((chunk) => JSON.parse(chunk) as string[]);
  const given = (field(json, 'emails') as string[])
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '');
  promised(isDeepStrictEqual(taken.flat(), [...new Set(given)]), 'a list has its addresses, each once');
  promised(emails.total === taken.flat().length && emails.total >= 1, 'a list knows how many', emails.total);
  promised(
    duplicatesRemoved === given.length - emails.total,
    'what is missing is counted',
    duplicatesRemoved,
  );
  promised(
    taken.every((chunk) => chunk.length <= CHUNK_SIZE),
    'a chunk is bounded',
  );
  const kept = emails.pieces.reduce((sum, { text }) => sum + text.length, 0);
  promised(kept <= bytes * GROWTH_MAX, 'memory is in proportion to the body', { kept, bytes });
  promised(
    name === (field(json, 'name') ?? '') && !isLong(name, NAME_MAX_CHARACTERS),
    'a name is as given',
    name,
  );
  promised(
    callbackUrl === null || (/^https:\/\/[!-~]+$/.test(callbackUrl) && URL.canParse(callbackUrl)),
    'a callback goes to https, in ASCII',
    callbackUrl,
  );
  promised(group === (field(json, 'group') ?? null) && isGroupOrNull(group), 'a group is as given', group);
  promised(file === null ? field(json, 'file') === undefined : isFile(file), 'a file is one', file);
}

const isGroupOrNull = (value: unknown) =>
  value === null || (typeof value === 'string' && /^[\w-]{1,64}$/.test(value));
const isPrintable = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);
const isYearInRange = (value: unknown) =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  value > 0 &&
  new Date(value * 1000).getUTCFullYear() <= 9999;
/** A single one: whether the bits of a range are right is for cidr.test.ts. */
const isAddress = (value: unknown) => typeof value === 'string' && isIP(value) !== 0 && !value.includes('%');

function checkKey({
  label,
  expires_at: expiresAtSeconds = null,
  allowed_ips: allowedIps = null,
}: Bodies['keys'] & { kind: 'taken' }): void {
  promised(
    !isBlank(label) && !isLong(label, LABEL_MAX_CHARACTERS) && isPrintable(label),
    'a label can be stored and shown',
    label,
  );
  promised(
    expiresAtSeconds === null || isYearInRange(expiresAtSeconds),
    'a key ends within this era',
    expiresAtSeconds,
  );
  promised(
    (allowedIps ?? ['::']).length > 0 && (allowedIps ?? []).every((ip) => isIP(ip.split('/')[0]!) !== 0),
    'only addresses are allowed',
    allowedIps,
  );
}

function checkDomains({ domains }: Bodies['corrections'] & { kind: 'taken' }, json: unknown): void {
  const given = field(json, 'domains') as string[] | undefined;
  promised(
    isDeepStrictEqual(domains, given ? new Set(given.map((one) => one.trim().toLowerCase())) : null),
    'the domains to correct are those given, or all',
    given,
  );
}

function checkEmail(email: string): void {
  promised(
    email !== '' && email === email.trim() && email === email.toLowerCase(),
    'an address is clean',
    email,
  );
}

const EMAILS = [
  'a@b.test',
  ' A@B.test ',
  'nul\0@b.test',
  '\ud800@b.test',
  '',
  '   ',
  'İ@b.test',
  'x'.repeat(1_000),
  'x'.repeat(1_001),
  '😀'.repeat(600),
  '=1+1@b.test',
];
const VALUES: readonly unknown[] = [
  ...EMAILS,
  1,
  null,
  true,
  [],
  {},
  ['a@b.test'],
  [['a@b.test']],
  'https://h.example/x',
  'http://h',
  'https://u:p@h/',
  'https://',
  1_900_000_000,
  1e300,
  '10.0.0.0/8',
  ['10.0.0.0/8', '::1', '::ffff:10.0.0.1'],
  ['10.0.0.1/8'],
  'a label\u0007',
];

const FILE = { name: 'a.csv', rows: 3, addresses: 2, invalid: 1, duplicates: 0, corrected: 0 };

/** Mostly a body as it should be, with one thing or another wrong. */
function make(random: Random): Buffer {
  const some = () =>
    Array.from({ length: random.between(0, random.chance(0.1) ? 260 : 6) }, () =>
      random.pick(random.chance(0.9) ? EMAILS : VALUES),
    );
  const body: Record<string, unknown> = {};
  if (random.chance(0.9)) body.emails = random.chance(0.9) ? some() : random.pick(VALUES);
  if (random.chance(0.5)) body.email = random.pick(VALUES);
  if (random.chance(0.3))
    body.name = random.chance(0.5) ? 'n'.repeat(random.between(198, 202)) : random.pick(VALUES);
  if (random.chance(0.3)) body.callback_url = random.pick(VALUES);
  if (random.chance(0.3)) body.group = random.chance(0.5) ? 'g-1' : random.pick(VALUES);
  if (random.chance(0.3))
    body.file = random.chance(0.5) ? { ...FILE, name: random.pick(VALUES) } : random.pick(VALUES);
  if (random.chance(0.4)) body.label = random.chance(0.7) ? 'server' : random.pick(VALUES);
  if (random.chance(0.3))
    body.domains = random.chance(0.7) ? ['gmial.com', ' Gmal.com'] : random.pick(VALUES);
  if (random.chance(0.3)) body.text = random.chance(0.5) ? '550 5.1.1 no' : random.pick(VALUES);
  for (const name of ['test', 'manage', 'expires_at', 'allowed_ips'])
    if (random.chance(0.2)) body[name] = random.pick(VALUES);
  if (random.chance(0.1)) body[random.pick(['__proto__', 'constructor', 'toString'])] = random.pick(VALUES);
  const text = JSON.stringify(random.chance(0.95) ? body : random.pick(VALUES), null, random.pick([0, 0, 2]));
  return Buffer.concat([
    Buffer.from([random.between(0, ROUTES.length - 1)]),
    Buffer.from(random.chance(0.05) ? `\ufeff${text}` : text),
  ]);
}

function* seeds(): Generator<Buffer> {
  for (const route of ROUTES.keys())
    for (const value of VALUES)
      for (const body of [
        { emails: value },
        { emails: [value], name: value },
        { email: value },
        { emails: ['a@b.test'], callback_url: value },
        { emails: ['a@b.test'], group: value },
        { emails: ['a@b.test'], file: value },
        { emails: ['a@b.test'], file: { ...FILE, name: value, rows: value } },
        { text: value },
        { label: value },
        { service: value, topic: value },
        { service: 'ses', signing_key: value, topic: value },
        { domains: value },
        { domains: ['gmial.com', value] },
        { label: 'x', test: value, manage: value },
        { label: 'x', expires_at: value },
        { label: 'x', allowed_ips: [value] },
        value,
      ])
        yield Buffer.concat([Buffer.from([route]), Buffer.from(JSON.stringify(body))]);
}

export const bodies: Target = {
  name: 'bodies',
  inputs: 80_000,
  cpuSecondsMax: 150,
  inputMaxBytes: INPUT_MAX_BYTES,
  seeds,
  dictionary: [
    ...words(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u0000',
      '\\ud800',
      '\\u',
      'null',
      'true',
      '1e999',
      '-0',
      ' ',
      '\n',
    ),
    ...words(
      '"emails":',
      '"email":',
      '"name":',
      '"callback_url":',
      '"group":',
      '"label":',
      '"allowed_ips":',
      '"expires_at":',
      '"__proto__":',
      '"a@b.test"',
      '["a@b.test"]',
      'https://',
      '@',
    ),
    ...words('\ufeff', 'İ', '\u2028', '😀', 'user:pw@', '[::1]', '{"emails":["a@b.test"]}'),
    Buffer.from([0xff]),
    Buffer.from([0xed, 0xa0, 0x80]),
  ],
  make,
  check,
};
