// What an entry of the history was for, in words; and the whole history as a table.
import type { Entry } from '@mxproof/client';
import type { TableCell } from '../design/save-csv.ts';
import { history as text } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { mx } from '../shell/api.ts';

/** As many as the service gives at once. */
const PAGE_ENTRIES = 10_000;
/** A million entries; what is older is left out. */
const PAGES_MAX = 100;

/** Of a list its addresses; of what was added, the operator's words. Empty: there is nothing to say. */
export function noteOf({ kind, single, credits, note }: Entry): string {
  if (kind === 'grant') return note;
  if (kind === 'charge') return single ? '' : text.addresses(-credits);
  return single ? text.noResult : text.withoutResult(credits);
}

/** What an operator took back is a grant too, with negative credits. */
export function kindTextOf({ kind, credits }: Entry): string {
  return kind === 'grant' && credits < 0 ? text.takenBack : text.kinds[kind];
}

export function listNameOf({ list_id, list_name, single }: Entry): string {
  if (list_id === null) return '';
  if (single) return text.singleCheck;
  if (list_name === null) return text.deletedList(list_id);
  return list_name === '' ? messages.lists.unnamed(list_id) : list_name;
}

/** Numbers and dates as spreadsheets read them. The first row has the headings. */
export function historyTable(entries: readonly Entry[]): readonly (readonly TableCell[])[] {
  const rows = entries.map((entry) => {
    const { at, credits, balance } = entry;
    const when = new Date(at * 1_000).toISOString().slice(0, 19).replace('T', ' ');
    return [when, kindTextOf(entry), listNameOf(entry), noteOf(entry), credits, balance];
  });
  return [[text.atUtc, text.what, text.list, text.note, text.credits, text.balance], ...rows];
}

/** Newest first. An entry that is made meanwhile pushes the others on: one that comes again is there once. */
export async function readHistory(kind: Entry['kind'] | undefined): Promise<readonly Entry[]> {
  const entries = new Map<number, Entry>();
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const read = await mx.account.history({ offset: page * PAGE_ENTRIES, limit: PAGE_ENTRIES, kind });
    for (const entry of read) entries.set(entry.id, entry);
    if (read.length < PAGE_ENTRIES) break;
  }
  return [...entries.values()];
}
