// Makes the pictures of docs/guide/first-hour.md: what the first hour looks like to a list owner, to somebody who runs the demo, and
// to an integrator in TypeScript and in Python. Promise: all of it is run, an integrator's from a fresh clone of the last commit and
// with the receivers of the clients' guides; a step that fails ends it.
//   node scripts/with-node.mjs node scripts/first-hour.ts [list-owner|messy-file|demo|typescript|python …]
// Needs Chromium, git, npm, Python 3.10 with venv, and the package registries. Some minutes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { PHONE_SIZE, type Picture, SIZE, terminalPicture, testedBlock, writeRow } from './picture-row.ts';
import { freePort, LIMIT_MS, Terminal } from './terminal.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(HERE, 'docs/guide/first-hour');
/** Sooner than the demo's own, so that greylisted addresses do not take minutes. */
const RETRY_SECONDS = '10,20';
const DONE_MS = 300_000;
const CUSTOMERS = 400;
const EMAILS = ['ann@example.com', 'ben+rejected-email@example.com', 'eve+catch-all@example.com'];

interface Clone {
  readonly folder: string;
  readonly url: string;
  readonly testKey: string;
  readonly secret: string;
  readonly pictures: readonly Picture[];
  close(): Promise<void>;
}

/** A clone, installed and started, with a test key. */
async function startClone(browser: Browser, work: string): Promise<Clone> {
  const port = await freePort();
  const folder = join(work, 'mxproof');
  execFileSync('git', ['clone', '-q', HERE, folder]);
  const service = new Terminal(folder, { PORT: String(port) });
  service.shown = '$ git clone https://github.com/mxproof/mxproof && cd mxproof\n';
  await service.run('npm ci');
  const installed = await terminalPicture(browser, 'Clone and install', service.shown);
  service.shown = '';
  await service.runUntil('npm start', /Sign in to the console.*\n/);
  const [, key] = await service.until(/(mx_live_[\w-]+)/);
  const [, secret] = await service.until(/(whsec_\S+)/);
  const started = await terminalPicture(browser, 'Start: a key, a secret, a link', service.shown);
  const url = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${url}/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'tests', test: true }),
  });
  const { api_key: testKey } = (await answer.json()) as { api_key: string };
  return {
    folder,
    url,
    testKey,
    secret: secret!,
    pictures: [installed, started],
    close: () => service.close(),
  };
}

/** From a project of one's own to the first callback whose signature was verified. */
async function integrate(
  browser: Browser,
  work: string,
  way: {
    readonly name: string;
    readonly install: readonly string[];
    readonly files: Readonly<Record<string, string>>;
    readonly verify: string;
    readonly receive: string;
    readonly submit: string;
  },
): Promise<void> {
  const clone = await startClone(browser, work);
  const project = join(work, 'shop');
  mkdirSync(project);
  for (const [name, text] of Object.entries(way.files)) writeFileSync(join(project, name), text);
  const port = await freePort();
  const env = {
    MXPROOF_URL: clone.url,
    MXPROOF_API_KEY: clone.testKey,
    MXPROOF_WEBHOOK_SECRET: clone.secret,
    WEBHOOK_SECRET: clone.secret,
    PORT: String(port),
  };
  const terminals = [
    new Terminal(project, env),
    new Terminal(project, env),
    new Terminal(clone.folder, env),
  ] as const;
  const [shop, receiver, listener] = terminals;
  try {
    for (const command of way.install) await shop.run(command.replaceAll('CLONE', '../mxproof'));
    const reading = (command: string) => {
      const program = command.split(' ').at(-1)!;
      return `$ cat ${program}\n${way.files[program]}\n`;
    };
    shop.shown += reading(way.verify);
    await shop.run(way.verify);
    const first = await terminalPicture(
      browser,
      'A project of your own: the first address, with a test key',
      shop.shown,
    );
    receiver.shown = reading(way.receive);
    await receiver.runUntil(way.receive, /listening|Running on/i);
    const written = await terminalPicture(browser, 'A receiver that verifies signatures', receiver.shown);
    await listener.runUntil(
      `npx mxproof listen --forward-to http://127.0.0.1:${port}/hooks/mxproof`,
      /forward|listening|waiting/i,
    );
    shop.shown = reading(way.submit);
    await shop.run(way.submit);
    await receiver.until(/list \d+ is done.*\n/);
    await listener.until(/signature valid.*\n/);
    const done = `${shop.shown}\n\n# the other terminal: the receiver\n${linesWith(receiver.shown, /^list \d+ is done/)}\n\n# and mxproof listen\n${listener.shown}`;
    const called = await terminalPicture(browser, 'A list, and its callback: signature verified', done);
    await writeRow(browser, join(FOLDER, `${way.name}.png`), [...clone.pictures, first, written, called]);
  } finally {
    for (const terminal of terminals) await terminal.close();
    await clone.close();
  }
}

