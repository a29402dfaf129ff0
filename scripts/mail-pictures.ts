// Makes the pictures of docs/guide/account-mail.md: the mails to people, as a mail program shows them, light and dark, wide and narrow.
//   node scripts/with-node.mjs node scripts/mail-pictures.ts
// Needs Chromium. A few seconds; the same mails every time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { linkMailText } from '../server/src/features/mail/link-mail-text.ts';
import { mailText, type ToldEvent } from '../server/src/features/mail/mail-text.ts';

const FOLDER = fileURLToPath(new URL('../docs/guide/account-mail/', import.meta.url));
const URL_SHOWN = 'https://verify.example.com';
const WIDTHS = { wide: 600, narrow: 390 } as const;

const TOLD = { facts: {}, atSeconds: 0, accountId: 1, accountName: 'Marketing', forMember: true } as const;
const NOTHING = { list: null, endpoint: null, counts: null } as const;
const DONE: ToldEvent = {
  ...TOLD,
  ...{ id: 1, event: 'list.done', endpoint: null },
  list: { id: 4711, name: 'Trade fair, spring.xlsx', total: 12_040 },
  counts: { send: 9_870, separate: 1_012, skip: 204, remove: 803, retry: 151 },
};
const LOW: ToldEvent = {
  ...{ ...TOLD, ...NOTHING, id: 2, event: 'credits.low' },
  facts: { credits: 4_990, lowCredits: 5_000 },
};
const OFF: ToldEvent = {
  ...{ ...TOLD, ...NOTHING, id: 3, event: 'webhook.off' },
  facts: { reason: 'failing' },
  endpoint: { id: 3, url: 'https://hooks.example.com/mxproof' },
};

const told = (events: readonly ToldEvent[], more = 0) =>
  mailText({ events, more, url: URL_SHOWN, from: 'mxproof@example.com', stopToken: 'token' });
const MAILS = {
  'list-done': told([DONE]),
  'credits-low': told([LOW]),
  'webhook-off': told([OFF]),
  several: told([DONE, { ...LOW, accountId: 2, accountName: 'Sales', forMember: false }], 3),
  invitation: linkMailText({
    told: { kind: 'invitation', accountName: 'Marketing', role: 'member' },
    url: URL_SHOWN,
    token: 'token',
  }),
  'sign-in': linkMailText({ told: { kind: 'sign_in' }, url: URL_SHOWN, token: 'token' }),
};

/** As it is: the mail loads nothing and runs nothing. */
async function shown(browser: Browser, html: string, width: number, colorScheme: 'light' | 'dark') {
  const context = await browser.newContext({
    viewport: { width, height: 100 },
    colorScheme,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.setContent(html);
  const png = await page.screenshot({ fullPage: true });
  await context.close();
  return png;
}

/** One mail: wide and narrow, light above dark. */
async function sheet(browser: Browser, html: string): Promise<Buffer> {
  const rows: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    const images: string[] = [];
    for (const width of Object.values(WIDTHS)) {
      const png = await shown(browser, html, width, scheme);
      images.push(`<img src="data:image/png;base64,${png.toString('base64')}">`);
    }
    rows.push(`<div>${images.join('')}</div>`);
  }
  const page = await browser.newPage({ viewport: { width: 1_050, height: 100 } });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; background: #fff; padding: 20px; }
    div { display: flex; gap: 20px; align-items: flex-start; margin-bottom: 20px; }
    img { border: 1px solid #d5dbe5; }
    </style>${rows.join('')}`);
  const png = await page.screenshot({ fullPage: true });
  await page.close();
  return png;
}

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  for (const [name, { html }] of Object.entries(MAILS))
    writeFileSync(`${FOLDER}${name}.png`, await sheet(browser, html));
} finally {
  await browser.close();
}
