// Questions to the person at the terminal, and secrets from there or from standard input.
// Promise: a secret is never echoed; Ctrl-C ends the command with status 130.

import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { EXIT } from './exit-status.ts';
import { UsageError } from './usage-error.ts';

const MAX_SECRET_CHARS = 4_096;

/** Typed unseen at a terminal; otherwise the first line of standard input. */
export async function readSecret(
  what: string,
  { optional = false }: { readonly optional?: boolean } = {},
): Promise<string> {
  const line = process.stdin.isTTY ? await typed(`${what} (input is hidden): `) : await firstLine(what);
  const secret = line.trim();
  if (secret === '' && !optional)
    throw new UsageError(`No ${what} given: type it when asked, or pass it on standard input.`);
  if (secret.length > MAX_SECRET_CHARS) throw tooLong(what);
  return secret;
}

async function typed(prompt: string): Promise<string> {
  // With an output that shows nothing, readline still takes corrections.
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asked = createInterface({ input: process.stdin, output: unseen, terminal: true });
  // Only now: before readline has the terminal, what is typed would be echoed.
  process.stderr.write(prompt);
  const line = await answerOf(asked, '');
  process.stderr.write('\n');
  return line;
}

async function firstLine(what: string): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') && text.trimStart().includes('\n')) break;
    if (text.length > MAX_SECRET_CHARS) throw tooLong(what);
  }
  return text.trimStart().split('\n')[0]!;
}

function tooLong(what: string): UsageError {
  return new UsageError(`The ${what} is longer than ${MAX_SECRET_CHARS} characters.`);
}

/** Only where both the question is seen and the answer can be typed. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Anything but y or yes is no. */
export async function askYes(question: string): Promise<boolean> {
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  return /^y(es)?$/i.test((await answerOf(asked, `${question} [y/N] `)).trim());
}

/** Ctrl-D is an empty answer. */
function answerOf(asked: Interface, question: string): Promise<string> {
  return new Promise((resolve) => {
    asked.on('SIGINT', () => {
      asked.close();
      process.stderr.write('\n');
      process.exit(EXIT.interrupted);
    });
    asked.on('close', () => resolve(''));
    asked.question(question, (answer) => {
      resolve(answer);
      asked.close();
    });
  });
}