/** A guide's receiver as its comment says where tests run: the key is a test key. */
function testReceiver(file: string, name: string): string {
  const block = testedBlock(join(HERE, file), name);
  const changed = block.replace(/\b(mode: '|mode=")live/, '$1test');
  if (changed === block) throw new Error(`${file}: the receiver "${name}" names no mode.`);
  return changed;
}

function linesWith(text: string, pattern: RegExp): string {
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .join('\n');
}

/** The demo of this checkout, and a browser that its link has signed in. */
async function startDemo(browser: Browser) {
  const terminal = new Terminal(HERE, { MXPROOF_SMTP_RETRY_SECONDS: RETRY_SECONDS });
  await terminal.runUntil('npm run demo', /MXProof demo: .*\n/);
  const begun = await terminalPicture(browser, 'It speaks from its first second', terminal.shown);
  await terminal.until(/Press Ctrl-C/);
  const ready = await terminalPicture(
    browser,
    'Ready: a dozen addresses, each with what it shows',
    terminal.shown,
  );
  const [, link = ''] = await terminal.until(/(http:\S+\/sign-in\/\S+)/);
  const context = await browser.newContext({
    baseURL: new URL(link).origin,
    viewport: SIZE,
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  await page.goto(link);
  const take = async (caption: string): Promise<Picture> => ({
    caption,
    png: await page.screenshot({ animations: 'disabled' }),
  });
  const signIn = await take('The link it printed');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Address' }).waitFor();
  const [, sample = ''] = await terminal.until(/clean '([^']+)'/);
  return {
    terminal,
    page,
    take,
    begun,
    ready,
    signIn,
    /** That it offers to be checked. */
    offered: [...terminal.raw.matchAll(/^ +(\S+@\S+) +(?:deliverable|risky|undeliverable|unknown) /gm)].map(
      ([, email]) => email!,
    ),
    emails: readFileSync(sample, 'utf8').split('\n'),
  };
}

async function demo(browser: Browser): Promise<void> {
  const { terminal, page, take, begun, ready, signIn, offered } = await startDemo(browser);
  const check = async (at: number, caption: string) => {
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Address' }).fill(offered[at]!);
    await page.keyboard.press('Enter');
    await page.getByText('Why', { exact: true }).click();
    await page.getByText('Technical').waitFor();
    await page.evaluate('scrollTo(0, 0)');
    return take(caption);
  };
  try {
    const first = await check(0, 'The first suggested address: deliverable, and why');
    const misspelt = await check(3, 'Another: what was probably meant');
    await writeRow(browser, join(FOLDER, 'demo.png'), [begun, ready, signIn, first, misspelt]);
  } finally {
    await terminal.close();
  }
}

/** A spreadsheet's file of customers, in German: semicolons, Windows-1252, columns of its own. */
function customers(emails: readonly string[]): Buffer {
  const misspelt = ['anna@gmial.com', 'lena@gmial.com', 'tom@hotmial.com'];
  const rows = [...emails, ...misspelt].map((email, at) => `Kunde ${at + 1};${email};M\u00fcnchen`);
  return Buffer.from(
    ['Name;Private email;Stadt', ...rows, 'Kein Kunde;n/a;K\u00f6ln', ''].join('\r\n'),
    'latin1',
  );
}

async function listOwner(browser: Browser, work: string): Promise<void> {
  const { terminal, page, take, signIn, emails } = await startDemo(browser);
  try {
    await page.goto('/new');
    const file = { name: 'Kunden.csv', mimeType: 'text/csv', buffer: customers(emails.slice(0, CUSTOMERS)) };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Start checking' }).waitFor();
    const review = await take('A file dropped: what it holds and costs, before anything is charged');
    await page.getByRole('button', { name: 'Start checking' }).click();
    await page.locator('.list-progress-number', { hasText: /^[4-9]\d/ }).waitFor();
    await page.getByRole('row').nth(3).waitFor();
    const running = await take('While it runs: what to do with those that are checked');
    await page.getByText('Done', { exact: true }).waitFor({ timeout: DONE_MS });
    await page.reload();
    await page.getByRole('row').nth(3).waitFor();
    await page.getByRole('button', { name: /^Fix and check/ }).click();
    await page.getByText(/corrected and checked on/).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the good rows' }).click(),
    ]);
    await page.getByText(/^Kunden-good\.csv has/).waitFor();
    await page.evaluate('scrollTo(0, 0)');
    const done = await take('Done: misspelt domains fixed in one click, the good rows in another');
    await saved.saveAs(join(work, 'Kunden-good.csv'));
    const shell = new Terminal(work);
    await shell.run('file Kunden-good.csv && head -12 Kunden-good.csv | iconv -f windows-1252');
    const good = await terminalPicture(
      browser,
      'The good rows: own columns, separator and encoding',
      shell.shown,
    );
    await writeRow(browser, join(FOLDER, 'list-owner.png'), [signIn, review, running, done, good]);
  } finally {
    await terminal.close();
  }
}

/** What a spreadsheet of years looks like: two columns of addresses, slips of the finger, rows that repeat others. */
function messyCustomers(emails: readonly string[]): Buffer {
  const slips = [
    ...Array.from({ length: 9 }, (_, at) => `kunde${at}@gmial.com`),
    ...['tom@hotmial.com', 'lena@hotmial.com', 'eva@gmail,com', 'jan@web.de.', 'n/a'],
    ...['Anna Berg <anna@gmial.com>, a.berg@web.de', emails[0]!, emails[1]!],
  ];
  const [first, second] = [emails.slice(0, 60), emails.slice(60, 80)];
  const all = [...slips.slice(0, 4), ...first, ...slips.slice(4)];
  const rows = all.map((email, at) =>
    [
      1_000 + at,
      `Kunde ${at + 1}`,
      'Beispiel GmbH',
      'M\u00fcnchen',
      email,
      '089 123456',
      second[at] ?? '',
    ].join(';'),
  );
  const head = 'Nr;Name;Firma;Ort;E-Mail;Telefon;E-Mail gesch\u00e4ftlich';
  return Buffer.from([head, ...rows, ''].join('\r\n'), 'latin1');
}

async function messyFile(browser: Browser, work: string): Promise<void> {
  const { terminal, page, take, emails } = await startDemo(browser);
  const wide: Picture[] = [];
  const phone: Picture[] = [];
  /** At both widths, where `shown` is in view. */
  const both = async (caption: string, shown: string) => {
    for (const [row, size] of [
      [wide, SIZE],
      [phone, PHONE_SIZE],
    ] as const) {
      await page.setViewportSize(size);
      const place = page.locator(shown).first();
      await place.waitFor();
      await place.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      await page.mouse.wheel(0, -90);
      await page.waitForTimeout(300);
      row.push(await take(caption));
    }
    await page.setViewportSize(SIZE);
  };
  try {
    await page.goto('/new');
    const file = { name: 'Kunden.csv', mimeType: 'text/csv', buffer: messyCustomers(emails) };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Start checking' }).waitFor();
    await both('The review: misspelt domains, before anything is charged', '.to-fix');
    await both('A second column with addresses, added in one press', 'section:has(> #columns-title)');
    await page.getByRole('button', { name: 'Check this column too' }).click();
    await page.getByRole('button', { name: 'Check this column too' }).waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /^Fix all/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Undo all fixes' }).waitFor();
    await both('Fixed: what is meant is checked and charged', '.to-fix');
    await page.getByRole('checkbox', { name: /^Leave rows that repeat/ }).check();
    await both('What the file holds; repeated rows are left out', 'section:has(> #file-summary-title)');
    await page.getByRole('button', { name: 'Start checking' }).click();
    await page.getByText('Done', { exact: true }).waitFor({ timeout: DONE_MS });
    await page.reload();
    await page.getByRole('row').nth(3).waitFor();
    await both('Done: name and number beside each address', '.results-panel');
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Other downloads' }).click();
    await page.getByRole('checkbox', { name: 'Add the results as columns' }).check();
    await both('The first rows of the file, before it is saved', '.download-preview tr:nth-child(4)');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    ]);
    await saved.saveAs(join(work, 'Kunden-good.csv'));
    const shell = new Terminal(work);
    await shell.run('head -12 Kunden-good.csv | iconv -f windows-1252 | cut -c1-92');
    const sent = await terminalPicture(browser, 'The file to send to: corrected, nobody twice', shell.shown);
    await writeRow(browser, join(FOLDER, 'messy-file.png'), [...wide, sent]);
    await writeRow(browser, join(FOLDER, 'messy-file-phone.png'), phone, PHONE_SIZE);
  } finally {
    await terminal.close();
  }
}

