import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { run } from './main.ts';
import { flagsWithValue } from './options-first.ts';
import { runProgram } from './program.ts';
import type { CommandSpec } from './shared/command-spec.ts';
import { UsageError } from './shared/usage-error.ts';

const ALL = Object.values(COMMANDS).flat();
const root = join(import.meta.dirname, '../..');

async function mxproof(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const stdin = (async function* () {})();
  const status = await run(args, {
    stdin,
    stdout: (text) => void out.push(text),
    stderr: (text) => void err.push(text),
  });
  return { status, out: out.join(''), err: err.join('') };
}

/** Which command the arguments reach, and with what; nothing is run. */
async function reached(...args: string[]): Promise<{ name: string; values: unknown[] } | null> {
  const found: { name: string; values: unknown[] }[] = [];
  const recording = (spec: CommandSpec): CommandSpec => ({
    ...spec,
    load:
      async () =>
      async (...values) =>
        void found.push({ name: spec.name, values }),
  });
  const commands = Object.entries(COMMANDS).map(([heading, specs]) => [heading, specs.map(recording)]);
  const io = { stdin: (async function* () {})(), stdout: () => {}, stderr: () => {} };
  await runProgram(args, io, Object.fromEntries(commands));
  return found[0] ?? null;
}

/** The arguments of the `npx mxproof` in a line of shell, for the quoting that examples use. */
function argumentsIn(line: string): string[] {
  const after = line
    .slice(line.indexOf('npx mxproof ') + 'npx mxproof '.length)
    .replace(/\s(#|<|>+)\s.*$/, '');
  return [...after.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!);
}

test.each(
  ALL.map((spec) => [spec.name, spec] as const),
)('"%s --help" has a one-line description, every option and an example that reaches it', async (name, spec) => {
  const { status, out, err } = await mxproof(...name.split(' '), '--help');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(new RegExp(`^Usage: mxproof ${name}[ \n]`));
  expect(out).toContain(`\n\n${spec.about}.\n`);
  for (const { flags, isHidden = false } of spec.options ?? [])
    expect(out.includes(`  ${flags} `), flags).toBe(!isHidden);
  for (const argument of spec.arguments ?? []) expect(out).toContain(`  ${argument.name} `);
  const examples = out.split('\nExample:\n')[1]!.trim().split('\n');
  expect(examples.length).toBeGreaterThan(0);
  for (const line of examples) expect(await reached(...argumentsIn(line)), line).toMatchObject({ name });
});

test('"mxproof help" lists every command in one line, and so does --help', async () => {
  const { status, out } = await mxproof('help');
  expect(status).toBe(0);
  for (const { name, about } of ALL)
    expect(out).toMatch(new RegExp(`^ {2}${name}( [<[].*)? {2,}${about}$`, 'm'));
  expect((await mxproof('--help')).out).toBe(out);
  expect((await mxproof('help', 'key', 'create')).out).toBe((await mxproof('key', 'create', '--help')).out);
});

test.each(['--version', '-v', 'version'])('%s prints the version of the package', async (word) => {
  const { version } = JSON.parse(readFileSync(join(root, 'cli/package.json'), 'utf8')) as { version: string };
  expect(await mxproof(word)).toEqual({ status: 0, out: `${version}\n`, err: '' });
});

test.each([
  [['chekc'], 'Unknown command "chekc". Did you mean "check"?'],
  [['acount', 'create'], 'Unknown command "acount". Did you mean "account"?'],
  [['key', 'revok', '1'], 'Unknown command "revok". Did you mean "revoke"?'],
  [['help', 'replay'], 'Unknown command "replay". Did you mean "reply"?'],
  [['bananas'], 'Unknown command "bananas". Run "mxproof help" to see all commands.'],
  [['check', '--explian'], 'Unknown option "--explian". Did you mean "--explain"?'],
  [['credits', 'add', '1', '5', '--jsn'], 'Unknown option "--jsn". Did you mean "--json"?'],
  [['serve', '--no-check'], 'Unknown option "--no-check". Did you mean "--no-checks"?'],
  [['credits'], '"mxproof credits" needs a command: add, take.'],
  [['clean'], 'Missing required argument <file>.'],
  [['check', '--file'], 'Option "--file <file>" argument missing.'],
  [['callback', 'list', '--state', 'lost'], '--state must be one of pending, delivered, failed.'],
  [['callback', 'list', '--account', 'ann'], '--account must be a numeric ID.'],
  [['list', 'results', '7', '--q', ''], '--q is empty: give it a value, or leave it out.'],
  [['list', 'results', '7', '--provider', ''], '--provider must be one or more names, separated by commas.'],
  [
    ['list', 'results', '7', '--provider', 'google,'],
    '--provider must be one or more names, separated by commas.',
  ],
  [['list', 'correct', '7', '--domains', ''], '--domains must be one or more names, separated by commas.'],
  [['admin'], '"mxproof admin" needs a command: link, sign-out, key.'],
  [['admin', 'key'], '"mxproof admin key" needs a command: create, list, revoke.'],
  [['admin', 'key', 'create'], 'Missing required option --scope <scope>.'],
  [['admin', 'key', 'create', '--scope', 'admin'], '--scope must be one of read, write.'],
  [['admin', 'key', 'create', '--label', 'a\u001b[1m'], '--label must be 1 to 100 printable characters.'],
  [['account', 'list', '--status', 'gone'], '--status must be one of active, suspended.'],
  [
    ['account', 'set', '1', '--external-id', ' '],
    '--external-id is empty: give it a value, or leave it out.',
  ],
  [
    ['account', 'set', '1', '--rate-requests', '0'],
    '--rate-requests must be a whole number from 1 to 1000000000, or default.',
  ],
  [
    ['account', 'set', '1', '--monthly-credits', 'none'],
    '--monthly-credits must be a whole number from 1 to 1000000000000, or off.',
  ],
  [['audit', '--actor', 'ann'], expect.stringMatching(/^--actor must be one of key, session, member, /)],
  [['audit', '--since', 'yesterday'], '--since must be a date, such as 2026-11-01 or 2026-11-01T18:00Z.'],
  [['audit', '--limit', '1001'], '--limit must be a whole number from 1 to 1000.'],
  [['list', 'show', '-7'], 'Numbers cannot be negative: -7.'],
])('%j is refused in one line and with status 2', async (args, line) => {
  const { status, out, err } = await mxproof(...args);
  expect({ status, out, line: err.trimEnd() }).toEqual({ status: 2, out: '', line });
});

test('a key among the arguments is refused, one of an operator too', async () => {
  for (const [key, sentence] of [
    ['mx_live_abc', /^A key among the arguments stays in the history /],
    ['mx_admin_abc', /^An admin key among the arguments stays in the history /],
  ] as const)
    expect(await mxproof('admin', 'key', 'revoke', key)).toMatchObject({
      status: 2,
      err: expect.stringMatching(sentence),
    });
});

test('arguments may stand in their order or under their names', async () => {
  const add = (...args: string[]) => reached('credits', 'add', ...args);
  expect(await add('7', '50', '--json')).toEqual({
    name: 'credits add',
    values: [7, 50, { json: true }],
  });
  expect((await add('--credits', '50', '7'))?.values.slice(0, 2)).toEqual([7, 50]);
  expect((await add('--account=7', '--credits=50'))?.values.slice(0, 2)).toEqual([7, 50]);
});

test.each([
  [['7'], 'Missing required argument <credits>.'],
  [['7', '50', '9'], 'Unexpected argument "9".'],
  [['--account', '7', '50', '9'], 'Unexpected argument "9".'],
  [['7', '-5'], 'Numbers cannot be negative: -5.'],
  [['7', '--credits', '-1'], 'Numbers cannot be negative: -1.'],
  [['7', '0'], '<credits> must be a whole number of at least 1.'],
  [['99999999999999999999', '1'], '<account> must be a numeric ID.'],
  [['7', '50', '--nope'], 'Unknown option "--nope". Did you mean "--note"?'],
])('credits add %j is refused in one sentence', async (args, sentence) => {
  await expect(reached('credits', 'add', ...args)).rejects.toThrow(new UsageError(sentence));
});

test.each([
  [['explain', 'a@b.org', '--list', '7'], 'check', [['a@b.org'], { explain: true, service: true, list: 7 }]],
  [['explain', '--address', 'a@b.org'], 'check', [[], { explain: true, service: true, address: 'a@b.org' }]],
  [['admin', 'list', 'show', '7'], 'list show', [7, { any: true }]],
  [['--json', 'admin', 'list', 'cancel', '--list', '7'], 'list cancel', [7, { any: true, json: true }]],
])('the old name %j reaches "%s"', async (args, name, values) => {
  expect(await reached(...args)).toMatchObject({ name, values });
});

test('the help of an old name is that of the new one, which is named', async () => {
  const { out } = await mxproof('list', 'show', '--help');
  const line = '"mxproof admin list show" is now "mxproof list show --any".\n';
  for (const args of [
    ['admin', 'list', 'show', '--help'],
    ['help', 'admin', 'list', 'show'],
  ])
    expect(await mxproof(...args)).toEqual({ status: 0, out, err: line });
});

test('a value may look like an option', async () => {
  expect((await reached('account', 'create', '--name', '-v'))?.values).toEqual([{ name: '-v' }]);
});

test.each([
  'README.md',
  'docs/guide/command-line.md',
  'docs/guide/accounts.md',
])('every command line in %s is one', async (file) => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const commands = lines.filter((line) => /^npx mxproof (?!help)/.test(line));
  expect(commands.length).toBeGreaterThan(3);
  // N is the number that the command before it prints.
  for (const line of commands)
    expect(await reached(...argumentsIn(line.replace(/ N\b/, ' 2'))), line).not.toBeNull();
});

/** Says on standard error which modules were loaded. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const load = (url, context, next) => (console.error(url), next(url, context));
  registerHooks({ load });
`)}`;

test('help loads neither the engine, nor the store, nor what serves', () => {
  const help = `await (await import('./cli/src/main.ts')).main(['--help'])`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', TELL_LOADED, '--input-type=module', '--eval', help],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stdout).toContain('Start here:');
  const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'));
  expect(loaded.filter((url) => url.includes('/cli/src/'))).not.toEqual([]);
  const heavy =
    /\/engine\/src\/|\/server\/src\/(?!start\/words|settings\/(?:secret|config)-file|rules\/|features\/doctor\/doctor-check-ids)|\/(fastify|pg|pino)\//;
  expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
});

test.each([
  [
    ['--json', 'check', 'a@b.org'],
    ['check', '--json', 'a@b.org'],
  ],
  [
    ['--url', 'http://127.0.0.1:1', '--json', 'account'],
    ['account', '--url', 'http://127.0.0.1:1', '--json'],
  ],
  [
    ['--url=http://127.0.0.1:1', 'list', 'ls'],
    ['list', 'ls', '--url=http://127.0.0.1:1'],
  ],
  [
    ['account', '--json', 'show', '1'],
    ['account', 'show', '1', '--json'],
  ],
  [
    ['--json', 'account', 'create', '--name', '-v'],
    ['account', 'create', '--name', '-v', '--json'],
  ],
  [
    ['--no-checks', 'serve'],
    ['serve', '--no-checks'],
  ],
  // A value that is a command's word stays a value.
  [
    ['--name', 'account', 'account', 'create'],
    ['account', 'create', '--name', 'account'],
  ],
])('%j is %j', async (early, late) => {
  const there = await reached(...late);
  expect(there).not.toBeNull();
  expect(await reached(...early)).toEqual(there);
});

test('no flag takes a value in one command and none in another', () => {
  const bare = ALL.flatMap(({ options = [] }) => options.map(({ flags }) => flags)).filter(
    (flags) => !flags.includes('<'),
  );
  expect(bare.filter((flag) => flagsWithValue(ALL).has(flag))).toEqual([]);
});

test('an option before a word that is no command does not hide what is wrong', async () => {
  expect(await mxproof('--json', 'chekc', 'a@b.org')).toMatchObject({
    status: 2,
    err: '{"error":"Unknown command \\"chekc\\". Did you mean \\"check\\"?"}\n',
  });
  expect((await mxproof('--frobnicate', 'check')).err).toMatch(/^Unknown option "--frobnicate"/);
  expect((await mxproof('--help')).out).toContain('Start here:');
});
