// What a request body says: bytes in, a submission or a refusal out. Runs on the main thread for small bodies and in
// body-worker.ts for large ones.
// Promise: whatever the bytes, the result is one of these values, and memory stays proportional to them. Of a body only its
// own fields count, whatever `__proto__` it names; of several mistakes the first in the order of its schema is told.
import type { ReplyReport } from '@mxproof/engine';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Check, Compile } from 'typebox/schema';
import { cleanEmail, type EmailsRefusal } from '../../rules/clean-emails.ts';
import { mailboxIn } from '../../rules/mailbox.ts';
import {
  isObject,
  own,
  type Parser,
  parser,
  type RefusedBody,
  readByHand,
  refused,
  type TakenBody,
  whatIs,
} from './read-by-hand.ts';
import { outcomeParsers } from './read-outcomes.ts';
import { knownFields, MAX_SECONDS, REQUESTS } from './request-schemas.ts';

export type BodyRefusal =
  | EmailsRefusal
  | 'invalid_json'
  | 'email_required'
  | 'name_not_string'
  | 'name_too_long'
  | 'bad_account_name'
  | 'callback_url_not_https'
  | 'callback_url_too_long'
  | 'url_not_https'
  | 'url_too_long'
  | 'bad_events'
  | 'bad_description'
  | 'bad_paused'
  | 'bad_low_credits'
  | 'bad_service'
  | 'bad_signing_key'
  | 'bad_topic'
  | 'bad_outcomes'
  | 'outcomes_required'
  | 'too_many_outcomes'
  | 'bad_group'
  | 'bad_file'
  | 'bad_mail_when_done'
  | 'bad_list_mail'
  | 'bad_domains'
  | 'api_key_required'
  | 'bad_email'
  | 'bad_role'
  | 'bad_account_id'
  | 'bad_label'
  | 'bad_test'
  | 'bad_manage'
  | 'bad_access'
  | 'bad_expires_at'
  | 'bad_allowed_ips'
  | 'text_required'
  | 'text_too_large'
  | 'too_large';

/** Of operators' bodies. */
export type AdminBodyRefusal =
  | 'admin_key_required'
  | 'bad_body'
  | 'bad_credits'
  | 'bad_first_credits'
  | 'bad_note'
  | 'bad_external_id'
  | 'bad_account_status'
  | 'bad_rate'
  | 'bad_retention'
  | 'bad_monthly_credits'
  | 'bad_mail'
  | 'bad_rest_provider'
  | 'bad_hours';

export type AnyBodyRefusal = BodyRefusal | AdminBodyRefusal;

/** What a field is refused as, unless this is wrong with it. */
type Refusals<Field extends string> = Readonly<
  Record<Field, AnyBodyRefusal> & Partial<Record<`${Field} ${'type' | 'maxLength'}`, AnyBodyRefusal>>
>;

/** A null `test` has always been none, though the document does not say so. */
const KEY = Type.Object({
  ...REQUESTS.keys.properties,
  test: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
});

/** A body that may be left out. */
const NOTHING = Buffer.from('{}');
const parseDomains = checked(REQUESTS.corrections, { domains: 'bad_domains' }, ({ domains }) => ({
  domains: domains ? new Set(domains.map(cleanEmail)) : null,
}));

const WEBHOOK = {
  url: 'url_not_https',
  'url maxLength': 'url_too_long',
  events: 'bad_events',
  description: 'bad_description',
} as const;

/** What is wrong with a name of an account. */
export const NAME = { 'name type': 'name_not_string', 'name maxLength': 'name_too_long' } as const;

const NO_EMAIL = { email: 'email_required', 'email maxLength': 'email_too_long' } as const;

