// The schemas of the API, defined once: types, the OpenAPI document and the tests' check of every response use them.
import { STORED_DETAILS } from '@mxproof/common/vocabulary/details';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { REASON_WORDS } from '@mxproof/common/vocabulary/verdicts';
import type { Detail, Reason } from '@mxproof/engine';
import {
  type Static,
  type TInteger,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from 'typebox';
import { LARGEST_DOMAINS } from '../../rules/breakdown.ts';
import { MAX_ADDRESSES } from '../../rules/clean-emails.ts';
import { KEY_ACCESS } from '../../rules/key-access.ts';
import type { ListFile } from '../../rules/list-file.ts';
import { LIST_FILE } from '../body/request-schemas.ts';
import { ERROR_CODES } from '../errors.ts';

export const closed = { additionalProperties: false };
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const words = <const Words extends string[]>(all: Words, description: string) =>
  Type.Enum(all, { type: 'string', description });

/** Named shapes become components of the document; routes refer to them by name. */
const named: Record<string, TSchema> = {};
export function name<const Schema extends TSchema>(id: string, schema: Schema): Schema {
  named[id] = { ...schema, $id: id };
  return schema;
}
export const namedSchemas = named;
export const ref = (id: string) => ({ $ref: `${id}#` });
export const objectOrNull = <Fields extends TProperties>(fields: Fields, description: string) =>
  Type.Unsafe<Static<TObject<Fields>> | null>({
    anyOf: [Type.Object(fields, closed), { type: 'null' }],
    description,
  });
/** What a GET of several answers: named shapes below one field. */
export const pageOf = (field: string, item: string, description: string) =>
  Type.Object({ [field]: Type.Array(ref(item) as TSchema) }, { ...closed, description });

name(
  'Error',
  Type.Object(
    {
      error: Type.String({ description: 'What went wrong, for people. Programs match on `MXProof-Error`.' }),
    },
    { ...closed, description: 'The body of every response with status 400 or above.' },
  ),
);
name(
  'ErrorCode',
  words(
    ERROR_CODES,
    'Why a request was refused: the header `MXProof-Error` of every response with status 400 or above. Further codes may be added.',
  ),
);

export const ListId = Type.Integer({ minimum: 1, description: 'List identifier.' });

name(
  'ListFile',
  Type.Object(LIST_FILE.properties, { ...closed, description: 'The file a list was made of.' }),
);
export const ListSummary = name(
  'ListSummary',
  Type.Object(
    {
      id: ListId,
      name: Type.String({ description: 'Name given at submission; empty if none was given.' }),
      status: words(['processing', 'checking', 'done', 'failed'], 'Results are final once the list is done.'),
      total: Type.Integer({ minimum: 1, maximum: MAX_ADDRESSES, description: 'Number of unique addresses.' }),
      duplicates_removed: count('Duplicate addresses dropped at submission; not charged.'),
      checked: count('Addresses checked so far.'),
      counts: Type.Object(
        {
          deliverable: count('Can receive mail.'),
          risky: count('Catch-all domain, role address, disposable domain or full mailbox.'),
          undeliverable: count('Cannot receive mail.'),
          unknown: count('No answer; refunded when the list finishes.'),
        },
        closed,
      ),
      created_at: Type.Integer({ description: 'Unix seconds.' }),
      finished_at: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Unix seconds; null while the list is unfinished.',
      }),
      group: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'Only with `include=group`: the group it was submitted with, or null.',
        }),
      ),
      email: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'Only with `include=email`: the address of a single check, or null for other lists.',
        }),
      ),
      results_expire_at: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description:
            'Only with `include=retention`: when addresses and results are deleted, in Unix seconds. Null: the list is unfinished, they are kept, or they are gone.',
        }),
      ),
      results_expired_at: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description:
            'Only with `include=retention`: when addresses and results were deleted, in Unix seconds. Null: they are there.',
        }),
      ),
      paused_at: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description:
            'Only with `include=paused`: since when the list is paused, in Unix seconds. Null: it is not.',
        }),
      ),
      file: Type.Optional(
        Type.Unsafe<ListFile | null>({
          anyOf: [ref('ListFile'), { type: 'null' }],
          description: 'Only with `include=file`: what was said of its file at submission, or null.',
        }),
      ),
    },
    { ...closed, description: 'A list and its progress.' },
  ),
);
export type WireList = Static<typeof ListSummary>;

