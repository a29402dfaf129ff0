// The head of a request: URL and headers → what its parameters say, or one of the documented refusals and sentences.
// Promise held here: what is taken of a query is what its schema has, whatever else was sent; a key that is kept for repeats
// is printable; a wait is no longer than the longest; what is said about a key or a path has nothing of it in it.
//
// An input is the URL, then a line for each header.
import { parse } from 'node:querystring';
import { pageQuery } from '../../../server/src/http/routes/lists.ts';
import { filterOf, filterQuery } from '../../../server/src/http/wire/filter-query.ts';
import { readIdempotencyKey } from '../../../server/src/http/wire/idempotency-key.ts';
import { includeQuery } from '../../../server/src/http/wire/include-query.ts';
import { keyMistake } from '../../../server/src/http/wire/key-mistake.ts';
import { createPathMistakes } from '../../../server/src/http/wire/path-mistake.ts';
import { preferredWaitSeconds } from '../../../server/src/http/wire/prefer-wait.ts';
import { MAX_LIMIT, readEmail, readQuery, readReplyQuery } from '../../../server/src/http/wire/query.ts';
import { readSessionOf } from '../../../server/src/http/wire/session-cookie.ts';
import { pathOf } from '../../../server/src/http/wire/urls.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';

/** As long as Node takes the head of a request. */
const INPUT_MAX_BYTES = 16_384;
const LONGEST_WAIT_SECONDS = 30;
const SENTENCE_MAX_CHARACTERS = 250;
const EMAIL_MAX_CHARACTERS = 1_000;
const PARAMETERS = { ...pageQuery, ...filterQuery, ...includeQuery };
const PATHS = ['/v1/lists/:id/results', '/v1/lists', '/v1/verify', '/v1/suggest', '/v1/keys/:id'];

const mistakes = createPathMistakes();
for (const path of PATHS) mistakes.note(['GET', 'POST'], path);

function check(input: Buffer): void {
  const [url = '', ...lines] = input.toString('latin1').split('\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const path = pathOf(url);
  promised(path.startsWith('/'), 'a path begins at the root', path);
  const query = parse(path.slice((path.indexOf('?') >>> 0) + 1));
  checkQuery(query);
  checkHeaders({ method: 'GET', url, headers, query, protocol: 'https', host: 'x.example' });
  const meant = mistakes.meant('GET', path);
  promised((meant?.length ?? 0) <= SENTENCE_MAX_CHARACTERS, 'what a path meant is a sentence of ours', meant);
}

function checkQuery(query: ReturnType<typeof parse>): void {
  const read = readQuery(PARAMETERS, query);
  if (!('why' in read)) {
    const { offset, limit, include, q } = read;
    promised(Number.isSafeInteger(offset) && offset! >= 0, 'an offset is a number', offset);
    promised(limit! >= 1 && limit! <= MAX_LIMIT, 'a page has a bound', limit);
    promised(new Set(include).size === (include?.length ?? 0), 'no field is asked for twice', include);
    promised(q === null || (q.length > 0 && q === query.q), 'a search is as it was sent', q);
    promised((filterOf(read)?.piece ?? '') === (q ?? '').toLowerCase(), 'a search is part of the filter', q);
  }
  const email = readEmail(query);
  if (typeof email === 'string')
    promised(email !== '' && email.length <= 2 * EMAIL_MAX_CHARACTERS, 'an address is bounded', email.length);
  const reply = readReplyQuery(query);
  if (typeof reply === 'string') promised(reply.trim() !== '', 'a reply has words');
}

function checkHeaders(head: object): void {
  const request = head as Parameters<typeof keyMistake>[0];
  const { headers } = request;
  const key = readIdempotencyKey(request);
  promised(
    key === null || typeof key === 'object' || (/^[ -~]+$/.test(key) && key.length <= 255),
    'a key for repeats is printable',
    key,
  );
  const seconds = preferredWaitSeconds(headers.prefer, LONGEST_WAIT_SECONDS);
  promised(seconds === null || seconds <= LONGEST_WAIT_SECONDS, 'a wait has a bound', seconds);
  const sentence = keyMistake(request);
  promised(
    sentence.length <= SENTENCE_MAX_CHARACTERS,
    'what is wrong with a key is a sentence of ours',
    sentence,
  );
  const session = readSessionOf(request);
  promised(session === null || session.length > 0, 'a session is there or not');
}

const NAMES = [
  'Authorization',
  'Idempotency-Key',
  'Prefer',
  'Cookie',
  'X-API-Key',
  'MXProof-Session-Proof',
  'Origin',
];
const VALUES = [
  `Bearer mx_live_${'a'.repeat(40)}`,
  'Bearer  ',
  'wait=3, respond-async',
  'wait = "12";x',
  '__Host-mxproof=abc; mxproof=d',
  'k-1 ',
  'a,b;c=d',
  '$TOKEN',
];
const QUERIES = [
  'offset=10&limit=5',
  'state=deliverable,unknown&flag=role',
  'include=detail,suggestion',
  'email=a%2Bb@c.test',
  'code=550&text=no%20such%20user',
  'q=%F0%9F%98%80',
  'limit=99999999999999999999',
  'api_key=mx_live_x',
];
const STARTS = ['/v1/lists', '/v1/lists/7/results', '/v1/verfy', 'https://h.example/v1/suggest', '//', ''];

function make(random: Random): Buffer {
  const query = Array.from({ length: random.between(0, 4) }, () => random.pick(QUERIES)).join('&');
  const lines = Array.from(
    { length: random.between(0, 4) },
    () => `${random.pick(NAMES)}: ${random.pick(VALUES)}`,
  );
  return Buffer.from([`${random.pick(STARTS)}?${query}`, ...lines].join('\n'));
}

function* seeds(): Generator<Buffer> {
  for (const start of STARTS) for (const query of QUERIES) yield Buffer.from(`${start}?${query}`);
  for (const name of NAMES) for (const value of VALUES) yield Buffer.from(`/v1/verify\n${name}: ${value}`);
}

export const requests: Target = {
  name: 'requests',
  inputs: 20_000,
  cpuSecondsMax: 100,
  inputMaxBytes: INPUT_MAX_BYTES,
  seeds,
  dictionary: words(
    '?',
    '&',
    '=',
    '%',
    '%2',
    '+',
    ',',
    ';',
    '"',
    '/',
    '#',
    '..',
    ':',
    '@',
    '\n',
    'wait=',
    ' ',
  ),
  make,
  check,
};
