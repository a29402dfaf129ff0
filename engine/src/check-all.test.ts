// Findings as an iterator, whoever asks and however: what was read, found and asked for never gets lost on the way.
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
