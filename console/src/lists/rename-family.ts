// Renames a list with its parts and with what was made of it, which are named after it: the service renames one list at a time.
// Promise: each is asked for, whatever became of the others; the same again finishes what was left.
import type { ListSummary } from '@mxproof/client';
import { listsMessages } from '../messages/en-lists.ts';
import { messages } from '../messages/messages.ts';
import { partName } from '../new-list/start-lists.ts';
import { mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import type { Member } from './fold-made.ts';
import { madeName } from './made-name.ts';

/** Some are renamed, and some are not. */
export class PartlyRenamed extends Error {
  override readonly name = 'PartlyRenamed';
}

/** `members`: the first of them is the list that is shown. */
export async function renameFamily(members: readonly Member[], name: string): Promise<ListSummary> {
  const renamed = await Promise.allSettled(
    namesOf(members, name).map(([id, each]) => mx.lists.rename(id, each)),
  );
  const failed = renamed.filter((one) => one.status === 'rejected');
  const [first] = renamed;
  if (failed.length === 0) return (first as PromiseFulfilledResult<ListSummary>).value;
  if (failed.length === renamed.length) throw failed[0]!.reason;
  const { renamedPartly } = listsMessages;
  throw new PartlyRenamed(
    `${renamedPartly(failed.length, renamed.length)} ${problemText(failed[0]!.reason)}`,
  );
}

/** As they were named when they were made. */
export function namesOf(members: readonly Member[], name: string): readonly (readonly [number, string])[] {
  const parts = members.filter(({ kind }) => kind === 'part');
  const shown = name === '' ? messages.lists.unnamed(parts[0]!.id) : name;
  return members.map(({ id, kind }) => {
    if (kind === 'part')
      return [
        id,
        partName(
          name,
          parts.findIndex((part) => part.id === id),
          parts.length,
        ),
      ];
    return [id, madeName(kind, shown)];
  });
}
