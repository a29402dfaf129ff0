// Every block of README and of the guides, run as it stands against the real service on a small internet; what cannot be
// run here is named below, with the reason or the test that runs it.
import { execFile } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../server/test/until.ts';
import { mxproof } from '../test/run-mxproof.ts';
import { type CliService, startCliService } from '../test/start-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const LAUNCHER = join(ROOT, 'cli/bin/mxproof.mjs');

interface Block {
  readonly page: string;
  readonly language: string;
  readonly code: string;
  readonly title: string;
  /** The heading above it. */
  readonly section: string;
}

/** By their first words. Every other block is run. */
const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'git clone': 'needs the internet; scripts/fresh-clone.sh clones this repository',
    'npm ci && npm start': 'scripts/fresh-clone.sh, in .ci/run',
    'npm ci && npm test': 'this very run',
    'docker build -t mxproof .': 'scripts/image.sh, in npm run release:check',
    'npm ci && npm run pack':
      'scripts/fresh-install.sh, in .ci/run, and scripts/systemd-service.sh, in npm run release:check',
  },
  'docs/guide/quick-start.md': {
    'npm ci && npm start': 'scripts/fresh-clone.sh, in .ci/run',
    'npm run pack': 'scripts/pack-client.test.ts',
    'pip install ./clients/python': 'scripts/test-python.sh, from the wheel',
    'npm run demo': 'cli/src/run/demo.test.ts',
  },
  'docs/guide/air-gapped.md': { '': 'scripts/offline-install.sh, in npm run release:check' },
  'docs/guide/backup.md': {
    'export MXPROOF_BACKUP_PASSPHRASE': 'scripts/life-of-a-service.ts',
    '#!/bin/sh -e':
      'it copies to another machine; server/src/features/backup/run-hook.test.ts runs such a program',
    'age-keygen':
      'age is a program of its own; server/src/features/backup/age-file.test.ts holds to its format',
  },
  'docs/guide/callbacks.md': {
    'import express': 'server/src/callback/guide.test.ts',
    'import Fastify': 'server/src/callback/guide.test.ts',
    'import { createHmac': 'server/src/callback/guide.test.ts',
  },
  'docs/guide/command-line.md': {
    'npx mxproof listen': 'cli/src/listen/listen.test.ts: it does not end by itself',
    'mxproof completion bash': 'cli/src/help/completion.test.ts, in the shells themselves',
  },
  'docs/guide/configuration.md': {
    'mxproof serve --config': 'cli/src/run/reload.test.ts starts it so: it does not end by itself',
    'mxproof config --check': 'server/src/settings/config-file.test.ts has the mistakes',
    'sudo install': 'cli/src/systemd/systemd-units.test.ts has the names; it would change this machine',
    'mxproof secret-key rotate':
      'cli/src/operate/secret-key.test.ts: the services of the tests have a key of their own',
  },
  'docs/guide/container.md': { '': 'scripts/image.sh, in npm run release:check, and scripts/image.test.ts' },
  'docs/guide/doctor.md': {
    'npx mxproof doctor':
      'cli/src/operate/doctor.test.ts: here it finds that the PostgreSQL of the tests has fsync off',
  },
  'docs/guide/engine.md': {
    'npm ci && npm run pack': 'scripts/pack.test.ts',
    'import { createChecker }': 'scripts/pack.test.ts, from the package',
    'await checker.ask(': 'a piece of a program; its names are those of the engine’s types',
  },
  'docs/guide/https.md': {
    'server {': 'nginx’s own configuration',
    '  location ~': 'nginx’s own configuration; server/test/proxies.test.ts runs it',
  },
  'docs/guide/kubernetes.md': { '': 'it needs a cluster; npm run kubernetes lints and validates the chart' },
  'docs/guide/life-of-a-container.md': { '': 'scripts/image.sh ran all of it to write it' },
  'docs/guide/life-of-a-service.md': { '': 'scripts/life-of-a-service.ts ran all of it to write it' },
  'docs/guide/monitoring.md': {
    HEALTHCHECK: 'Docker’s own; the command is cli/src/commands.test.ts',
    'scrape_configs:': 'server/test/prometheus.test.ts, by promtool',
  },
  'docs/guide/high-availability.md': {
    '': 'server/test/patroni.test.ts runs these programs with such settings, under npm run test:long',
  },
  'docs/guide/mcp.md': {
    'npm run pack': 'scripts/fresh-install.sh, in .ci/run',
    'claude mcp add': 'it is another program’s; mcp/src/mcp.test.ts starts the server as it does',
  },
  'docs/guide/nodes.md': {
    'export DATABASE_URL': 'bench/src/nodes.ts starts nodes like this; they do not end by themselves',
  },
  'docs/guide/performance.md': { 'npm run bench': 'it takes 20 minutes' },
  'docs/guide/point-in-time-recovery.md': {
    '': 'server/test/point-in-time.test.ts runs them, under npm run test:long',
  },
  'docs/guide/releases.md': { 'npm ci && npm run release': 'npm run release:check, twice' },
  'docs/guide/systemd.md': { '': 'scripts/systemd-service.sh, under systemd itself' },
  'docs/guide/testing.md': { '': 'server/test/test-callbacks.test.ts runs all of it' },
};

