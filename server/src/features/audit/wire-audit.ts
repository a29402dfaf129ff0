import { type TSchema, Type } from 'typebox';
import { closed, name, ref } from '../../http/openapi/schemas.ts';

const value = { type: ['string', 'number', 'boolean', 'null'] };
name(
  'AuditEntry',
  Type.Object(
    {
      id: Type.Integer(),
      at: Type.Integer(),
      action: Type.String(),
      actor: Type.Object(
        {
          kind: Type.String(),
          id: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
          name: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        },
        closed,
      ),
      client: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      request_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      account_id: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      subject: Type.Unsafe<object | null>({
        anyOf: [
          {
            type: 'object',
            properties: { kind: { type: 'string' }, id: { type: 'integer' } },
            required: ['kind', 'id'],
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      }),
      changes: Type.Unsafe<object>({
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { before: value, after: value },
          required: ['before', 'after'],
          additionalProperties: false,
        },
      }),
      changed: Type.Array(Type.String()),
    },
    closed,
  ),
);
name('AuditPage', Type.Object({ entries: Type.Array(ref('AuditEntry') as TSchema) }, closed));
export const wireAudit = (..._: unknown[]): object => ({});
