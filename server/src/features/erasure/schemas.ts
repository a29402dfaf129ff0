// The schemas of erasing an address.
import { type Static, Type } from 'typebox';
import { closed, NOT_BLANK, name, words } from '../../http/openapi/schemas.ts';
import { MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';

export const EraseRequest = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: MAX_EMAIL_CHARACTERS,
      pattern: NOT_BLANK,
      description: 'The address to erase; case and blanks around it do not matter, as when it was submitted.',
      examples: ['anna@example.com'],
    }),
  },
  { description: 'Unknown fields are ignored; if a field is repeated, the last one counts.' },
);

const BegunErasure = Type.Object(
  { id: Type.Integer({ minimum: 1, description: 'Where to ask how far it is: `GET /v1/erase/{id}`.' }) },
  { ...closed, description: 'An erasure that goes on.' },
);
name('BegunErasure', BegunErasure);
export type WireBegunErasure = Static<typeof BegunErasure>;

const Erasure = Type.Object(
  {
    status: words(
      ['running', 'done'],
      'done: the address is in no list, evidence, callback or remembered answer of the account that was stored when the erasure was asked for.',
    ),
    lists: Type.Integer({ minimum: 0, description: 'Lists, single checks included, that had it so far.' }),
    rows: Type.Integer({ minimum: 0, description: 'Rows whose `email` is now empty.' }),
  },
  { ...closed, description: 'How far an erasure is.' },
);
name('Erasure', Erasure);
export type WireErasure = Static<typeof Erasure>;
