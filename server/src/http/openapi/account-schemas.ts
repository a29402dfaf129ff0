// The schemas of an account's history and usage, of suggestions and of sessions.
import { type Static, type TSchema, Type } from 'typebox';
import { checkedFields, closed, count, name, ref, words } from './schemas.ts';

const nullable = <Value>(type: string, description: string) =>
  Type.Unsafe<Value | null>({ type: [type, 'null'], description });

const Entry = name(
  'Entry',
  Type.Object(
    {
      id: Type.Integer({ minimum: 1, description: 'Entry identifier; later entries have larger ones.' }),
      at: Type.Integer({ description: 'Unix seconds.' }),
      kind: words(
        ['grant', 'charge', 'refund'],
        'grant: credits were added, or taken back by the operator. charge, refund: by a list.',
      ),
      credits: Type.Integer({
        description: 'The change; a charge is negative, and so is a grant that was taken back.',
      }),
      balance: count('After the change.'),
      list_id: nullable<number>('integer', 'The list that was charged or refunded; null for a grant.'),
      list_name: nullable<string>(
        'string',
        'Its name, empty if it has none; null for a grant and once the list is deleted.',
      ),
      single: nullable<boolean>(
        'boolean',
        'Whether it was a single check, whose list has no name; null for a grant and once the list is deleted.',
      ),
      note: Type.String({ description: 'What happened, for people.' }),
    },
    { ...closed, description: 'One change of the balance.' },
  ),
);
export type WireEntry = Static<typeof Entry>;
name('History', Type.Object({ entries: Type.Array(ref('Entry') as TSchema) }, closed));

const UsageDay = name(
  'UsageDay',
  Type.Object(
    {
      date: Type.String({ format: 'date', description: 'The day in UTC.' }),
      charged: count('Credits charged on this day.'),
      refunded: count('Credits refunded on this day.'),
      deliverable: count('Results of lists that finished on this day.'),
      risky: count('Likewise.'),
      undeliverable: count('Likewise.'),
      unknown: count('Likewise; refunded.'),
    },
    { ...closed, description: 'What an account used on one day.' },
  ),
);
export type WireUsageDay = Static<typeof UsageDay>;
name('Usage', Type.Object({ days: Type.Array(ref('UsageDay') as TSchema) }, closed));

const Suggestion = name(
  'Suggestion',
  Type.Object(
    {
      email: checkedFields.email,
      valid: Type.Boolean({ description: 'Whether it is well-formed. It may not exist all the same.' }),
      suggestion: nullable<string>('string', 'A likelier spelling of the domain; null if there is none.'),
      role: checkedFields.role,
      free: checkedFields.free,
      disposable: checkedFields.disposable,
    },
    { ...closed, description: 'What can be said about an address without asking a mail server.' },
  ),
);
export type WireSuggestion = Static<typeof Suggestion>;

const SignedIn = name(
  'SignedIn',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the account.' }),
      test: Type.Boolean({ description: 'Signed in with a test key.' }),
      expires_at: Type.Integer({
        description: 'Unix seconds; 12 hours without a request end the session sooner.',
      }),
      proof: Type.String({
        description: 'For the page’s storage, and for `MXProof-Session-Proof` in each of its requests.',
      }),
    },
    { ...closed, description: 'A browser that is signed in.' },
  ),
);
export type WireSignedIn = Static<typeof SignedIn>;
