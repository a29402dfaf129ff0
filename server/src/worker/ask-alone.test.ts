import type { AskedDomain } from '@mxproof/engine';
import { afterEach, expect, test } from 'vitest';
import { quiet } from '../../test/service.ts';
import { DiedAlone } from '../flow/fail-chunk.ts';
import { type AskAlone, createAskAlone } from './ask-alone.ts';

const PROGRAM = new URL('../../test/alone-program.ts', import.meta.url);
let asking: AskAlone | undefined;
afterEach(() => {
  asking?.close();
  asking = undefined;
});

const start = (settings = '') =>
  createAskAlone({ program: PROGRAM, settings, log: quiet, aliveEveryMs: 100 });

async function ask(
  emails: readonly string[],
  {
    settings,
    signal,
    isFresh = false,
    askedBefore = [],
  }: {
    settings?: string;
    signal?: AbortSignal;
    isFresh?: boolean;
    askedBefore?: readonly AskedDomain[];
  } = {},
) {
  asking ??= start(settings);
  const outcomes: string[] = [];
  const error = await asking
    .checker({ isTest: false, isFresh })
    .ask(
      emails.map((email) => ({ email })),
      {
        ...(signal && { signal }),
        askedBefore,
        onOutcome: (index, outcome) => outcomes.push(outcome.kind === 'later' ? outcome.why : `${index}`),
      },
    )
    .then(
      () => null,
      (thrown: Error) => thrown,
    );
  return { outcomes, error };
}

test('every question has the outcome that the process gives it', async () => {
  expect(await ask(['one', 'two'])).toEqual({ outcomes: ['0', '1'], error: null });
});

test('the process knows what the account has asked about before', async () => {
  const askedBefore = [{ domain: 'a.test', asked: 500, unknown: 500, ageMs: 0 }];
  const { outcomes } = await ask(['asked before'], { askedBefore });
  expect(JSON.parse(outcomes[0]!)).toEqual(askedBefore);
});

test('chunks follow each other in one process, unless one of them must have a fresh one', async () => {
  const pids: string[] = [];
  for (const isFresh of [false, false, true]) pids.push((await ask(['pid'], { isFresh })).outcomes[0]!);
  expect(pids[1]).toBe(pids[0]);
  expect(pids[2]).not.toBe(pids[0]);
});

test('what was answered before the process dies is kept, and its death is the error', async () => {
  const { outcomes, error } = await ask(['one', 'exits', 'three']);
  expect(outcomes).toEqual(['0']);
  expect(error).toBeInstanceOf(DiedAlone);
  expect(error!.message).toContain('exit status 3');
});

test.each(['computes', 'eats memory'])('a process that %s is ended', async (email) => {
  const { error } = await ask([email]);
  expect(error).toBeInstanceOf(DiedAlone);
});

test('what is thrown there is a defect like any other, not a death', async () => {
  const { error } = await ask(['throws']);
  expect(error).not.toBeInstanceOf(DiedAlone);
  expect(error!.message).toBe('thrown');
});

test('a process that does not start hands everything back', async () => {
  const signal = AbortSignal.timeout(1_000);
  const settings = 'does not start';
  expect(await ask(['one', 'two'], { settings, signal })).toEqual({ outcomes: ['0', '1'], error: null });
});

test('a process that dies once it was told to stop hands everything back', async () => {
  const stop = new AbortController();
  const asked = ask(['one', 'waits', 'three'], { signal: stop.signal });
  setTimeout(() => stop.abort(), 1_000);
  expect(await asked).toEqual({ outcomes: ['0', '1', '2'], error: null });
});