name('State', words([...STATE_WORDS], 'What to do with a checked address.'));
name('Reason', words([...REASON_WORDS], 'Why the state was given.'));

export const checkedFields = {
  email: Type.String({ description: 'The address, trimmed and lower-cased.' }),
  state: words([...STATE_WORDS, 'pending'], 'pending: not yet checked.'),
  reason: words([...REASON_WORDS, ''], 'Why the state was given; empty while pending.'),
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100.',
  }),
  accept_all: Type.Boolean({ description: 'The domain accepts every address. False if not known.' }),
  role: Type.Boolean({ description: 'A role address, such as info@.' }),
  free: Type.Boolean({ description: 'The domain is a free mailbox provider.' }),
  disposable: Type.Boolean({ description: 'The domain provides disposable mailboxes.' }),
  mx: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The MX host that answered, otherwise the most preferred one; null if there is none.',
  }),
};

const orNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
export const secondsOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });
name('Detail', words([...STORED_DETAILS], 'Why, more finely than `reason`. Further words may be added.'));
const detail = (description: string) =>
  Type.Unsafe<Detail | null>({ anyOf: [ref('Detail'), { type: 'null' }], description });
const provider = (when: string) =>
  Type.String({
    description: `${when}ho runs the MX host, such as \`google\`; \`other\` if not known; empty if there is none.`,
  });
export const share = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1, description });
/** Only if asked for. */
const includedFields = {
  detail: Type.Optional(detail('With `include=detail`. Null while pending and in results from before 0.2.')),
  suggestion: Type.Optional(
    orNull('With `include=suggestion`: a likelier spelling of the domain. Null while pending.'),
  ),
  checked_at: Type.Optional(
    secondsOrNull(
      'With `include=checked_at`: when the result was stored, in Unix seconds. Null while pending and in results from before 0.2.',
    ),
  ),
};

