// list ls|show|cancel|rm|undelete: the lists of the key's account, at a service; with --any, from the store.

import type { Group, ListSummary, MXProof } from '@mxproof/client';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { askYes, canAsk } from '../shared/ask.ts';
import { EXIT } from '../shared/exit-status.ts';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { summaryRows } from './list-summary.ts';
import { watchList } from './watch-list.ts';

const PAGE_LISTS = 50;
/** Of a group, in its line. */
const SHOWN_IDS = 5;
const TO_THE_MINUTE = '2026-11-16T08:15'.length;

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

interface ListsFilter extends Options {
  readonly any?: boolean;
  readonly stuck?: boolean;
  readonly status?: ListSummary['status'];
  readonly single?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

export async function listLs(options: ListsFilter): Promise<void> {
  const { json, status, single, any, stuck, offset = 0, limit = PAGE_LISTS, ...rest } = options;
  if (stuck && !any) throw new UsageError('--stuck is of all accounts: add --any.');
  if (any && single) throw new UsageError('--any shows no single checks: leave out --single.');
  if (any) return (await fromStore(options)).listAny(options);
  const { mx } = await connectService(rest);
  const page = { offset, limit, ...(status && { status }), ...(single && { single }) };
  if (json) return printJson(await mx.lists.list(page));
  const lists = await mx.lists.list({ ...page, include: 'group' });
  if (lists.length === 0 && offset === 0)
    return printLine(status === undefined ? 'No lists yet.' : `No lists are ${status}.`);
  // Of a group, only some lists may have the status: they are shown each by itself.
  const shown = status === undefined ? await fold(mx, lists, offset) : lists;
  const rows = shown.map(({ id, status: state, checked, total, counts, created_at, name }) => [
    ...[id, state, `${checked}/${total}`, counts.deliverable],
    ...[dateOf(created_at).slice(0, TO_THE_MINUTE).replace('T', ' '), plain(name)],
  ]);
  const heading = ['list', 'status', 'checked', 'deliverable', 'created (UTC)', 'name'];
  printTable([heading, ...rows], { cutLast: true });
  if (lists.length === limit) process.stderr.write(`Older lists: --offset ${offset + limit}\n`);
}

/** With one line for each group, where its newest list is. */
async function fold(mx: MXProof, lists: readonly ListSummary[], offset: number): Promise<ListSummary[]> {
  const shown: ListSummary[] = [];
  const seen = new Set<string>();
  for (const list of lists) {
    if (!list.group) shown.push(list);
    if (!list.group || seen.has(list.group)) continue;
    seen.add(list.group);
    const group = await mx.lists.group(list.group);
    // A page before this one has shown it.
    if (offset > 0 && group.lists.some((id) => id > lists[0]!.id)) continue;
    shown.push(group.lists.length === 1 ? list : { ...group, id: group.lists[0]!, name: nameOf(group) });
  }
  return shown;
}

function nameOf({ name, lists }: Group): string {
  const ids = lists.slice(0, SHOWN_IDS).join(', ');
  return `${name} (${lists.length} lists: ${ids}${lists.length > SHOWN_IDS ? ', …' : ''})`.trimStart();
}

interface AnyOptions extends Options {
  readonly any?: boolean;
  readonly watch?: boolean;
}

export async function listShow(id: number, options: AnyOptions): Promise<number> {
  const { json = false, watch, any, ...rest } = options;
  if (any) {
    await (await fromStore(options)).showAnyList(id, options);
    return EXIT.ok;
  }
  const { mx } = await connectService(rest, forOperators('show', id));
  if (watch) return watchList(mx, id, json);
  if (json) printJson(await mx.lists.get(id));
  else printTable(summaryRows(await mx.lists.get(id, { include: 'paused' })));
  return EXIT.ok;
}

export async function listCancel(id: number, options: AnyOptions): Promise<void> {
  const { json, any, ...rest } = options;
  if (any) return (await fromStore(options)).cancelAnyList(id, options);
  const { mx } = await connectService(rest, forOperators('cancel', id));
  const list = await mx.lists.cancel(id);
  if (json) return printJson(list);
  const refunded = list.total - list.checked + list.counts.unknown;
  printLine(
    `List ${id} cancelled: ${list.checked} of ${list.total} were checked, ${refunded} credits refunded.`,
  );
}

interface RmOptions extends Options {
  readonly yes?: boolean;
  readonly undo?: number;
}

export async function listRm(id: number, { json, yes, undo, ...rest }: RmOptions): Promise<number> {
  const { mx } = await connectService(rest);
  // What can be undone need not be asked.
  if (!yes && undo === undefined) {
    if (!canAsk()) throw new UsageError('Not a terminal: pass --yes to delete the list and its results.');
    const { name, total, status } = await mx.lists.get(id);
    const what = `list ${id}${name === '' ? '' : ` "${plain(name)}"`}, ${status}, ${total} addresses`;
    if (!(await askYes(`Delete ${what}, and its results?`))) {
      printLine('Nothing was deleted.');
      return EXIT.failed;
    }
  }
  await mx.lists.delete(id, undo === undefined ? {} : { undo });
  if (json) printJson({ list_id: id, deleted: true });
  else if (undo === undefined) printLine(`List ${id} deleted.`);
  else printLine(`List ${id} deleted; "mxproof list undelete ${id}" restores it within ${undo} seconds.`);
  return EXIT.ok;
}

export async function listUndelete(id: number, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const list = await mx.lists.undelete(id);
  if (json) return printJson(list);
  printLine(`List ${id} restored.`);
}

/** Loaded only now: it brings the database driver. */
function fromStore({ url, watch }: AnyOptions): Promise<typeof import('./any-list.ts')> {
  if (url !== undefined || watch)
    throw new UsageError('--any reads the store, not a service: leave out --url and --watch.');
  return import('./any-list.ts');
}

function forOperators(verb: 'show' | 'cancel', id: number): string {
  return `; as the operator, run "mxproof list ${verb} ${id} --any"`;
}
