// The fuzzer itself finds what it is there for.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../world/src/random.ts';
import { Coverage } from './coverage.ts';
import { type FuzzRun, fuzzTarget } from './fuzz-target.ts';
import { mutate } from './mutate.ts';
import { piecesOf, randomOf } from './pieces.ts';
import { promised, type Target, words } from './target.ts';

const RUN: FuzzRun = {
  inputs: 20_000,
  seed: 1,
  corpus: [],
  coverage: null,
};

function target(check: Target['check']): Target {
  return {
    name: 'toy',
    inputs: 0,
    cpuSecondsMax: 60,
    inputMaxBytes: 500,
    check,
    seeds: () => words('250 ok\r\n', '550 no\r\n'),
    dictionary: words('421', 'QUIT', '\r\n'),
    make: (random) => Buffer.from([random.between(0, 255)]),
  };
}

test('a failure comes back short, with its words', async () => {
  const { failure } = await fuzzTarget(
    target((input) => {
      const text = input.toString('latin1');
      if (text.includes('no')) promised(!text.includes('421'), 'no 421 beside a no', text.length);
    }),
    RUN,
  );
  expect(['421no', 'no421']).toContain(failure?.input.toString());
  expect(failure?.words).toBe('no 421 beside a no: 5');
});

test('shrinking does not slip from one failure into another', async () => {
  const { failure } = await fuzzTarget(
    target((input) => {
      promised(input.length < 100, 'under a hundred');
      promised(input.length !== 3, 'not three');
    }),
    { ...RUN, seed: 5 },
  );
  expect(['under a hundred', 'not three']).toContain(failure?.words);
  expect(failure?.input.length).toBe(failure?.words === 'not three' ? 3 : 100);
});

test('an input that takes a quarter of a second of this thread is a failure', async () => {
  // The first ones may take longer, since they compile what they call.
  const corpus = words(...Array.from({ length: 60 }, () => 'ok'), 'QUIT');
  const { failure } = await fuzzTarget(
    target((input) => {
      if (!input.includes('QUIT')) return;
      const startedUs = process.threadCpuUsage().user;
      while (process.threadCpuUsage().user - startedUs < 250_000);
    }),
    { ...RUN, corpus },
  );
  expect(failure?.words).toMatch(/^an input takes at most 200 ms: \d+$/);
  expect([failure?.input.toString(), failure?.at]).toEqual(['QUIT', 61]);
});

test('an input that was slow once, and is not when it is tried again, is none', async () => {
  const corpus = words(...Array.from({ length: 60 }, () => 'ok'), 'QUIT');
  let tries = 0;
  const { failure } = await fuzzTarget(
    target((input) => {
      if (input.toString() !== 'QUIT') return;
      tries += 1;
      const startedUs = process.threadCpuUsage().user;
      while (tries === 1 && process.threadCpuUsage().user - startedUs < 250_000);
    }),
    { ...RUN, inputs: 100, corpus },
  );
  expect([tries, failure]).toEqual([2, null]);
});

describe('steps that grow faster than what is repeated', () => {
  const STEEP = /^steps grow faster than what is repeated of an input: (?:\d+, ){5}\d+$/;
  const wordsFor = async (check: Target['check'], coverage: Coverage | null = null) => {
    const run = { ...RUN, inputs: 10, corpus: words('<p><p>'), coverage };
    const { failure } = await fuzzTarget({ ...target(check), inputMaxBytes: 8_192 }, run);
    return failure?.words ?? null;
  };
  /** For every beginning the text is searched to its end. */
  const searchAll = (text: string) => {
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) text.indexOf('</p>', at);
  };

  test('are found where a text is searched again and again', async () => {
    expect(await wordsFor((input) => searchAll(input.toString()))).toMatch(STEEP);
  });

  test('are found where our own loops take them', async () => {
    const coverage = new Coverage(/^data:/);
    const pairs = `export function pairs(all) { let found = 0; for (const a of all) for (const b of all) if (a < b) found++; return found; }`;
    const loaded = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(pairs)}`)) as {
      pairs: (all: Buffer) => number;
    };
    expect(await wordsFor((input) => void loaded.pairs(input), coverage)).toMatch(STEEP);
    coverage.close();
  });

  test('are not found in a reader that looks once, or that begins to at some length', async () => {
    expect(await wordsFor((input) => void input.toString().indexOf('</p>'))).toBeNull();
    for (let least = 0; least < 8_192; least += 256)
      expect(await wordsFor((input) => void input.toString().slice(least).indexOf('</p>'))).toBeNull();
  });

  test('and what a longer input breaks is told as any failure', async () => {
    expect(await wordsFor((input) => promised(input.length < 5_000, 'short'))).toBe('short');
  });
});

test('a target that has had its time is given up', async () => {
  const slow = { ...target(() => {}), cpuSecondsMax: 0.02 };
  const { inputs, failure } = await fuzzTarget(slow, { ...RUN, inputs: 100_000_000 });
  expect(inputs).toBeLessThan(100_000_000);
  expect(failure).toBeNull();
});

test('the corpus goes first, and the same seed makes the same inputs', async () => {
  const seen = async (seed: number) => {
    const inputs: string[] = [];
    const check = (input: Buffer) => void inputs.push(input.toString('latin1'));
    await fuzzTarget(target(check), { ...RUN, seed, inputs: 300, corpus: words('kept') });
    return inputs;
  };
  const inputs = await seen(3);
  expect(inputs.slice(0, 3)).toEqual(['kept', '250 ok\r\n', '550 no\r\n']);
  expect(await seen(3)).toEqual(inputs);
  expect(await seen(4)).not.toEqual(inputs);
});

test('a mutation keeps to its length and leaves what it was made of alone', () => {
  const random = createRandom(2);
  const [given = Buffer.alloc(0), other = given] = words('550 5.1.1 no such user', '250 ok');
  const before = given.toString();
  for (let n = 0; n < 5_000; n += 1)
    expect(
      mutate(given, random, { dictionary: words('x', 'yz'), other, maxBytes: 40 }).length,
    ).toBeLessThanOrEqual(40);
  expect(given.toString()).toBe(before);
});

test('pieces are the same bytes', () => {
  for (const text of ['', 'a', 'a\r\nb\r\n', '\n\n\n'.repeat(20)]) {
    const bytes = Buffer.from(text);
    expect(Buffer.concat(piecesOf(bytes, randomOf(bytes))).toString()).toBe(text);
  }
});
