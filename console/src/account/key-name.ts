// What a key is called: its label, or its number, since the operator's command makes keys without a label.
import type { Key } from '@mxproof/client';
import { apiKeys as text } from '../messages/en-account.ts';

export function keyNameOf({ id, label }: Pick<Key, 'id' | 'label'>): string {
  return label === '' ? text.keyNumber(id) : label;
}
