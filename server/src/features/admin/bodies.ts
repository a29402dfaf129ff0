// What the bodies of operators' requests may have, and what each is refused as.
// Promise: whatever the bytes, a body is understood or refused; they are few, and read at once.
import { PROVIDER_NAMES, parseAddress } from '@mxproof/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import { checked, NAME, parsers as ofAccounts, trimmed } from '../../http/body/parse-bodies.ts';
import { isObject, MAX_NAME_CHARACTERS, parser, refused } from '../../http/body/read-by-hand.ts';
import { CONTROLS, forgiving, isPrintable, PRINTABLE, REQUESTS } from '../../http/body/request-schemas.ts';
import type { Refusal } from '../../http/errors.ts';
import type { Parts } from '../../http/route-parts.ts';
import { NO_ACCOUNT, readBytes } from '../../http/take-body.ts';
import { warnOfUnknown } from '../../http/warn-of-unknown.ts';
import { MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { RETENTION_KINDS, type RetentionKind } from '../../rules/retention.ts';

const MAX_CREDITS = 1_000_000_000_000;
/** As the database counts. */
const MAX_RATE = 1_000_000_000;
const MAX_KEPT_DAYS = 3_650;
const MAX_REST_HOURS = 24 * 365;
/** Keys with a hundred ranges are the longest. */
const MAX_BODY_BYTES = 16 * 1024;

const FIELDS = {
  name: Type.Refine(
    Type.String({
      minLength: 1,
      maxLength: MAX_NAME_CHARACTERS,
      pattern: PRINTABLE,
      description: 'Trimmed. Printable characters, not blanks alone.',
    }),
    isPrintable,
  ),
  note: Type.Optional(
    Type.Refine(
      Type.String({
        maxLength: MAX_NAME_CHARACTERS,
        pattern: `^[^${CONTROLS}]*$`,
        default: '',
        description: 'For the account’s history, such as the number of an invoice.',
      }),
      (text) => text.isWellFormed(),
    ),
  ),
  externalId: Type.Optional(
    Type.Refine(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: MAX_NAME_CHARACTERS,
        pattern: PRINTABLE,
        description: 'Your own word for it, of which no two accounts have the same; null: none.',
        examples: ['customer-2041'],
      }),
      (text) => text === null || isPrintable(text),
    ),
  ),
  rate: (description: string) =>
    Type.Optional(
      Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: MAX_RATE, description }),
    ),
  days: Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: MAX_KEPT_DAYS }),
  ),
  provider: Type.Unsafe<string>({
    type: 'string',
    enum: [...PROVIDER_NAMES],
    description: 'By its word in results; not `other`, whose hosts have nothing in common.',
    examples: ['google'],
  }),
};

export const ADMIN_REQUESTS = {
  session: Type.Object(
    { admin_key: Type.String({ minLength: 1, description: 'The key to sign in with. It is not kept.' }) },
    forgiving,
  ),
  account: Type.Object(
    {
      name: FIELDS.name,
      credits: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_CREDITS,
          default: 0,
          description: 'Credits to begin with.',
        }),
      ),
      note: FIELDS.note,
      external_id: FIELDS.externalId,
    },
    forgiving,
  ),
  account_change: Type.Object(
    {
      name: Type.Optional(FIELDS.name),
      external_id: FIELDS.externalId,
      status: Type.Optional(
        Type.Unsafe<'active' | 'suspended'>({
          type: 'string',
          enum: ['active', 'suspended'],
          description:
            'suspended: it is answered 403 `account suspended`, except where it reads or deletes what it has; its unfinished lists go on.',
        }),
      ),
      rate_requests: FIELDS.rate('Requests a minute for each of its keys; null: as the deployment says.'),
      rate_addresses: FIELDS.rate('Addresses a minute for each of its keys; null: as the deployment says.'),
      retention: Type.Optional(
        Type.Object(
          Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, FIELDS.days])) as Record<
            RetentionKind,
            typeof FIELDS.days
          >,
          {
            additionalProperties: false,
            description:
              'Days from the end of a list on, for each kind that is named; null: as the deployment says.',
          },
        ),
      ),
      monthly_credits: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: MAX_CREDITS,
          description: 'Granted once at the start of each month (UTC), from the next one on; null: none.',
        }),
      ),
      mail: Type.Optional(
        Type.Refine(
          Type.Unsafe<string | null>({
            type: ['string', 'null'],
            format: 'mailbox',
            minLength: 3,
            maxLength: MAX_EMAIL_CHARACTERS,
            description: 'Who is mailed when a list is done or credits are low; null: no person.',
            examples: ['anna@example.com'],
          }),
          (mail) => mail === null || parseAddress(mail.trim()).ok,
        ),
      ),
    },
    { minProperties: 1, description: `What is left out stays as it is. ${forgiving.description}` },
  ),
  credits: Type.Object(
    {
      credits: Type.Integer({
        minimum: -MAX_CREDITS,
        maximum: MAX_CREDITS,
        not: { const: 0 },
        description: 'Added; negative: taken back, at most the balance.',
      }),
      note: FIELDS.note,
    },
    forgiving,
  ),
  rest: Type.Object(
    {
      provider: FIELDS.provider,
      hours: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: MAX_REST_HOURS,
          default: null,
          description: 'For so long; null: until it is resumed.',
        }),
      ),
    },
    forgiving,
  ),
  resume: Type.Object({ provider: FIELDS.provider }, forgiving),
  nothing: Type.Object({}, forgiving),
  key: REQUESTS.keys,
};

