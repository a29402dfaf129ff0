// submit and follow: send a file of addresses to a running service and watch it to the end.

import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@mxproof/server/operator-error.ts';
import { type Api, connectApi, type ListSummary } from './api.ts';
import { createProgress } from './progress.ts';
import { connectService } from './service-account.ts';
import { UsageError } from './usage-error.ts';

/** Often at first, then as the API recommends. */
const FAST_POLLS = 120;
const FAST_POLL_MS = 1_000;
const SLOW_POLL_MS = 5_000;
const PAGE_ROWS = 10_000;

interface Service {
  readonly url?: string;
  readonly output?: string;
}

interface NewList extends Service {
  readonly name?: string;
  readonly callback?: string;
}

export async function submit(file: string, options: NewList): Promise<number> {
  const api = await connect(options);
  const emails = (await read(file)).split(/\r?\n/).filter((line) => line.trim() !== '');
  if (emails.length === 0) throw new UsageError(`No addresses in ${file}: expected one per line.`);
  const list = await api.submit({
    emails,
    name: options.name ?? basename(file),
    ...(options.callback !== undefined && { callback_url: options.callback }),
  });
  process.stdout.write(
    `list ${list.id}: ${list.total} addresses accepted, duplicates removed: ${list.duplicates_removed}\n`,
  );
  return followToEnd(api, list, options.output);
}

export async function follow(listId: number, options: Service): Promise<number> {
  const api = await connect(options);
  return followToEnd(api, await api.list(listId), options.output);
}

async function followToEnd(api: Api, begun: ListSummary, output: string | undefined): Promise<number> {
  const progress = createProgress(begun.total, process.stderr.isTTY === true);
  let list = begun;
  for (let polls = 0; list.status === 'processing' || list.status === 'checking'; polls += 1) {
    await sleep(polls < FAST_POLLS ? FAST_POLL_MS : SLOW_POLL_MS);
    list = await api.list(begun.id);
    progress.to(list.checked);
  }
  progress.clear();
  process.stdout.write(summary(list));
  if (output !== undefined) await download(api, list, output);
  return list.status === 'failed' ? 1 : 0;
}

function summary(list: ListSummary): string {
  const lines = Object.entries(list.counts).map(([state, count]) => {
    const share = ((count * 100) / list.total).toFixed(1).padStart(5);
    const refund = state === 'unknown' && count > 0 ? '  (refunded)' : '';
    return `  ${state.padEnd(14)}${String(count).padStart(7)} ${share} %${refund}\n`;
  });
  return `list ${list.id} ${list.status}: ${list.checked} of ${list.total} checked\n${lines.join('')}`;
}

async function download(api: Api, list: ListSummary, output: string): Promise<void> {
  let text = '';
  for (let offset = 0; offset < list.total; offset += PAGE_ROWS) {
    const page = await api.csv(list.id, offset, PAGE_ROWS);
    // Each page carries its own header row; the file needs one.
    text += offset === 0 ? page : page.slice(page.indexOf('\r\n') + 2);
  }
  await writeFile(output, text);
  process.stdout.write(`results: ${output}\n`);
}

async function connect(options: Service): Promise<Api> {
  const { url, key } = await connectService(options);
  return connectApi(url, key);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  } catch (error) {
    throw new OperatorError(`Cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
}
