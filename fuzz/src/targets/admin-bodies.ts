// What operators post: bytes → an account, a change, credits, a key, or one of the documented refusals. An input is the route, then the body.
import { isUtf8 } from 'node:buffer';
import { type AdminRoute, parseAdminBody } from '../../../server/src/features/admin/bodies.ts';
import { wording } from '../../../server/src/http/errors.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';

const INPUT_MAX_BYTES = 4_096;
const MOST_CREDITS = 1_000_000_000_000;
const MOST_RATE = 1_000_000_000;
const MOST_DAYS = 3_650;
const MOST_HOURS = 8_760;
const TEXT_MAX_CHARACTERS = 200;

const ROUTES = [
  'session',
  'account',
  'account_change',
  'credits',
  'rest',
  'resume',
  'nothing',
  'key',
] as const satisfies AdminRoute[];

function check(input: Buffer): void {
  const route = ROUTES[(input[0] ?? 0) % ROUTES.length]!;
  const bytes = input.subarray(1);
  const body = parseAdminBody(route, bytes);
  if (body.kind === 'refused') {
    promised(wording(body.why).status === 400, 'a refusal is the client’s', body.why);
    promised(
      (body.why === 'invalid_json') === !isJson(bytes, route),
      'what is no JSON is refused as that',
      body.why,
    );
    return;
  }
  promised(isJson(bytes, route), 'what is taken is JSON, or may be left out');
  const said = body as Readonly<Record<string, unknown>>;
  for (const [field, isRight] of Object.entries(RIGHT))
    if (said[field] !== undefined) promised(isRight(said[field]), `${field} is what it may be`, said[field]);
}

const isWhole = (least: number, most: number) => (given: unknown) =>
  Number.isSafeInteger(given) && Number(given) >= least && Number(given) <= most;
const orNull = (isRight: (given: unknown) => boolean) => (given: unknown) => given === null || isRight(given);
const isText = (given: unknown) =>
  typeof given === 'string' && [...given].length <= TEXT_MAX_CHARACTERS && !/[\p{Cc}\p{Cs}]/u.test(given);
const isName = (given: unknown) => isText(given) && String(given).trim() !== '';

/** Of every route that has such a field. */
const RIGHT: Readonly<Record<string, (given: unknown) => boolean>> = {
  name: isName,
  note: isText,
  external_id: orNull(isName),
  credits: isWhole(-MOST_CREDITS, MOST_CREDITS),
  rate_requests: orNull(isWhole(1, MOST_RATE)),
  rate_addresses: orNull(isWhole(1, MOST_RATE)),
  monthly_credits: orNull(isWhole(1, MOST_CREDITS)),
  hours: orNull(isWhole(1, MOST_HOURS)),
  status: (given) => given === 'active' || given === 'suspended',
  retention: (given) =>
    typeof given === 'object' && given !== null && Object.values(given).every(orNull(isWhole(1, MOST_DAYS))),
};

function isJson(bytes: Buffer, route: AdminRoute): boolean {
  if (bytes.length === 0 && route === 'nothing') return true;
  if (!isUtf8(bytes)) return false;
  try {
    JSON.parse(bytes.toString().replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

const VALUES = [
  ...['"acme"', '"suspended"', '"\\u0000"', '"read"', '"google"', '"a@b.test"'],
  ...['null', '0', '-5', '12', '1e99', '-0', 'true', '[]', '["::/0"]', '{}', '{"results":30}'],
];
const FIELDS = [...Object.keys(RIGHT), 'provider', 'mail', 'label', 'allowed_ips', 'admin_key', '__proto__'];

function make(random: Random): Buffer {
  const fields = Array.from(
    { length: random.between(0, 5) },
    () => `"${random.pick(FIELDS)}":${random.pick(VALUES)}`,
  );
  return Buffer.from(`${String.fromCharCode(random.between(0, ROUTES.length - 1))}{${fields.join()}}`);
}

export const adminBodies: Target = {
  name: 'admin-bodies',
  inputs: 20_000,
  cpuSecondsMax: 30,
  inputMaxBytes: INPUT_MAX_BYTES,
  seeds: () => [Buffer.from('\x01{"name":"Acme","credits":5}'), Buffer.from('\x06')],
  dictionary: words(...VALUES, ...FIELDS.map((field) => `"${field}":`)),
  make,
  check,
};
