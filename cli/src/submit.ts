// submit and follow: send a file of addresses to a running service and watch it to the end.

import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefused } from '@mxproof/server/start-refused.ts';
import { type Api, connectApi, type ListSummary } from './api.ts';
import { readArguments, readId } from './arguments.ts';
import { createProgress } from './progress.ts';
import { UsageError } from './usage.ts';

const FLAGS = { url: 'text', key: 'text', output: 'text' } as const;
const DEFAULT_URL = 'http://127.0.0.1:8080';
/** Often at first, then as the API recommends. */
const FAST_POLLS = 120;
const FAST_POLL_MS = 1_000;
const SLOW_POLL_MS = 5_000;
const PAGE_ROWS = 10_000;

export async function submit(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<file>'], { ...FLAGS, name: 'text', callback: 'text' });
  const file = words[0]!;
  const api = connect(flags);
  const emails = (await read(file)).split(/\r?\n/).filter((line) => line.trim() !== '');
  if (emails.length === 0) throw new UsageError(`${file} has no address in it: one a line is expected.`);
  const list = await api.submit({
    emails,
    name: flags.name ?? basename(file),
    ...(flags.callback !== undefined && { callback_url: flags.callback }),
  });
  process.stdout.write(
    `list ${list.id}: ${list.total} addresses taken, ${list.duplicates_removed} duplicates removed\n`,
  );
  await followToEnd(api, list, flags.output);
}

export async function follow(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<list>'], FLAGS);
  const api = connect(flags);
  await followToEnd(api, await api.list(readId('The list', words[0])), flags.output);
}

async function followToEnd(api: Api, begun: ListSummary, output: string | undefined): Promise<void> {
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
  if (list.status === 'failed') process.exitCode = 1;
}

function summary(list: ListSummary): string {
  const lines = Object.entries(list.counts).map(([state, count]) => {
    const share = ((count * 100) / list.total).toFixed(1).padStart(5);
    const refund = state === 'unknown' && count > 0 ? '  (refunded)' : '';
    return `  ${state.padEnd(14)}${String(count).padStart(7)} ${share} %${refund}\n`;
  });
  return `list ${list.id} is ${list.status}: ${list.checked} of ${list.total} checked\n${lines.join('')}`;
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

function connect(flags: { url: string | undefined; key: string | undefined }): Api {
  const key = flags.key ?? process.env.MXPROOF_API_KEY;
  if (!key) throw new UsageError('The API key is missing: give --key, or set MXPROOF_API_KEY.');
  return connectApi(flags.url ?? DEFAULT_URL, key);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  } catch (error) {
    throw new StartRefused(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