export const parsers = {
  ...readByHand,
  ...outcomeParsers,
  suggest: checked(REQUESTS.suggest, NO_EMAIL, ({ email }) => ({ email: cleanEmail(email) })),
  erase: checked(REQUESTS.erase, NO_EMAIL, ({ email }) => ({ email: cleanEmail(email) })),
  session: checked(REQUESTS.session, { api_key: 'api_key_required' }),
  mailSignIn: checked(REQUESTS.mailSignIn, NO_EMAIL),
  keys: checked(
    KEY,
    {
      label: 'bad_label',
      test: 'bad_test',
      manage: 'bad_manage',
      access: 'bad_access',
      expires_at: 'bad_expires_at',
      allowed_ips: 'bad_allowed_ips',
    },
    (key) => ({ ...key, label: key.label.trim() }),
  ),
  session_switch: checked(REQUESTS.session_switch, { account_id: 'bad_account_id', test: 'bad_test' }),
  member: checked(
    REQUESTS.member,
    {
      email: 'bad_email',
      'email type': 'email_required',
      'email maxLength': 'email_too_long',
      role: 'bad_role',
    },
    ({ email, role }) => ({ email: mailboxIn(email)!, role }),
  ),
  member_change: checked(REQUESTS.member_change, { role: 'bad_role' }),
  rename: checked(REQUESTS.rename, { name: 'name_not_string', 'name maxLength': 'name_too_long' }),
  account: checked(
    REQUESTS.account,
    {
      name: 'bad_account_name',
      ...NAME,
      low_credits: 'bad_low_credits',
      outcomes: 'bad_outcomes',
    },
    trimmed,
  ),
  webhook: checked(REQUESTS.webhook, WEBHOOK, (webhook) => ({ ...webhook, url: asParsed(webhook.url) })),
  webhook_change: checked(REQUESTS.webhook_change, { ...WEBHOOK, paused: 'bad_paused' }, (change) => ({
    ...change,
    ...(change.url !== undefined && { url: asParsed(change.url) }),
  })),
  own_member: checked(REQUESTS.own_member, { list_mail: 'bad_list_mail' }),
  hook: checked(REQUESTS.hook, {
    service: 'bad_service',
    signing_key: 'bad_signing_key',
    topic: 'bad_topic',
  }),
  corrections: ((bytes, known) =>
    parseDomains(bytes.length === 0 ? NOTHING : bytes, known)) satisfies typeof parseDomains,
};

export function trimmed<Named extends { readonly name?: string }>(named: Named): Named {
  return named.name === undefined ? named : { ...named, name: named.name.trim() };
}

/** Plain ASCII, which PostgreSQL can store whatever was sent. */
function asParsed(url: string): string {
  return new URL(url).href;
}

export type Bodies = { readonly [Route in keyof typeof parsers]: ReturnType<(typeof parsers)[Route]> };

/** What a route is told: the same, but of a bounce what its replies mean, which a thread has read (body-worker.ts). */
export interface Understood extends Omit<Bodies, 'reply'> {
  readonly reply: TakenBody<{ readonly replies: readonly ReplyReport[] }> | RefusedBody;
}

export function parseBody<Route extends keyof Bodies>(route: Route, bytes: Uint8Array): Bodies[Route] {
  return parsers[route](bytes, knownFields(route)) as Bodies[Route];
}

/** Of a body that is held against its schema, a field at a time. */
export function checked<Schema extends TObject, Body extends object = Static<Schema>>(
  { properties }: Schema,
  refusals: Refusals<keyof Schema['properties'] & string>,
  take = (said: Static<Schema>): Body => said as unknown as Body,
): Parser<Body> {
  const fields = Object.entries<Field>(properties).map(([name, type]) => ({
    name,
    type,
    validator: Compile(type),
  }));
  return parser((json) => {
    const said: Record<string, unknown> = {};
    for (const { name, type, validator } of fields) {
      const given = own(json, name);
      // What is no object says nothing of what it wants.
      if (given === undefined && isObject(json) && Type.IsOptional(type)) continue;
      if (!validator.Check(given)) return refusalOf(refusals, json, name, type);
      said[name] = given;
    }
    return take(said as Static<Schema>);
  });
}

type Field = TSchema & { readonly type?: string | readonly string[] };

/** What to send instead. Of an array the message says it. */
const WANTED: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number of seconds',
};
/** What is wrong with a string that is not too long, where the message does not say it. */
const BLANK: Readonly<Record<string, string>> = { email: 'email is blank', api_key: 'api_key is empty' };

function refusalOf(
  refusals: Readonly<Record<string, AnyBodyRefusal | undefined>>,
  json: unknown,
  name: string,
  type: Field,
): RefusedBody {
  const given = own(json, name);
  // One keyword at a time: a pattern must not be tried on a string of any length.
  const keyword = ['type', 'maxLength'].find(
    (one) => one in type && !Check({ [one]: type[one as 'type'] }, given),
  );
  const why = refusals[`${name} ${keyword}`] ?? refusals[name]!;
  if (name === 'expires_at' && typeof given !== 'object' && Number(given) > MAX_SECONDS)
    return refused(why, 'expires_at is too large: it is in seconds, not milliseconds');
  const [wantedType, orNull] = [type.type].flat();
  const wanted =
    wantedType === 'integer' && name !== 'expires_at'
      ? `a whole number${orNull === 'null' ? ', or null' : ''}`
      : WANTED[wantedType!];
  // Of other numbers the message says the range.
  const isNoTime = name === 'expires_at' && typeof given === 'number';
  if (wanted !== undefined && (keyword === 'type' || isNoTime))
    return refused(why, whatIs(json, name, wanted));
  return refused(why, keyword === undefined ? BLANK[name] : undefined);
}