/** Lines that show a command need its list or account to be in a certain state: that they are understood is enough. */
const REFERENCE = new Set([
  'docs/guide/accounts.md',
  'docs/guide/alerts.md',
  'docs/guide/callbacks.md',
  'docs/guide/retention.md',
]);

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(({ 1: language, 2: code, index }) => {
    const section = /.*^## (.+?)$/ms.exec(text.slice(0, index))?.[1] ?? '';
    const title = code!.split('\n')[0]!.slice(0, 60);
    return { page, language: language!, code: code!, title, section };
  });
}

/** What a program says that it prints: `console.log(state); // deliverable`. */
const printed = (code: string) =>
  [...code.matchAll(/^console\.log\(.*\); \/\/ (.+)$/gm)].map(([, words]) => words!);

const isElsewhere = ({ page, code }: Block) =>
  Object.keys(ELSEWHERE[page] ?? {}).some((words) => code.startsWith(words));

const pages = ['README.md', ...globSync('docs/guide/*.md', { cwd: ROOT })].sort();
const blocks = pages.flatMap(blocksOf);

test('what is not run here is still there', () => {
  for (const [page, known] of Object.entries(ELSEWHERE))
    for (const words of Object.keys(known))
      expect(
        blocks.some((block) => block.page === page && block.code.startsWith(words)),
        `${page}: ${words}`,
      ).toBe(true);
});

test('every block is in a language that is run or read', () => {
  const others = blocks.filter(
    (block) => !isElsewhere(block) && !['sh', 'js', 'json', 'python'].includes(block.language),
  );
  expect(others.map(({ page, title }) => `${page}: ${title}`)).toEqual([]);
});

test.each(blocks.filter(({ language }) => language === 'json'))('$page: JSON is JSON: $title', ({ code }) => {
  expect(() => JSON.parse(code)).not.toThrow();
});

/** Python is run by clients/python/tests/test_guides.py. */
const run = blocks.filter((block) => !isElsewhere(block) && ['sh', 'js'].includes(block.language));
const runPages = [...new Set(run.map(({ page }) => page))];

test('no block that is run here changes the machine, or the packages that the tests run with', () => {
  const changing = run.filter(({ code }) =>
    /\b(sudo|docker|helm|kubectl|systemctl|npm (ci|install|i))\b/.test(code),
  );
  expect(changing.map(({ page, title }) => `${page}: ${title}`)).toEqual([]);
});