name(
  'CheckedAddress',
  Type.Object(
    {
      ...checkedFields,
      state: ref('State') as TSchema,
      reason: ref('Reason') as TSchema,
      provider: Type.Optional(provider('With `include=provider`: w')),
      ...includedFields,
    },
    { ...closed, description: 'The result of a single check.' },
  ),
);
name(
  'ResultRow',
  Type.Object(
    {
      position: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_ADDRESSES - 1,
          description: 'Place in the whole list, from 0. Only in filtered pages.',
        }),
      ),
      ...checkedFields,
      provider: provider('W'),
      ...includedFields,
      bounce_probability: Type.Optional(
        share('With `include=estimate`: how likely mail to the address bounces. Null: nothing is known.'),
      ),
      bounce_low: Type.Optional(
        share('With `include=estimate`: where the probability is at least, with 95 %.'),
      ),
      bounce_high: Type.Optional(share('With `include=estimate`: where it is at most.')),
      bounce_n: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          description: 'With `include=estimate`: to how many addresses mail was sent of which that is known.',
        }),
      ),
      bounce_basis: Type.Optional(
        Type.Unsafe<'domain' | 'provider' | 'detail' | null>({
          type: ['string', 'null'],
          enum: ['domain', 'provider', 'detail', null],
          description:
            'With `include=estimate`: whose mail that was: to the same domain, the same provider, or all with the same detail.',
        }),
      ),
      suppressed: Type.Optional(
        Type.Boolean({
          description: 'With `include=suppressed`: whether it is on the account’s suppression list.',
        }),
      ),
    },
    { ...closed, description: 'One address of a list.' },
  ),
);
name('ResultPage', pageOf('results', 'ResultRow', 'Rows in the order the unique addresses were added.'));
const Breakdown = name(
  'Breakdown',
  Type.Object(
    {
      reasons: Type.Object(
        Object.fromEntries(REASON_WORDS.map((reason) => [reason, Type.Integer({ minimum: 0 })])) as Record<
          Reason,
          TInteger
        >,
        { ...closed, description: 'Rows by reason. Pending rows have none.' },
      ),
      details: Type.Object(
        Object.fromEntries(
          STORED_DETAILS.map((word) => [word, Type.Optional(Type.Integer({ minimum: 1 }))]),
        ) as Record<Detail, TOptional<TInteger>>,
        {
          ...closed,
          description: 'Rows by detail, the most frequent first. Rows from before 0.2 have none.',
        },
      ),
      providers: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
        description: 'Rows by provider, the most frequent first. Rows without a MX host have none.',
      }),
      flags: Type.Object(
        {
          role: count('Role addresses.'),
          free: count('Addresses at free mailbox providers.'),
          disposable: count('Addresses at disposable domains.'),
          accept_all: count('Addresses at domains that accept every address.'),
        },
        closed,
      ),
      domains: Type.Array(
        Type.Object(
          {
            domain: Type.String({ description: 'What follows the last `@`, as submitted.' }),
            total: Type.Integer({ minimum: 1, description: 'Addresses, pending ones included.' }),
            deliverable: count('Checked so far.'),
            risky: count('Checked so far.'),
            undeliverable: count('Checked so far.'),
            unknown: count('Checked so far.'),
          },
          closed,
        ),
        { maxItems: LARGEST_DOMAINS, description: 'The largest domains, by `total`, then by name.' },
      ),
    },
    { ...closed, description: 'What a list consists of; fills in as results arrive.' },
  ),
);
export type WireBreakdown = Static<typeof Breakdown>;

const Evidence = name(
  'Evidence',
  Type.Object(
    {
      position: Type.Integer({ minimum: 0, maximum: MAX_ADDRESSES - 1, description: 'Place in the list.' }),
      email: checkedFields.email,
      state: words([...STATE_WORDS], 'As in the result.'),
      reason: words([...REASON_WORDS], 'As in the result.'),
      detail: detail('Null in results from before 0.2.'),
      score: checkedFields.score,
      checked_at: Type.Integer({ description: 'When the result was stored, in Unix seconds.' }),
      attempts: count('How often the mail server was asked; 0 if it need not be.'),
      explanation: Type.String({ description: 'Why the state was given, in one sentence.' }),
      rule: Type.String({ description: 'The rule that decided, for people. Its wording may change.' }),
      suggestion: orNull('A likelier spelling of the domain.'),
      dns: Type.Unsafe<{ domain: string; found: string } | null>({
        type: ['object', 'null'],
        properties: {
          domain: Type.String({ description: 'What was looked up, in its ASCII form.' }),
          found: Type.String({ description: 'What was found, such as `mx 10 mx.example.com`.' }),
        },
        required: ['domain', 'found'],
        ...closed,
        description: 'Null if nothing was looked up.',
      }),
      host: Type.Unsafe<{ name: string; address: string | null; tls: boolean; source: string | null } | null>(
        {
          type: ['object', 'null'],
          properties: {
            name: Type.String({ description: 'The MX host.' }),
            address: orNull('Its IP address; null if it was not asked.'),
            tls: Type.Boolean({ description: 'The dialogue was encrypted.' }),
            source: orNull(
              'The address it was asked from, or host and port of the proxy; null if the operating system chose it.',
            ),
          },
          required: ['name', 'address', 'tls', 'source'],
          ...closed,
          description: 'Null if the domain has no MX host.',
        },
      ),
      dialogue: Type.Array(
        Type.Object(
          {
            at_ms: count('Since the connection began; of a note, how old it was.'),
            from: words(['client', 'server', 'note'], 'client: this service. note: what it knew before.'),
            text: Type.String({ description: 'Shortened if long; other people’s addresses are left out.' }),
          },
          closed,
        ),
        { description: 'The SMTP dialogue as far as it concerns this address.' },
      ),
    },
    { ...closed, description: 'Why an address got its result.' },
  ),
);
export type WireEvidence = Static<typeof Evidence>;

