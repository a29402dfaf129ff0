import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Zip } from '../../../files/src/xlsx/zip.ts';
import { collect } from '../../../files/test/in-memory.ts';
import { sheetXml, workbookParts, zipOf } from '../../../files/test/workbook.ts';
import { type Env, mxproof, onTerminal, startMxproof } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';

let service: CliService;
let testKey: string;
let home: string;
let file: string;

beforeAll(async () => {
  service = await startCliService({
    domains: {
      'shop.example': { host: {}, mailboxes: { known: ['ann', 'info'] } },
      'gone.example': { dns: 'nxdomain' },
    },
  });
  testKey = (await service.call('POST', '/keys', { label: 'tests', test: true })).api_key as string;
});
afterAll(() => service.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mxproof-clean-test-'));
  file = join(home, 'contacts.csv');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** With a test key: no network, answers in milliseconds, and a balance of its own. */
const shell = (): Env => ({ HOME: home, MXPROOF_URL: service.url, MXPROOF_API_KEY: testKey });
const run = (...args: string[]) => mxproof(['clean', ...args], shell());
const credits = () => creditsOf(testKey);
const stateFolder = () => join(home, '.local/state/mxproof/clean');

async function creditsOf(key: string): Promise<number> {
  const answer = await fetch(`${service.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { credits: number }).credits;
}

function stateFile(): string {
  const [name] = readdirSync(stateFolder());
  return join(stateFolder(), name!);
}

/** Addresses that no other test has, so that none is resumed by another. */
function addresses(count: number, domain: string): string[] {
  return Array.from({ length: count }, (_, at) => `a${at}@${domain}`);
}

async function untilExists(path: string): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (existsSync(path) && readdirSync(path).some((name) => name.endsWith('.json'))) return;
    await sleep(2);
  }
  throw new Error(`${path} stays empty`);
}

test('a semicolon-separated Windows-1252 file comes back byte for byte, with the service’s results', async () => {
  const lines = [
    'Name;E-Mail;PLZ',
    'J\xfcrgen \x93M\x94;ann@shop.example;01234',
    '"Gro\xdf; klein";INFO@shop.example;',
    '',
    'niemand;nobody@gone.example',
    'noch einmal; ann@SHOP.example ;"0""1"',
    'ohne;;',
  ];
  writeFileSync(file, lines.join('\r\n'), 'latin1');
  const env = { ...service.shell, HOME: home };
  const ran = await mxproof(['clean', file, '--yes', '--json'], env);
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  const printed = JSON.parse(ran.stdout);
  expect(printed).toMatchObject({
    rows: 5,
    without_address: 1,
    unique: 3,
    column: 2,
    heading: 'E-Mail',
    separator: ';',
  });
  expect(printed.counts).toEqual({ deliverable: 1, risky: 1, undeliverable: 1, unknown: 0 });
  const { results } = (await service.call(
    'GET',
    `/lists/${printed.lists[0]}/results?include=detail,suggestion`,
  )) as { results: Record<string, unknown>[] };
  const columns = ['state', 'reason', 'score', 'accept_all', 'role', 'free', 'disposable', 'mx', 'provider'];
  columns.push('detail', 'suggestion', 'checked_as');
  const written = (value: unknown) => (value === true ? 'True' : value === false ? 'False' : (value ?? ''));
  const added = (email: string) =>
    columns.map((name) => written(results.find((row) => row.email === email)![name])).join(';');
  const expected = [
    `${lines[0]};${columns.join(';')}`,
    `${lines[1]};${added('ann@shop.example')}`,
    `${lines[2]};${added('info@shop.example')}`,
    '',
    `${lines[4]};;${added('nobody@gone.example')}`,
    `${lines[5]};${added('ann@shop.example')}`,
    `${lines[6]};;;;;;;;;;;;`,
  ];
  expect(readFileSync(join(home, 'contacts.cleaned.csv'), 'latin1')).toBe(expected.join('\r\n'));
  expect(readFileSync(file, 'latin1')).toBe(lines.join('\r\n'));
  expect(results[0]).toMatchObject({ email: 'ann@shop.example', state: 'deliverable' });
});

test('a dry run tells the cost and charges nothing; nor does a run that was not confirmed', async () => {
  writeFileSync(file, 'email\na@dry.test\nb@dry.test\nA@dry.test\nnone\n');
  const before = await credits();
  const have = before.toLocaleString('en');
  const quote = `2 unique addresses in 4 rows (column "email", 1 without an address), 2 credits; you have ${have}.`;
  expect(await run(file, '--dry-run')).toEqual({ status: 0, stdout: `${file}: ${quote}\n`, stderr: '' });
  const dry = await run(file, '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toEqual({
    ...{ format: 'text', encoding: 'utf-8', separator: ',', column: 1, heading: 'email' },
    ...{ rows: 4, without_address: 1, with_several_addresses: 0, unique: 2, not_sent: 0, suppressed: 0 },
    ...{ credits_needed: 2, credits: before },
  });
  const keyless = await mxproof(['clean', file, '--dry-run'], { HOME: home });
  expect(keyless.stdout).toBe(`${file}: ${quote.replace(/;.*/, '.')}\n`);
  expect(await run(file)).toEqual({
    status: 2,
    stdout: '',
    stderr: `${quote}\nNot a terminal: pass --yes to accept the charge, or --dry-run to preview it.\n`,
  });
  expect(await credits()).toBe(before);
  expect(readdirSync(home)).toEqual(['contacts.csv']);
});

test('what cannot be an address is told in the file, as the service would, and neither sent nor charged', async () => {
  const lines = [
    'email',
    'ann@valid.test',
    'foo@bar',
    'Foo@Bar',
    'info@localhost',
    'a..b@valid.test',
    'n/a',
    '""',
  ];
  lines.push('"Bob <bob@valid.test>, ann@valid.test"');
  writeFileSync(file, lines.join('\n'));
  const before = await credits();
  const ran = await run(file, '--yes');
  expect(ran.stderr).toContain(
    '2 unique addresses in 8 rows (column "email", 2 without an address, 3 invalid, not sent, 1 with several addresses, each checked), 2 credits;',
  );
  expect(ran.stderr).toMatch(/8 rows\. 2 unique addresses: 2 deliverable.*; 3 invalid, not sent\n$/);
  expect(await credits()).toBe(before - 2);
  const written = readFileSync(join(home, 'contacts.cleaned.csv'), 'utf8').split('\n');
  const invalid = (reason: string, detail: string, role = 'False') =>
    `undeliverable,${reason},0,False,${role},False,False,,,${detail},,`;
  expect(written.slice(1, -1)).toEqual([
    'ann@valid.test,deliverable,accepted_email,100,False,False,False,False,mx.mxproof.test,other,accepted,,',
    `foo@bar,${invalid('invalid_domain', 'no_such_domain')}`,
    `Foo@Bar,${invalid('invalid_domain', 'no_such_domain')}`,
    `info@localhost,${invalid('invalid_domain', 'no_such_domain', 'True')}`,
    `a..b@valid.test,${invalid('invalid_email', 'syntax')}`,
    `n/a,${invalid('invalid_email', 'syntax')}`,
    `"",,,,,,,,,,,,`,
  ]);
  // The same command again goes on; with them sent it is another wish, and without them afterwards that one goes on.
  expect((await run(file, '--force')).stderr).toMatch(/^Already submitted/);
  expect((await run(file, '--yes', '--force', '--send-invalid')).stderr).toMatch(
    /^5 unique addresses .*5 credits/,
  );
  expect(await credits()).toBe(before - 7);
  const oldest = readdirSync(stateFolder())
    .map((name) => join(stateFolder(), name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)[0]!;
  rmSync(oldest);
  expect((await run(file, '--force')).stderr).toMatch(/^Already submitted/);
  expect(await credits()).toBe(before - 7);
});

test('too few credits are said before anything is charged', async () => {
  const live = { ...service.shell, HOME: home };
  const before = await creditsOf(service.apiKey);
  writeFileSync(file, addresses(before + 1, 'gone.example').join('\n'));
  const ran = await mxproof(['clean', file, '--yes'], live);
  expect(ran.status).toBe(5);
  expect(ran.stderr).toMatch(
    /\nNot enough credits: [\d,]+ needed, [\d,]+ available; nothing was charged\.\n$/,
  );
  expect(await creditsOf(service.apiKey)).toBe(before);
});

test('at a terminal it asks, and shows a bar; n charges nothing', async () => {
  writeFileSync(file, 'email\nann@ask.test\nslow@ask.test\n');
  const before = await credits();
  const no = onTerminal(['clean', file], shell());
  await no.saw('Check them? [y/N]');
  no.stdin!.write('n\r');
  expect(await no.ran).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('nothing was submitted or charged'),
  });
  expect(await credits()).toBe(before);
  const yes = onTerminal(['clean', file], shell());
  await yes.saw('Check them? [y/N]');
  yes.stdin!.write('y\r');
  const { status, stdout } = await yes.ran;
  expect(status, stdout).toBe(0);
  expect(stdout).toMatch(/\[█* *\] [01] of 2 checked/);
  expect(stdout).toContain('contacts.cleaned.csv: 2 rows. 2 unique addresses: 2 deliverable, 0 risky');
  expect(await credits()).toBe(before - 2);
});

test('standard input goes to standard output, and --keep leaves other rows out', async () => {
  const text =
    'email\tn\r\nann@pipe.test\t1\r\nrejected-email@pipe.test\t2\r\ncatch-all@pipe.test\t3\r\nANN@pipe.test\t4\r\n';
  const ran = await mxproof(['clean', '-', '--yes', '--keep', 'deliverable,risky'], shell(), text);
  expect(ran.status, ran.stderr).toBe(0);
  const lines = ran.stdout.split('\r\n');
  expect(lines.map((line) => line.split('\t').slice(0, 3))).toEqual([
    ['email', 'n', 'state'],
    ['ann@pipe.test', '1', 'deliverable'],
    ['catch-all@pipe.test', '3', 'risky'],
    ['ANN@pipe.test', '4', 'deliverable'],
    [''],
  ]);
  expect(ran.stderr).toContain(
    'standard output: 3 of 4 rows. 3 unique addresses: 1 deliverable, 1 risky, 1 undeliverable, 0 unknown',
  );
});

test('with --keep, of several addresses in a cell only what is kept stays, and it is told', async () => {
  writeFileSync(
    file,
    'n,email\n1,"Ann <ann@several.test>, Old <old+rejected-email@several.test>"\n2,rejected-email@several.test; ann@several.test\n3,rejected-email@several.test\n',
  );
  const ran = await run(file, '--yes', '--keep', 'deliverable', '--words', 'none');
  expect(readFileSync(join(home, 'contacts.cleaned.csv'), 'utf8')).toBe(
    'n,email\n1,"Ann <ann@several.test>"\n2,ann@several.test\n',
  );
  expect(ran.stderr).toContain('contacts.cleaned.csv: 2 of 3 rows, 2 other addresses removed. 3 unique');
  const { rows_written, corrected, emptied, left_alone } = JSON.parse(
    (await run(file, '--json', '--force', '--keep', 'deliverable')).stdout,
  );
  expect({ rows_written, corrected, emptied, left_alone }).toEqual({
    ...{ rows_written: 2, corrected: 0, emptied: 2, left_alone: 0 },
  });
  // All rows are the whole file.
  await run(file, '--force', '--words', 'none');
  expect(readFileSync(join(home, 'contacts.cleaned.csv'))).toEqual(readFileSync(file));
});

test('columns are those of the API’s CSV; people’s words and no columns at all are there on request', async () => {
  writeFileSync(file, 'Work email;town\nann@words.test;K\xf6ln\nlow-quality@gmial.com;\n;Ulm\n', 'latin1');
  const [id] = JSON.parse((await run(file, '--yes', '--json')).stdout).lists as number[];
  const cleaned = () => readFileSync(join(home, 'contacts.cleaned.csv'), 'latin1').split('\n');
  const answer = await fetch(`${service.url}/v1/lists/${id}/results?format=csv&include=detail,suggestion`, {
    headers: { authorization: `Bearer ${testKey}` },
  });
  const [head, ...rows] = (await answer.text()).trimEnd().replaceAll(',', ';').split('\r\n');
  const after = (line: string) => line.slice(line.indexOf(';'));
  expect(cleaned()).toEqual([
    `Work email;town${after(head!)};checked_as`,
    `ann@words.test;K\xf6ln${after(rows[0]!)};`,
    `low-quality@gmial.com;${after(rows[1]!)};`,
    `;Ulm${';'.repeat(12)}`,
    '',
  ]);

  await run(file, '--force', '--words', 'people');
  expect(cleaned().map((line) => line.split(';').slice(0, 4))).toEqual([
    ['Work email', 'town', 'Work email: what to do', 'Work email: status'],
    ['ann@words.test', 'K\xf6ln', 'Send', 'Deliverable'],
    ['low-quality@gmial.com', '', 'Leave out', 'Risky'],
    ['', 'Ulm', '', ''],
    [''],
  ]);

  await run(file, '--force', '--words', 'none', '--only', 'deliverable');
  expect(cleaned()).toEqual(['Work email;town', 'ann@words.test;K\xf6ln', '']);
});

test('Ctrl-C leaves the list running; the same command goes on with it and is not charged again', async () => {
  writeFileSync(file, 'email\nann@again.test\nslow@again.test\n');
  const before = await credits();
  const first = startMxproof(['clean', file, '--yes'], shell());
  await first.saw(' of 2 checked');
  first.kill('SIGINT');
  const stopped = await first.ran;
  expect(stopped.status).toBe(130);
  expect(stopped.stderr).toMatch(
    /\nList \d+ keeps running\. Run the same command again for the results: nothing is charged twice\.\n$/,
  );
  expect(existsSync(join(home, 'contacts.cleaned.csv'))).toBe(false);
  // Without --yes: there is nothing to pay.
  const second = await run(file);
  expect(second.status, second.stderr).toBe(0);
  expect(second.stderr).toMatch(/^Already submitted on .*: nothing to pay\./);
  expect(await credits()).toBe(before - 2);
  expect(readFileSync(join(home, 'contacts.cleaned.csv'), 'utf8').split('\n')).toHaveLength(4);
});

test.each([0, 3, 15, 60])('killed %i ms after it began to submit, it is charged once', async (delayMs) => {
  writeFileSync(file, addresses(300, `kill${delayMs}.test`).join('\n'));
  const before = await credits();
  const running = startMxproof(['clean', file, '--yes', '--json'], shell());
  await untilExists(stateFolder());
  await sleep(delayMs);
  running.kill('SIGKILL');
  await running.ran;
  const ran = await run(file, '--yes', '--json', '--force');
  expect(ran.status, ran.stderr).toBe(0);
  expect(await credits()).toBe(before - 300);
});

test('killed before the id of its list is on the disk, or with nothing there at all, it is charged once', async () => {
  writeFileSync(file, addresses(300, 'forgotten.test').join('\n'));
  const before = await credits();
  const { lists } = JSON.parse((await run(file, '--yes', '--json')).stdout);
  const state = JSON.parse(readFileSync(stateFile(), 'utf8'));
  const forgotten = { ...state, parts: [{ ...state.parts[0], listId: null }] };
  writeFileSync(stateFile(), JSON.stringify(forgotten));
  expect(JSON.parse((await run(file, '--yes', '--json', '--force')).stdout).lists).toEqual(lists);
  rmSync(stateFolder(), { recursive: true });
  expect(JSON.parse((await run(file, '--yes', '--json', '--force')).stdout).lists).toEqual(lists);
  expect(await credits()).toBe(before - 300);

  // A day later the service has forgotten the key: better no list than a second one.
  writeFileSync(
    stateFile(),
    JSON.stringify({ ...forgotten, parts: [{ begunAtSeconds: 1_700_000_000, listId: null }] }),
  );
  const late = await run(file, '--yes', '--force');
  expect(late.status).toBe(1);
  expect(late.stderr).toMatch(/\nThis file may have been submitted on 2023-11-14T22:13:20Z: /);

  const fresh = await run(file, '--yes', '--json', '--force', '--fresh');
  expect(JSON.parse(fresh.stdout).lists).not.toEqual(lists);
  expect(await credits()).toBe(before - 600);
});

test('more than a list takes become several, and the file is one', async () => {
  // A list of a test key takes 10,000.
  const all = addresses(10_001, 'a-domain-that-makes-the-file-longer-than-a-chunk.test');
  writeFileSync(file, [...all, all[0]].join('\n'));
  const ran = await run(file, '--yes', '--json');
  expect(ran.status, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    rows: 10_002,
    unique: 10_001,
    lists: [expect.any(Number), expect.any(Number)],
  });
  const [first, second] = JSON.parse(ran.stdout).lists as number[];
  const shown = await mxproof(['list', 'ls'], shell());
  expect(shown.stdout.split('\n')[1]).toMatch(
    new RegExp(`^${first} +done +10001/10001 .* contacts\\.csv \\(2 lists: ${first}, ${second}\\)$`),
  );
  const lines = readFileSync(join(home, 'contacts.cleaned.csv'), 'utf8').split('\n');
  const wrong = lines.findIndex((line, at) => !line.startsWith(`${all[at] ?? all[0]},deliverable,`));
  expect({ lines: lines.length, wrong }).toEqual({ lines: 10_002, wrong: -1 });
  // Whatever was forgotten here, the service knows these lists.
  rmSync(stateFolder(), { recursive: true });
  const again = await run(file, '--yes', '--json', '--force');
  expect(JSON.parse(again.stdout).lists).toEqual([first, second]);
});

test('misspelt domains are told at the end, and list correct checks what was meant', async () => {
  const misspelt = ['gmial.com', 'gmial.com', 'hotmial.com', 'yahooo.com', 'gmai.com'];
  const emails = misspelt.map((domain, at) => `a${at}+rejected-email@${domain}`);
  writeFileSync(file, ['email', ...emails, 'fine@gmial.com', ''].join('\n'));
  const ran = await run(file, '--yes');
  expect(ran.stderr).toContain(
    '5 addresses with a misspelt domain: gmial.com → gmail.com (2), gmai.com → gmail.com (1), hotmial.com → hotmail.com (1), 1 more. To check them as they were meant, run "mxproof list correct ',
  );
  const id = /list correct (\d+)", then this command again\n$/.exec(ran.stderr)![1]!;
  const correct = (...args: string[]) => mxproof(['list', 'correct', id, ...args], shell());
  const before = await credits();
  const unasked = await correct();
  expect([unasked.status, unasked.stderr]).toEqual([2, expect.stringContaining('pass --yes')]);
  const asked = onTerminal(['list', 'correct', id], shell());
  await asked.saw('Check 5 addresses, one credit each? [y/N]');
  asked.stdin!.write('n\r');
  expect(await asked.ran).toMatchObject({ status: 1 });
  expect(await credits()).toBe(before);
  const made = await correct('--domains', 'gmial.com', '--yes');
  expect(made.stdout).toMatch(/^List \d+: 2 corrected addresses, charged\./);
  // The same command again has the answers, and the corrected addresses in their cells.
  const again = await run(file, '--force');
  expect(again.stderr).toContain('contacts.cleaned.csv: 6 rows, 2 misspelt addresses corrected. 6 unique');
  expect(again.stderr).toContain('3 addresses with a misspelt domain: gmai.com');
  const cells = readFileSync(join(home, 'contacts.cleaned.csv'), 'utf8')
    .split('\n')
    .map((line) => [line.split(',')[0], line.split(',').at(-1)]);
  expect(cells.slice(1, 4)).toEqual([
    ['a0+rejected-email@gmail.com', 'a0+rejected-email@gmail.com'],
    ['a1+rejected-email@gmail.com', 'a1+rejected-email@gmail.com'],
    [emails[2], ''],
  ]);
  const rest = JSON.parse((await correct('--yes', '--json')).stdout);
  expect(rest.total).toBe(5);
  expect(await credits()).toBe(before - 7);
});

test('a workbook comes back as one', async () => {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = `<row r="1">${cell('A1', 'email')}</row><row r="2">${cell('A2', 'disposable@book.test')}</row>`;
  const book = join(home, 'contacts.xlsx');
  writeFileSync(book, zipOf(workbookParts({ People: sheetXml(rows) })));
  const ran = await run(book, '--yes');
  expect(ran.status, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/cleaned\.xlsx: 1 row\. 1 unique address: 0 deliverable, 1 risky/);
  const zip = new Zip(new Uint8Array(readFileSync(join(home, 'contacts.cleaned.xlsx'))));
  const xml = new TextDecoder().decode(await collect(zip.read('xl/worksheets/sheet1.xml', 1e6)));
  expect(xml).toContain('<c r="B2" t="inlineStr"><is><t>risky</t></is></c>');
});

const FIXTURES = join(import.meta.dirname, '../../../files/test/fixtures');

test('sheets with addresses that are not checked are mentioned', async () => {
  const book = join(FIXTURES, 'dates.xlsx');
  const others =
    'Addresses are also on the sheets "Leads" and "2024", which are not checked: name a sheet with --sheet.';
  expect((await run(book, '--dry-run')).stdout).toMatch(
    new RegExp(`\\n${others.replaceAll('.', '\\.')}\\n$`),
  );
  const other = await run(book, '--dry-run', '--json', '--sheet', 'Leads');
  expect(JSON.parse(other.stdout)).toMatchObject({
    sheet: 'Leads',
    other_sheets: ['People', '2024'],
    unique: 1,
  });
});

test.each([
  ['old.xls', 'This is an old Excel workbook (.xls), not a table that can be read: open it'],
  [
    'password.xlsx',
    'This is an Office file with a password, not a table that can be read: open it with its password',
  ],
  [
    'calc.ods',
    'This is an OpenDocument spreadsheet (.ods), not a table that can be read: open it in LibreOffice',
  ],
])('%s is refused with what it is and what to do', async (name, sentence) => {
  const path = join(FIXTURES, name);
  const ran = await run(path, '--dry-run');
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  expect(ran.stderr.startsWith(`${path}: ${sentence}`), ran.stderr).toBe(true);
});

test.each([
  ['an output that exists', ['--output', 'there.csv'], 1, /there\.csv exists: pass --force to replace it/],
  ['the input as output', ['--output', 'contacts.csv', '--force'], 2, /never overwritten/],
  ['the input by another name', ['--output', 'x/../contacts.csv', '--force'], 2, /never overwritten/],
  ['a folder as output', ['--output', '.'], 1, /is a folder/],
  ['a folder that is not there', ['--output', 'x/y.csv'], 1, /Cannot write to .* \(ENOENT\)\.$/],
  ['another column', ['--column', 'mail'], 1, /contacts\.csv: The file has no column "mail"/],
  ['a column without addresses', ['--column', 'n'], 1, /No row of .* has an address in column "n"/],
  ['JSON and the file on one output', ['--output', '-', '--json'], 2, /--json uses standard output/],
  ['a letter as separator', ['--separator', 'x'], 2, /^--separator must be/],
  ['another state', ['--keep', 'good'], 2, /^--keep must be one or more of deliverable/],
])('%s is refused in one sentence, before anything is charged', async (_, args, status, sentence) => {
  writeFileSync(file, 'email,n\nann@refuse.test,1\n');
  writeFileSync(join(home, 'there.csv'), 'mine');
  const at = args.indexOf('--output') + 1;
  const placed = args.map((arg, place) => (at > 0 && place === at && arg !== '-' ? join(home, arg) : arg));
  const before = await credits();
  const ran = await run(file, '--yes', ...placed);
  expect(ran.stderr.trimEnd()).toMatch(sentence);
  expect(ran.status).toBe(status);
  expect(await credits()).toBe(before);
  expect(readFileSync(join(home, 'there.csv'), 'utf8')).toBe('mine');
  expect(readFileSync(file, 'utf8')).toBe('email,n\nann@refuse.test,1\n');
});

test('a list that failed, and one that was deleted, are told with what to do', async () => {
  writeFileSync(file, 'email\nslow@fail.test\n');
  const failed = await run(file, '--yes', '--name', 'fail');
  expect(failed.status).toBe(1);
  expect(failed.stderr).toMatch(/\nList \d+ failed with .* --fresh checks again\.\n$/);

  writeFileSync(file, 'email\nann@deleted.test\n');
  const [id] = JSON.parse((await run(file, '--yes', '--json')).stdout).lists;
  await mxproof(['list', 'rm', String(id), '--yes'], shell());
  const deleted = await run(file, '--force');
  expect(deleted.status).toBe(1);
  expect(deleted.stderr).toContain(`List ${id} of this file was deleted: run again with --fresh`);
});
