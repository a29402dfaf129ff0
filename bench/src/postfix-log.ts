// Ten million lines of Postfix's log, as `mxproof outcomes import --dry-run` reads them: lines a second, and the most memory
// that the process had. Promise: what is read is counted and compared with what was written, or the benchmark fails.
import { fork } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { openOutcomes } from '../../files/src/outcomes/open-outcomes.ts';
import { type Bench, repeat, row } from './runner.ts';

const LINES = 10_000_000;
/** Of the lines of a message: accepted, queued, delivered or not, removed. */
const LINES_PER_MESSAGE = 4;
const BOUNCED_EVERY = 20;
const MESSAGES_AT_ONCE = 1_000;
const READ_BYTES = 256 * 1_024;
const MEGABYTE = 1_000_000;
/** Node itself takes a third of it. */
const MOST_MEGABYTES = 200;

interface Figures {
  readonly seconds: number;
  /** Of its thread, which other work on the machine does not lengthen. */
  readonly cpuSeconds: number;
  /** To decode the same bytes and search them for the word that results have: less is not possible. */
  readonly floorCpuSeconds: number;
  readonly megabytes: number;
  readonly delivered: number;
  readonly bounced: number;
}

export const run: Bench = async ({ runs, log }) => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-bench-'));
  try {
    const file = join(folder, 'mail.log');
    const messages = LINES / LINES_PER_MESSAGE;
    await pipeline(Readable.from(linesOf(messages)), createWriteStream(file));
    const gigabytes = statSync(file).size / 1e9;
    log(`written: ${gigabytes.toFixed(2)} GB`);
    const figures = await repeat(runs, async (at) => {
      const found = await inOwnProcess(file);
      const bounced = messages / BOUNCED_EVERY;
      if (found.bounced !== bounced || found.delivered !== messages - bounced)
        throw new Error(`bench: read ${found.delivered} delivered, ${found.bounced} bounced`);
      log(`run ${at + 1}`);
      return found;
    });
    const what = `${(LINES / 1e6).toFixed(0)} million lines of Postfix's log`;
    return [
      row(
        `${what} read`,
        'lines/s',
        figures.map(({ seconds }) => LINES / seconds),
        null,
        `${gigabytes.toFixed(2)} GB, ${(messages / 1e6).toFixed(1)} million outcomes`,
      ),
      row(
        `${what}: processor time`,
        's',
        figures.map(({ cpuSeconds }) => cpuSeconds),
      ),
      row(
        `${what}: processor time, beside decoding and searching it alone`,
        'times',
        figures.map(({ cpuSeconds, floorCpuSeconds }) => cpuSeconds / floorCpuSeconds),
      ),
      row(
        `${what}: peak memory`,
        'MB',
        figures.map(({ megabytes }) => megabytes),
        { at: 'most', value: MOST_MEGABYTES },
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function* linesOf(messages: number): Generator<string> {
  for (let first = 0; first < messages; first += MESSAGES_AT_ONCE) {
    let text = '';
    for (let at = first; at < Math.min(messages, first + MESSAGES_AT_ONCE); at += 1) text += messageLines(at);
    yield text;
  }
}

function messageLines(at: number): string {
  const id = (0x4f000000 + at).toString(16).toUpperCase();
  const head = 'Nov 17 10:00:00 mail postfix/';
  const host = `mx${at % 97}.d${at % 9973}.example[192.0.2.${at % 250}]`;
  const isBounced = at % BOUNCED_EVERY === 0;
  const result = isBounced
    ? `dsn=5.1.1, status=bounced (host ${host} said: 550 5.1.1 <user${at}@d${at % 9973}.example>: Recipient address rejected: User unknown (in reply to RCPT TO command))`
    : 'dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 4XyZ12)';
  return `${head}cleanup[101]: ${id}: message-id=<${id}@a.example>
${head}qmgr[102]: ${id}: from=<news@a.example>, size=4711, nrcpt=1 (queue active)
${head}smtp[103]: ${id}: to=<user${at}@d${at % 9973}.example>, relay=${host}:25, delay=0.41, delays=0.1/0/0.2/0.11, ${result}
${head}qmgr[102]: ${id}: removed
`;
}

/** Its memory is that of reading, and of nothing before. */
function inOwnProcess(file: string): Promise<Figures> {
  const child = fork(fileURLToPath(import.meta.url), [file]);
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as Figures));
    child.once('error', reject);
    child.once('exit', (status) => reject(new Error(`bench: the reader's process ended (${status})`)));
  });
}

async function work(file: string): Promise<void> {
  const counts = { delivered: 0, bounced: 0, complained: 0 };
  const floorCpuSeconds = await cpuSecondsOf(() => search(file));
  const source = { chunks: () => createReadStream(file, { highWaterMark: READ_BYTES }) };
  const opened = await openOutcomes(source, { nowSeconds: Date.now() / 1_000 });
  const beganMs = performance.now();
  const cpuSeconds = await cpuSecondsOf(() =>
    opened.read({
      onOutcome({ outcome }) {
        counts[outcome] += 1;
      },
      onIgnored() {},
      onUnreadable() {},
    }),
  );
  const seconds = (performance.now() - beganMs) / 1_000;
  // In kilobytes.
  const megabytes = (process.resourceUsage().maxRSS * 1_024) / MEGABYTE;
  const { delivered, bounced } = counts;
  process.send?.({ seconds, cpuSeconds, floorCpuSeconds, megabytes, delivered, bounced } satisfies Figures);
}

async function search(file: string): Promise<void> {
  const decoder = new TextDecoder();
  let found = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
    const text = decoder.decode(chunk as Buffer, { stream: true });
    for (let at = text.indexOf(' status='); at >= 0; at = text.indexOf(' status=', at + 1)) found += 1;
  }
  if (found === 0) throw new Error('bench: nothing was found');
}

async function cpuSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

if (import.meta.main) await work(process.argv[2] ?? '');