const WAYS: Readonly<Record<string, (browser: Browser, work: string) => Promise<void>>> = {
  'list-owner': listOwner,
  'messy-file': messyFile,
  demo,
  typescript: (browser, work) =>
    integrate(browser, work, {
      name: 'typescript',
      install: [
        '(cd CLONE && npm run -s pack -- ../packed) >/dev/null 2>&1',
        'npm init -y >/dev/null && npm pkg set type=module',
        'npm install -s express tsx ../packed/mxproof-client-*.tgz',
      ],
      files: {
        'check.ts': `import { MXProof } from '@mxproof/client';

const mx = new MXProof(); // reads MXPROOF_API_KEY and MXPROOF_URL
const { state, reason } = await mx.verify('ann+catch-all@example.com');
console.log(state, reason);
`,
        'receive.js': testReceiver('client/README.md', 'express'),
        'submit.ts': `import { MXProof } from '@mxproof/client';

const mx = new MXProof();
const list = await mx.lists.create({
  name: 'spring',
  emails: ${JSON.stringify(EMAILS).replaceAll(',', ', ').replaceAll('"', "'")},
  callbackUrl: 'https://shop.example/hooks/mxproof',
});
console.log((await mx.lists.wait(list.id)).counts);
`,
      },
      verify: 'npx tsx check.ts',
      receive: 'node receive.js',
      submit: 'npx tsx submit.ts',
    }),
  python: (browser, work) =>
    integrate(browser, work, {
      name: 'python',
      install: ['python3 -m venv .venv && .venv/bin/pip install -q CLONE/clients/python flask'],
      files: {
        'check.py': `from mxproof import MXProof

mx = MXProof()  # reads MXPROOF_API_KEY and MXPROOF_URL
found = mx.verify("ann+catch-all@example.com")
print(found.state, found.reason)
`,
        'receive.py': testReceiver('clients/python/README.md', 'flask'),
        'submit.py': `from mxproof import MXProof

mx = MXProof()
made = mx.lists.create(
    ${JSON.stringify(EMAILS).replaceAll(',', ', ')},
    name="spring",
    callback_url="https://shop.example/hooks/mxproof",
)
print(mx.lists.wait(made.id).counts)
`,
      },
      verify: '.venv/bin/python check.py',
      receive: '.venv/bin/python receive.py',
      submit: '.venv/bin/python submit.py',
    }),
};

mkdirSync(FOLDER, { recursive: true });
const wanted = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  for (const [name, make] of Object.entries(WAYS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const work = mkdtempSync(join(tmpdir(), 'mxproof-first-hour-'));
    try {
      await make(browser, work);
      console.log(
        `${name}: ${readdirSync(FOLDER)
          .filter((file) => file.startsWith(name))
          .join(', ')}`,
      );
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
} finally {
  await browser.close();
}