const parsers = {
  session: checked(ADMIN_REQUESTS.session, { admin_key: 'admin_key_required' }),
  account: checked(
    ADMIN_REQUESTS.account,
    {
      name: 'bad_account_name',
      ...NAME,
      credits: 'bad_first_credits',
      note: 'bad_note',
      external_id: 'bad_external_id',
    },
    trimmed,
  ),
  account_change: checked(
    ADMIN_REQUESTS.account_change,
    {
      name: 'bad_account_name',
      ...NAME,
      external_id: 'bad_external_id',
      status: 'bad_account_status',
      rate_requests: 'bad_rate',
      rate_addresses: 'bad_rate',
      retention: 'bad_retention',
      monthly_credits: 'bad_monthly_credits',
      mail: 'bad_mail',
    },
    (change) => ({ ...trimmed(change), ...(change.mail && { mail: mailboxOf(change.mail) }) }),
  ),
  credits: checked(ADMIN_REQUESTS.credits, { credits: 'bad_credits', note: 'bad_note' }),
  rest: checked(ADMIN_REQUESTS.rest, { provider: 'bad_rest_provider', hours: 'bad_hours' }),
  resume: checked(ADMIN_REQUESTS.resume, { provider: 'bad_rest_provider' }),
  nothing: parser((body) => (isObject(body) ? {} : refused('bad_body'))),
  key: ofAccounts.keys,
};

export type AdminRoute = keyof typeof parsers;
export type AdminBody<Name extends AdminRoute> = Exclude<
  ReturnType<(typeof parsers)[Name]>,
  { kind: 'refused' }
>;

/** A body in which nothing is required may be left out. */
const NOTHING = Buffer.from('{}');
const MAY_BE_EMPTY: readonly AdminRoute[] = ['nothing'];

export function parseAdminBody<Name extends AdminRoute>(
  route: Name,
  bytes: Uint8Array,
): ReturnType<(typeof parsers)[Name]> {
  const isEmpty = bytes.length === 0 && MAY_BE_EMPTY.includes(route);
  const known = Object.keys((ADMIN_REQUESTS[route] as TObject).properties);
  return parsers[route](isEmpty ? NOTHING : bytes, known) as ReturnType<(typeof parsers)[Name]>;
}

/** `bytes`: as they came. */
export async function readAdminBody<Name extends AdminRoute>(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Name,
): Promise<
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'understood'; readonly body: AdminBody<Name>; readonly bytes: Buffer }
> {
  const read = await readBytes(parts, request, reply, { accountId: NO_ACCOUNT, maxBytes: MAX_BODY_BYTES });
  if (read.kind === 'refused') return read;
  const body = parseAdminBody(route, read.body);
  warnOfUnknown(request, reply, 'unknown_field', body.unknownFields ?? []);
  if (body.kind === 'refused') return { kind: 'refused', refusal: body as Refusal };
  return { kind: 'understood', body: body as AdminBody<Name>, bytes: read.body };
}

/** As the mailbox is written in mail; a schema has seen that it is one. */
function mailboxOf(mail: string): string {
  const parsed = parseAddress(mail.trim());
  return parsed.ok ? parsed.address.mailbox : mail;
}