describe.each(runPages)('%s', (page) => {
  let service: CliService;
  let listId = 0;
  let formKey = '';
  let adminKey = '';
  let customerId = 0;
  // Inside the project, so that programs find @mxproof/client as a reader's would.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.guides-'));
  const bin = join(folder, 'bin');

  beforeAll(async () => {
    service = await startCliService({
      domains: {
        'example.com': { host: {}, mailboxes: { known: ['someone', 'ann'] } },
        'example.org': { host: {}, mailboxes: { known: ['bob'] } },
        'shop.example': { host: {}, mailboxes: { known: ['ann', 'bob'] } },
      },
    });
    const body = {
      emails: ['ann@example.com', 'bob@example.org', 'ann@gmial.com'],
      callback_url: `${service.url.replace('http', 'https')}/hook`,
    };
    listId = (await service.call('POST', '/lists', body)).id as number;
    await until(async () => (await service.call('GET', `/lists/${listId}`)).status === 'done');
    formKey = (await service.call('POST', '/keys', { label: 'form', access: 'verify' })).api_key as string;
    if (page === 'docs/guide/admin-api.md') {
      const made = async (...args: string[]) =>
        JSON.parse((await mxproof([...args, '--json'], service.operator)).stdout);
      adminKey = (await made('admin', 'key', 'create', '--scope', 'write')).admin_key;
      customerId = (await made('account', 'create', '--name', 'A customer')).account_id;
    }
    mkdirSync(bin);
    const shim = (name: string, skip: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${skip}exec '${process.execPath}' '${LAUNCHER}' "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    };
    shim('mxproof', '');
    shim('npx', 'shift\n');
    writeFileSync(join(folder, 'contacts.csv'), 'name;email\nAnn;ann@example.com\nBob;bob@example.org\n');
    writeFileSync(join(folder, 'addresses.txt'), 'someone@example.com\n');
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What stands for something in a guide, by what it is here. */
  const here = (code: string) =>
    code
      .replaceAll('http://127.0.0.1:8080', service.url)
      .replaceAll('https://verify.example.com', service.url)
      .replaceAll('mx_live_…', service.apiKey)
      .replaceAll(/\/lists\/(17|4711)\b/g, `/lists/${listId}`)
      .replaceAll(/(list (?:show|cancel)|list results|callback (?:show|resend)) \d+/g, `$1 ${listId}`)
      // The number that the command before it prints.
      .replaceAll(/(credits add|account link) N\b/g, '$1 1')
      // There is no terminal here to answer its question.
      .replaceAll(/clean contacts\.csv(?= +#|$)/gm, 'clean contacts.csv --yes --force');

  /** What the guide says of a form's key holds for its programs. */
  const env = (section: string, key = section === 'Sign-up forms' ? formKey : service.apiKey) => ({
    ...service.operator,
    ...service.internet,
    PATH: `${bin}:${process.env.PATH}`,
    HOME: service.shell.HOME,
    MXPROOF_URL: service.url,
    MXPROOF_API_KEY: key,
    KEY: key,
    ADMIN_KEY: adminKey,
    ID: String(customerId),
  });

  function start(
    section: string,
    command: string,
    args: readonly string[],
  ): Promise<{ status: number; output: string }> {
    return new Promise((resolve) => {
      const child = execFile(
        command,
        [...args],
        { cwd: folder, env: env(section), timeout: 60_000 },
        (error, stdout, stderr) =>
          resolve({
            status: error ? (typeof error.code === 'number' ? error.code : -1) : 0,
            output: `${stdout}${stderr}`,
          }),
      );
      // The API key that `mxproof login` asks for.
      child.stdin!.on('error', () => {}).end(`${service.apiKey}\n`);
    });
  }

  test.each(run.filter((block) => block.page === page))('$title', async ({ language, code, section }) => {
    if (language === 'js') {
      const file = join(folder, 'program.mjs');
      writeFileSync(file, code);
      const { status, output } = await start(section, process.execPath, [file]);
      expect(status, output).toBe(0);
      const said = printed(code);
      expect(output.split('\n').filter((line) => said.includes(line))).toEqual(said);
    } else if (REFERENCE.has(page)) {
      for (const line of here(code)
        .split('\n')
        .filter((each) => each.startsWith('npx '))) {
        const { status, output } = await start(section, 'bash', ['--norc', '-c', line]);
        // 1: not in that state; 2 would be a command that does not exist.
        expect([0, 1], `${line}\n${output}`).toContain(status);
      }
    } else {
      // A result that is not deliverable is exit status 1 of some commands, and no failure of the guide.
      const { status, output } = await start(section, 'bash', [
        '--norc',
        '-uo',
        'pipefail',
        '-c',
        here(code),
      ]);
      expect([0, 1], output).toContain(status);
      expect(output).not.toMatch(/"error"|command not found|Unknown|Usage|No such file|unbound/);
    }
  });
});
