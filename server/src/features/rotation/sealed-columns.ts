// Every column that is sealed with the secret key, and what binds a value to its row. A rotation seals each again; a column that is
// not here would be lost with the key before, so a test holds this table against the schema.

import { KEY_BINDING } from '../../store/erasure-key.ts';
import { accountBinding } from '../../store/webhook-secrets.ts';
import { answerBinding } from '../admin/answer-binding.ts';
import { ADDRESS_BINDING } from '../erasure/erase-address.ts';
import { hookBinding } from '../outcomes/stored-hooks.ts';
import { endpointBinding } from '../webhooks/stored-endpoints.ts';

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** In SQL: a number that tells its rows apart. */
  readonly id: string;
  boundTo(id: number): string;
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'accounts', column: 'webhook_secret', id: 'id', boundTo: accountBinding },
  { table: 'accounts', column: 'previous_webhook_secret', id: 'id', boundTo: accountBinding },
  { table: 'webhook_endpoints', column: 'secret', id: 'id', boundTo: endpointBinding },
  { table: 'webhook_endpoints', column: 'previous_secret', id: 'id', boundTo: endpointBinding },
  { table: 'outcome_hooks', column: 'signing_key', id: 'id', boundTo: hookBinding },
  { table: 'admin_answers', column: 'answer', id: 'id', boundTo: answerBinding },
  { table: 'erasures', column: 'sealed', id: 'id', boundTo: () => ADDRESS_BINDING },
  { table: 'erasure_key', column: 'sealed', id: 'is_only::int', boundTo: () => KEY_BINDING },
];
