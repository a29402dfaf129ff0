// The schemas of the request log.
import { type Static, Type } from 'typebox';
import type { ErrorCode } from '../../http/errors.ts';
import { closed, count, name, pageOf, ref } from '../../http/openapi/schemas.ts';
import { CLIENT_CHARACTERS } from './shown-client.ts';

const LoggedRequest = name(
  'LoggedRequest',
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: '`X-Request-Id` of the answer.' }),
      at: Type.Integer({ description: 'When the request came, in Unix seconds.' }),
      method: Type.String({ examples: ['POST'] }),
      route: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'As in this document, never the path itself; null: there is no such path.',
        examples: ['/v1/lists/{id}'],
      }),
      status: Type.Integer({ minimum: 200, maximum: 599, description: 'Of the answer.' }),
      error: Type.Unsafe<ErrorCode | null>({
        anyOf: [ref('ErrorCode'), { type: 'null' }],
        description: '`MXProof-Error` of the answer; null if it was no refusal.',
      }),
      duration_ms: count('Until the answer was sent.'),
      key_id: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description:
          'The key, or the one the browser was signed in with; null if it was signed in with a link.',
      }),
      client: Type.String({
        maxLength: CLIENT_CHARACTERS,
        description:
          'The `User-Agent`, cut off, in printable ASCII and without e-mail addresses; empty if none was sent.',
      }),
    },
    { ...closed, description: 'A request that changed something or was refused.' },
  ),
);
export type WireRequest = Static<typeof LoggedRequest>;
name('RequestPage', pageOf('requests', 'LoggedRequest', 'Requests, newest first.'));
