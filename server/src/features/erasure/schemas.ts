// The schemas of erasing an address.
import { type Static, Type } from 'typebox';
import { closed, name, words } from '../../http/openapi/schemas.ts';

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
