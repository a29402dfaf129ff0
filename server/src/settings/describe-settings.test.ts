// The table of settings against what reads them and what tells of them, and what `mxproof config` makes of it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type DescribedSetting, describeSettings } from './describe-settings.ts';
import { ALL_SETTINGS, CLIENT_SETTINGS } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'mxproof-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PASSWORD = 'hunter2';
const guide = (name: string) =>
  readFileSync(new URL(`../../../docs/guide/${name}.md`, import.meta.url), 'utf8');

test('each setting has a row of its own, and those of clients are told of in their guide', () => {
  const names = ALL_SETTINGS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name } of CLIENT_SETTINGS) expect(guide('command-line')).toContain(`\`${name}\``);
});

function described(env: Record<string, string>): (name: string) => DescribedSetting {
  const { settings } = describeSettings({ MXPROOF_DATA_DIR: folder, ...env });
  return (name) => settings.find((one) => one.name === name)!;
}

test('a setting is shown with its value and where it comes from', () => {
  const setting = described({ PORT: ' 8081 ', HOST: '' });
  expect(setting('PORT')).toMatchObject({ value: '8081', from: 'environment', error: null });
  expect(setting('HOST')).toMatchObject({ value: null, from: 'default', fallback: '127.0.0.1' });
  expect(setting('MXPROOF_SECRET_KEY')).toMatchObject({ value: null, from: 'default' });
  writeFileSync(join(folder, 'secret-key'), PASSWORD);
  expect(described({})('MXPROOF_SECRET_KEY')).toMatchObject({ value: 'set', from: 'data folder' });
});

test.each([
  [
    'DATABASE_URL',
    `postgresql://me:${PASSWORD}@db.example:5433/mail?password=${PASSWORD}`,
    'postgresql://db.example:5433/mail',
  ],
  ['MXPROOF_SECRET_KEY', PASSWORD, 'set'],
  ['MXPROOF_API_KEY', PASSWORD, 'set'],
  ['MXPROOF_WEBHOOK_SECRET', PASSWORD, 'set'],
  ['MXPROOF_SMTP_RELAY', `smtps://me:${PASSWORD}@mail.example.com:465`, 'smtps://…@mail.example.com:465'],
  ['MXPROOF_URL', `https://me:${PASSWORD}@verify.example.com`, 'https://verify.example.com'],
])('%s is shown without what is secret', (name, value, shown) => {
  expect(described({ [name]: value })(name)).toMatchObject({ value: shown, error: null });
});

test('the path and query of the address for alerts are as secret as what signs them', () => {
  const setting = described({
    MXPROOF_ALERT_URL: `https://hooks.example.com/services/${PASSWORD}?token=${PASSWORD}`,
    MXPROOF_ALERT_SECRET: `whsec_${Buffer.from(PASSWORD.repeat(3)).toString('base64')}`,
  });
  expect(setting('MXPROOF_ALERT_URL')).toMatchObject({ value: 'https://hooks.example.com/…', error: null });
  expect(setting('MXPROOF_ALERT_SECRET')).toMatchObject({ value: 'set', error: null });
});

test('no value that is out of form shows its secret, nor does the sentence about it', () => {
  const values = [
    PASSWORD,
    `//${PASSWORD}`,
    `x://me:${PASSWORD}`,
    `socks5://me:p,${PASSWORD}@h:1=a.example.com,192.0.2.1=b.example.com`,
    `smtps://me:${PASSWORD}@`,
    `postgresql://me:${PASSWORD}@/x`,
    `https://me:${PASSWORD}@h/${PASSWORD}`,
    `smtp://me:${PASSWORD}@h/@${PASSWORD}`,
  ];
  for (const { name, shown } of ALL_SETTINGS) {
    if (shown === undefined) continue;
    for (const value of values)
      expect(JSON.stringify(describeSettings({ [name]: value })), `${name}=${value}`).not.toContain(PASSWORD);
  }
});

test('every error is shown beside its setting, however many there are', () => {
  const report = describeSettings({
    PORT: 'x',
    MXPROOF_LIST_HOURS: 'x',
    MXPROOF_TLS_KEY: '/key.pem',
    MXPROOF_ALERT_MAIL: 'ops@example.com',
    MXPROOF_HELO_NAM: 'x',
  });
  expect(report.ok).toBe(false);
  const errors = report.settings.filter(({ error }) => error !== null);
  expect(Object.fromEntries(errors.map(({ name, error }) => [name, error]))).toEqual({
    PORT: 'PORT must be a whole number from 0 to 65535.',
    MXPROOF_LIST_HOURS: 'MXPROOF_LIST_HOURS must be a number from 0 to 720.',
    MXPROOF_TLS_KEY: 'MXPROOF_TLS_KEY names a file that cannot be read: /key.pem (ENOENT).',
    MXPROOF_SMTP_RELAY:
      'MXPROOF_SMTP_RELAY must be set when MXPROOF_ALERT_MAIL is, such as smtps://user:password@mail.example.com.',
  });
  expect(report.unknown).toEqual([{ name: 'MXPROOF_HELO_NAM', meant: 'MXPROOF_HELO_NAME' }]);
});
