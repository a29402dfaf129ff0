// The fuzzer itself finds what it is there for.
import { expect, test } from 'vitest';
import { createRandom } from '../../world/src/random.ts';
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