name(
  'Pending',
  Type.Object(
    { state: Type.Literal('pending'), list_id: ListId },
    { ...closed, description: 'The check continues and is charged: read its result, do not post it again.' },
  ),
);
const keptDays = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description });

const Account = name(
  'Account',
  Type.Object(
    {
      name: Type.String(),
      credits: count('Balance.'),
      credits_used: count('Charges minus refunds.'),
      lists: count('Number of existing lists, including single checks.'),
      retention: Type.Optional(
        Type.Object(
          {
            results: keptDays('Addresses and results of lists.'),
            evidence: keptDays('Why each result is what it is; 0: not collected.'),
            callbacks: keptDays('Callbacks and their attempts.'),
            single_checks: keptDays('Addresses and results of single checks.'),
          },
          {
            ...closed,
            description:
              'Only with `include=retention`: how many days after the end of a list something is kept, rounded up; null: for ever.',
          },
        ),
      ),
      settings: Type.Optional(
        Type.Object(
          {
            low_credits: Type.Unsafe<number | null>({
              type: ['integer', 'null'],
              minimum: 1,
              description: 'Credits are low below it; null: never.',
            }),
            outcomes: Type.Boolean({ description: 'Whether what became of its mail is taken.' }),
          },
          {
            ...closed,
            description: 'Only with `include=settings`: what the account has set, each mode its own.',
          },
        ),
      ),
    },
    { ...closed, description: 'The account of the key.' },
  ),
);
export type WireAccount = Static<typeof Account>;

const keyFields = {
  id: Type.Integer({ minimum: 1, description: 'Key identifier.' }),
  label: Type.String({ description: 'Where the key is used.' }),
  prefix: Type.String({ description: 'How the key begins.', examples: ['mx_live_3kTq9aZb'] }),
  test: Type.Boolean({ description: 'A test key: no network, no credits.' }),
  manage: Type.Boolean({ description: 'The key may manage keys and the webhook secret.' }),
  access: words([...KEY_ACCESS], 'What the key may do.'),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  last_used_at: secondsOrNull('Unix seconds, at most a minute behind; null if never used.'),
  expires_at: secondsOrNull('Unix seconds; null if the key does not expire.'),
  allowed_ips: Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Addresses and CIDR ranges the key may be used from; null if from anywhere.',
  }),
};
const Key = name(
  'Key',
  Type.Object(keyFields, { ...closed, description: 'An API key, without the key itself.' }),
);
export type WireKey = Static<typeof Key>;
name('KeyPage', pageOf('keys', 'Key', 'The keys of the account, oldest first.'));
const NewKey = name(
  'NewKey',
  Type.Object(
    {
      ...keyFields,
      api_key: Type.String({ description: 'The key itself. It is shown only here: store it now.' }),
    },
    { ...closed, description: 'A key that was just made.' },
  ),
);
export type WireNewKey = Static<typeof NewKey>;
name(
  'WebhookSecret',
  Type.Object(
    {
      webhook_secret: Type.String({ description: 'The secret itself. It is shown only here: store it now.' }),
    },
    { ...closed, description: 'A new webhook secret.' },
  ),
);
name('Deleted', Type.Object({ deleted: Type.Literal(true) }, closed));
name('ListPage', pageOf('lists', 'ListSummary', 'Lists, newest first.'));
