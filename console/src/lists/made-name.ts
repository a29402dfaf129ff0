// The name of what was made of a list. Two lists of one name would be mistaken for each other.
import { NAME_MAX } from '../design/rename-form.tsx';
import { listMessages } from '../messages/en-list.ts';
import type { Making } from './fold-made.ts';

/** As much of it as there is room for. */
export function madeName(by: Making, name: string): string {
  const { againOf, meant } = listMessages.list;
  return [...(by === 'retries' ? againOf(name) : meant.of(name))].slice(0, NAME_MAX).join('');
}
