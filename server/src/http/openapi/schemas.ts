// The schemas of the API, defined once: types, the OpenAPI document and the tests' check of every response use them.
import { type Static, type TSchema, Type } from 'typebox';
import { MAX_ADDRESSES, MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { MAX_CALLBACK_URL_CHARACTERS, MAX_NAME_CHARACTERS } from '../body/parse-bodies.ts';

const closed = { additionalProperties: false };
const count = (description: string) => Type.Integer({ minimum: 0, description });
const words = <const Words extends string[]>(all: Words, description: string) =>
  Type.Enum(all, { type: 'string', description });

/** Named shapes become components of the document; routes refer to them by name. */
const named: Record<string, TSchema> = {};
function name<const Schema extends TSchema>(id: string, schema: Schema): Schema {
  named[id] = { ...schema, $id: id };
  return schema;
}
export const namedSchemas = named;
export const ref = (id: string) => ({ $ref: `${id}#` });

name(
  'Error',
  Type.Object(
    { error: Type.String({ description: 'What went wrong, for people. Programs match on the status.' }) },
    { ...closed, description: 'The body of every response with status 400 or above.' },
  ),
);

const ListId = Type.Integer({ minimum: 1, description: 'List identifier.' });

const ListSummary = name(
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
          risky: count('Catch-all domain, role address, throwaway domain or full mailbox.'),
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
    },
    { ...closed, description: 'A list and its progress.' },
  ),
);
export type WireList = Static<typeof ListSummary>;

const checkedFields = {
  email: Type.String({ description: 'The address, trimmed and lower-cased.' }),
  state: words(['deliverable', 'risky', 'undeliverable', 'unknown', 'pending'], 'pending: not yet checked.'),
  reason: words(
    [
      'accepted_email',
      'low_deliverability',
      'low_quality',
      'disposable',
      'rejected_email',
      'invalid_domain',
      'invalid_email',
      'unavailable_smtp',
      'no_connect',
      'dns_error',
      '',
    ],
    'Why the state was given; empty while pending.',
  ),
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100.',
  }),
  accept_all: Type.Boolean({ description: 'The domain accepts every address. False if not known.' }),
  role: Type.Boolean({ description: 'A role address, such as info@.' }),
  free: Type.Boolean({ description: 'The domain is a free mailbox provider.' }),
  disposable: Type.Boolean({ description: 'The domain provides throwaway mailboxes.' }),
  mx: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The mail exchanger that answered, otherwise the most preferred one; null if there is none.',
  }),
};

name(
  'CheckedAddress',
  Type.Object(checkedFields, { ...closed, description: 'The result of a single check.' }),
);
name(
  'ResultRow',
  Type.Object(
    {
      ...checkedFields,
      provider: Type.String({
        description:
          'Who runs the mail exchanger, such as `google`; `other` if not known; empty if there is none.',
      }),
    },
    { ...closed, description: 'One address of a list.' },
  ),
);
name(
  'ResultPage',
  Type.Object(
    { results: Type.Array(ref('ResultRow') as TSchema) },
    { ...closed, description: 'Rows in the order the unique addresses were added.' },
  ),
);
name(
  'Pending',
  Type.Object(
    { state: Type.Literal('pending'), list_id: ListId },
    { ...closed, description: 'The check continues and is charged: read its result, do not post it again.' },
  ),
);
const Account = name(
  'Account',
  Type.Object(
    {
      name: Type.String(),
      credits: count('Balance.'),
      credits_used: count('Charges minus refunds.'),
      lists: count('Number of existing lists, including single checks.'),
    },
    { ...closed, description: 'The account of the key.' },
  ),
);
export type WireAccount = Static<typeof Account>;

name('Deleted', Type.Object({ deleted: Type.Literal(true) }, closed));
name(
  'ListPage',
  Type.Object(
    { lists: Type.Array(ref('ListSummary') as TSchema) },
    { ...closed, description: 'Lists, newest first.' },
  ),
);
name(
  'ListDone',
  Type.Object(
    { event: Type.Literal('list.done'), list: ref('ListSummary') as TSchema },
    { ...closed, description: 'Sent to `callback_url` when the list is done.' },
  ),
);

/** One character at least that trimming leaves. */
const NOT_BLANK = '[^\\s\\uFEFF]';

export const VerifyRequest = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: MAX_EMAIL_CHARACTERS,
      pattern: NOT_BLANK,
      description: 'The address to check.',
    }),
  },
  { description: 'Unknown fields are ignored; if a field is repeated, the last one counts.' },
);
export const ListRequest = Type.Object(
  {
    emails: Type.Array(Type.String({ maxLength: MAX_EMAIL_CHARACTERS }), {
      minItems: 1,
      contains: Type.String({ pattern: NOT_BLANK }),
      description: `Trimmed and lower-cased; blanks are ignored, duplicates dropped and not charged. At most ${MAX_ADDRESSES} may remain.`,
    }),
    name: Type.Optional(
      Type.String({ maxLength: MAX_NAME_CHARACTERS, description: 'A name to recognize the list by.' }),
    ),
    callback_url: Type.Optional(
      Type.String({
        format: 'https-url',
        pattern: '^https://[^/?#]',
        maxLength: MAX_CALLBACK_URL_CHARACTERS,
        description: 'Where `list.done` is sent. Must not contain a user name or password.',
      }),
    ),
  },
  { description: 'Unknown fields are ignored; if a field is repeated, the last one counts.' },
);
