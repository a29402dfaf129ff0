// Findings as an iterator, however it is consumed: nothing that was read, found or asked for is lost.
import { expect, test } from 'vitest';
import { virtualChecker } from '../test/virtual-checker.ts';

const spec = { domains: { 'a.example': { host: {}, mailboxes: { share: 1 } } } };
const emails = Array.from({ length: 5 }, (_, i) => `p${i}@a.example`);

async function* trickle(fails: boolean) {
  for (const email of emails) yield email;
  if (fails) throw new Error('the file ends here');
}

test('a reader may ask for several findings at once; each comes once, then the end as often as it is asked for', async () => {
  const { checker, world } = virtualChecker(spec);
  const found = checker.checkAll(emails)[Symbol.asyncIterator]();
  const asked = Array.from({ length: 7 }, () => found.next());
  const told = (await world.run(Promise.all(asked))) as IteratorResult<{ email: string }>[];
  expect(told.map(({ done, value }) => (done ? 'end' : value.email)).sort()).toEqual([
    'end',
    'end',
    ...emails,
  ]);
  expect(await found.next()).toEqual({ done: true, value: undefined });
});

test('addresses may come one after the other', async () => {
  const { checker, world } = virtualChecker(spec);
  const found: string[] = [];
  const all = async () => {
    for await (const { email } of checker.checkAll(trickle(false))) found.push(email);
  };
  await world.run(all());
  expect(found.sort()).toEqual(emails);
});

test('a source may wait for what became of one address before it names the next', async () => {
  const { checker, world } = virtualChecker(spec);
  const found: string[] = [];
  async function* oneByOne() {
    for (const [n, email] of emails.entries()) {
      yield email;
      while (found.length <= n) await new Promise<void>((go) => world.clock.setTimeout(go, 100));
    }
  }
  const all = async () => {
    for await (const { email } of checker.checkAll(oneByOne())) found.push(email);
  };
  await world.run(
    Promise.race([all(), new Promise((stop) => world.clock.setTimeout(() => stop(0), 60_000))]),
  );
  expect(found).toEqual(emails);
});

test('a reader that stops reading stops the source at the window, and goes on from there', async () => {
  const { checker, world, sleep } = virtualChecker(spec);
  let read = 0;
  function* many() {
    for (; read < 120_000; read += 1) yield `p${read}@a.example`;
  }
  const found = checker.checkAll(many())[Symbol.asyncIterator]();
  await world.run(found.next());
  await sleep(3_600_000);
  expect(read).toBeGreaterThan(49_000);
  expect(read).toBeLessThanOrEqual(50_001);
  let more = 1;
  const rest = async () => {
    while (!(await found.next()).done) more += 1;
  };
  await world.run(rest());
  expect(more).toBe(120_000);
});

test('a source that breaks breaks the loop', async () => {
  const { checker, world } = virtualChecker(spec);
  const all = async () => {
    for await (const _ of checker.checkAll(trickle(true)));
  };
  await expect(world.run(all())).rejects.toThrow('the file ends here');
});

test('a reader who has left hears no more', async () => {
  const { checker, world } = virtualChecker(spec);
  const found = checker.checkAll(emails)[Symbol.asyncIterator]();
  const first = async () => {
    await found.next();
    await found.return?.();
    return found.next();
  };
  expect(await world.run(first())).toEqual({ done: true, value: undefined });
});

const greylisting = {
  domains: {
    'a.example': { host: { replyDelayMs: 300, greylist: { delayMs: 60_000 } }, mailboxes: ['anna'] },
  },
};

test('closing ends what waits for its next attempt, without waiting for it', async () => {
  const { checker, world, sleep } = virtualChecker(greylisting);
  const waiting = checker.check('anna@a.example');
  const refused = expect(waiting).rejects.toThrow('the checker is closed');
  await sleep(10_000);
  const closedAtMs = world.clock.now();
  await world.run(checker.close());
  await world.run(refused);
  expect(world.clock.now() - closedAtMs).toBeLessThan(6_000);
});

test('closing ends a list that is longer than what is read of it', async () => {
  const unresponsive = {
    domains: { 'a.example': { host: { at: { banner: { next: 'silent' as const } } } } },
  };
  const { checker, world, sleep } = virtualChecker(unresponsive);
  const many = Array.from({ length: 60_000 }, (_, i) => `p${i}@a.example`);
  let found = 0;
  const all = async () => {
    for await (const _ of checker.checkAll(many)) found += 1;
  };
  const over = all();
  await sleep(1_000);
  await world.run(checker.close());
  await world.run(over);
  expect(found).toBe(0);
});

test('a `next` that still waits when the reader leaves gets the end', async () => {
  const { checker, world, sleep } = virtualChecker(greylisting);
  const found = checker.checkAll(['anna@a.example'])[Symbol.asyncIterator]();
  const waiting = found.next();
  await sleep(10_000);
  await found.return?.();
  expect(await world.run(waiting)).toEqual({ done: true, value: undefined });
});

test('who was on the wire when the reader left is not waited for', async () => {
  const { checker, world, sleep } = virtualChecker(greylisting);
  const found = checker.checkAll(['anna@a.example'])[Symbol.asyncIterator]();
  void found.next();
  while (world.seen.total.rcpts === 0) await sleep(10);
  await found.return?.();
  const leftAtMs = world.clock.now();
  // Until no timer is left.
  await expect(world.run(new Promise(() => {}))).rejects.toThrow('nothing is due any more');
  expect(world.clock.now() - leftAtMs).toBeLessThan(10_000);
});
