// A data folder that was opened to a group, as Kubernetes does with a volume (`fsGroup`) each time it is mounted.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { endStores, newFolder, quiet, start } from '../../test/stores.ts';
import { readConfig } from '../settings/config.ts';
import { loadSecretKey } from '../settings/secret-key.ts';
import { FOR_OTHERS, keepPrivate } from './held-folder.ts';
import { startEmbedded } from './start-embedded.ts';

vi.setConfig({ testTimeout: 120_000 });
afterEach(endStores);

const isRoot = process.getuid?.() === 0;
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

test('a store that was opened to a group starts, and is private again', async () => {
  const dataDir = join(newFolder(), 'data');
  const first = await startEmbedded({ dataDir, log: quiet });
  await first.stop();
  // What the kubelet does.
  execFileSync('chmod', ['-R', 'g+rwX', dataDir]);
  execFileSync('find', [dataDir, '-type', 'd', '-exec', 'chmod', 'g+s', '{}', '+']);
  await start(dataDir);
  const modes = ['', 'postgres', 'postgres-password'].map((name) => modeOf(join(dataDir, name)));
  // As root, PostgreSQL's own user walks through.
  expect(modes).toEqual([isRoot ? '701' : '700', '700', '600']);
});

test('a secret key that was opened to a group is private again at the next start, and one that a link leads to is used', () => {
  const dataDir = newFolder();
  const config = readConfig({ MXPROOF_DATA_DIR: dataDir, DATABASE_URL: 'postgresql://db.example/x' });
  const said: string[] = [];
  const load = () => loadSecretKey(config, (line) => said.push(line));
  const key = load();
  said.length = 0;
  const file = join(dataDir, 'secret-key');
  chmodSync(file, 0o660);
  chmodSync(dataDir, 0o2770);
  expect(load()).toBe(key);
  expect([modeOf(file), modeOf(dataDir).slice(0, 2), said]).toEqual(['600', '70', []]);
});

test.skipIf(!isRoot)(
  'what is another user’s, has a second name or is a link is left as it is, and said',
  () => {
    const folder = newFolder();
    const [theirs, twice, link] = ['theirs', 'twice', 'link'].map((name) => join(folder, name));
    for (const path of [theirs!, twice!]) writeFileSync(path, 'x');
    for (const path of [theirs!, twice!]) chmodSync(path, 0o660);
    chownSync(theirs!, 65_534, 65_534);
    linkSync(twice!, join(folder, 'its second name'));
    symlinkSync(theirs!, link!);
    const said: string[] = [];
    for (const path of [theirs!, twice!, link!])
      keepPrivate(path, FOR_OTHERS.secret, (line) => said.push(line));
    expect(said).toEqual([
      expect.stringMatching(/theirs is open to its group or to others, .+ give it the mode 600/),
      expect.stringMatching(/twice is open/),
    ]);
    expect([modeOf(theirs!), modeOf(twice!)]).toEqual(['660', '660']);
  },
);

test('what a group may only read stays so: the data folder, and PostgreSQL’s own', () => {
  const folder = newFolder();
  for (const [name, mode, forOthers, after] of [
    ['a', 0o755, FOR_OTHERS.dataFolder, '755'],
    ['b', 0o750, FOR_OTHERS.cluster, '750'],
    ['c', 0o777, FOR_OTHERS.dataFolder, '701'],
    ['d', 0o2770, FOR_OTHERS.cluster, '700'],
  ] as const) {
    const path = join(folder, name);
    mkdirSync(path);
    chmodSync(path, mode);
    keepPrivate(path, forOthers, () => {});
    expect(modeOf(path)).toBe(after);
  }
});
