import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { configFileOf, type Environment, withConfigFile } from './config-file.ts';
import { describeSettings } from './describe-settings.ts';
import { secretValue } from './secret-file.ts';
import { SERVICE_SETTINGS } from './settings.ts';
import { fileMistakes } from './unknown-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'mxproof-config-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'mxproof.conf');

function write(text: string, mode = 0o600): string {
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function read(text: string, env: Record<string, string> = {}, mode = 0o600): Environment {
  return withConfigFile({ MXPROOF_DATA_DIR: folder, ...env }, write(text, mode));
}

function mistakes(text: string, mode?: number): string[] {
  return fileMistakes(configFileOf(read(text, {}, mode))!).map((each) => each.replaceAll(path, 'FILE'));
}

test('a file sets what the environment does not, by MXPROOF_CONFIG or by name, which comes first', () => {
  const env = {
    MXPROOF_CONFIG: write('# ours\nPORT=8081\nexport HOST="127.0.0.2" # loopback\n\nLOG_LEVEL=warn\r\n'),
  };
  const config = readConfig(withConfigFile({ ...env, LOG_LEVEL: 'error', HOST: ' ' }, null));
  expect(config).toMatchObject({ port: 8081, host: '127.0.0.2', logLevel: 'error', warnings: [] });
  const other = join(folder, 'other.conf');
  writeFileSync(other, 'PORT=8082');
  expect(readConfig(withConfigFile(env, other)).port).toBe(8082);
  expect(readConfig(withConfigFile({}, null)).port).toBe(8080);
});

test('a secret of the environment wins over the file in both of its forms', () => {
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'of a file\n');
  const inFile = `MXPROOF_SECRET_KEY_FILE=${secret}`;
  expect(readConfig(read(inFile)).secretKey).toBe('of a file');
  expect(readConfig(read(inFile, { MXPROOF_SECRET_KEY: 'of the environment' })).secretKey).toBe(
    'of the environment',
  );
  expect(readConfig(read('MXPROOF_SECRET_KEY=plain', { MXPROOF_SECRET_KEY_FILE: secret })).secretKey).toBe(
    'of a file',
  );
  expect(() => readConfig(read(`${inFile}\nMXPROOF_SECRET_KEY=plain`))).toThrow(/are both set/);
});

test('every mistake of a file is a sentence, with the name that may have been meant and without values', () => {
  expect(
    mistakes(
      [
        'PRT=1',
        'MXPROOF_HELO_NAM=hunter2',
        'SECRET_KEY=hunter2',
        'mxproof_mail_from=hunter2',
        'hunter2',
        'MXPROOF_SECRET_KEY="hunter2',
        'PORT=1',
        'PORT=2',
        'MXPROOF_CONFIG=/else',
        'NODE_OPTIONS=--inspect',
        'DATABASE_ULR=x',
      ].join('\n'),
    ),
  ).toEqual([
    'Line 5 of FILE is not of the form NAME=value, on one line.',
    'Line 6 of FILE is not of the form NAME=value, on one line.',
    'Line 8 of FILE sets PORT again: remove one of the two lines.',
    'Line 9 of FILE sets MXPROOF_CONFIG, which only the environment can: remove the line.',
    'PRT in FILE is not a setting of MXProof: did you mean PORT?',
    'MXPROOF_HELO_NAM in FILE is not a setting of MXProof: did you mean MXPROOF_HELO_NAME?',
    'SECRET_KEY in FILE is not a setting of MXProof: did you mean MXPROOF_SECRET_KEY?',
    'mxproof_mail_from in FILE is not a setting of MXProof: did you mean MXPROOF_MAIL_FROM?',
    'NODE_OPTIONS in FILE is not a setting of MXProof.',
    'DATABASE_ULR in FILE is not a setting of MXProof: did you mean DATABASE_URL?',
  ]);
  expect(() => readConfig(read('PRT=1'))).toThrow(`PRT in ${path} is not a setting`);
  expect(() => readConfig(read('PRT=1\nX=2'))).toThrow('"mxproof config --check" names all 2 mistakes.');
});

test('a file that everyone can read holds no secret, and one that everyone can write nothing', () => {
  expect(mistakes('PORT=1\nMXPROOF_SECRET_KEY=x', 0o644)).toEqual([
    'Every user of this machine can read FILE, and MXPROOF_SECRET_KEY in it is a secret: run "chmod o-r FILE".',
  ]);
  expect(mistakes('PORT=1\nMXPROOF_SECRET_KEY_FILE=/x', 0o644)).toEqual([]);
  expect(mistakes('PORT=1\nMXPROOF_SECRET_KEY=x', 0o640)).toEqual([]);
  expect(mistakes('PORT=1', 0o602)).toEqual([
    'Every user of this machine can change FILE: run "chmod o-w FILE".',
  ]);
});

test('a file that is missing, no file, or larger than any file of settings is refused in one sentence', () => {
  expect(() => withConfigFile({}, join(folder, 'none'))).toThrow(
    `--config names a file that cannot be read (ENOENT): ${join(folder, 'none')}.`,
  );
  expect(() => withConfigFile({ MXPROOF_CONFIG: folder }, null)).toThrow(
    `MXPROOF_CONFIG names a file that cannot be read (EISDIR): ${folder}.`,
  );
  expect(() => withConfigFile({}, '/dev/zero')).toThrow('more than 65536 bytes');
  expect(() => secretValue({ X_FILE: '/dev/zero' }, 'X')).toThrow('more than 65536 bytes');
});

test('each value is shown with the place it is from', () => {
  const env = read('PORT=8081\nLOG_LEVEL=warn\nDATABASE_URL=postgresql://me:hunter2@db/x', {
    LOG_LEVEL: 'warn',
  });
  const { settings, ok } = describeSettings(env);
  const from = Object.fromEntries(settings.map((each) => [each.name, each.from]));
  expect(ok).toBe(true);
  expect(from).toMatchObject({
    PORT: 'configuration file',
    DATABASE_URL: 'configuration file',
    LOG_LEVEL: 'environment',
    HOST: 'default',
  });
  expect(JSON.stringify(settings)).not.toContain('hunter2');
});

test('credentials of a systemd unit are files with secrets, unless the environment names another file', () => {
  const credentials = join(folder, 'credentials');
  mkdirSync(credentials);
  writeFileSync(join(credentials, 'MXPROOF_SECRET_KEY'), 'a credential\n');
  writeFileSync(join(credentials, 'tls.pem'), 'not ours');
  const env = { CREDENTIALS_DIRECTORY: credentials, MXPROOF_DATA_DIR: folder };
  expect(readConfig(withConfigFile(env, null))).toMatchObject({ secretKey: 'a credential', warnings: [] });
  expect(readConfig(withConfigFile(env, write('MXPROOF_SECRET_KEY=plain'))).secretKey).toBe('a credential');
  expect(() => readConfig(withConfigFile({ ...env, MXPROOF_SECRET_KEY: 'x' }, null))).toThrow(/are both set/);
  const other = join(folder, 'other-secret');
  writeFileSync(other, 'of another file');
  const named = withConfigFile({ ...env, MXPROOF_SECRET_KEY_FILE: other }, null);
  expect(readConfig(named).secretKey).toBe('of another file');
  writeFileSync(join(credentials, 'MXPROOF_SECRT_KEY'), 'misspelt');
  expect(readConfig(withConfigFile(env, null)).warnings).toEqual([
    'MXPROOF_SECRT_KEY_FILE is not a setting of MXProof and has no effect: did you mean MXPROOF_SECRET_KEY_FILE?',
  ]);
});

const name = fc.constantFrom(
  ...SERVICE_SETTINGS.map((each) => each.name).filter((each) => each !== 'MXPROOF_CONFIG'),
);
const value = fc.stringMatching(/^[a-z0-9:/@.,=-]{0,20}$/);
test('what a file without mistakes sets is what Node reads in it as a whole', () => {
  const line = fc.oneof(
    fc.tuple(name, value).map(([left, right]) => `${left}=${right}`),
    fc.tuple(name, value).map(([left, right]) => ` ${left} = "${right}" # said`),
    fc.string({ maxLength: 12 }),
    fc.constant("HOST='un"),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const text = lines.join('\n');
      const file = configFileOf(read(text))!;
      if (file.mistakes.length > 0) return;
      expect({ ...file.values }).toEqual({ ...parseEnv(text) });
    }),
  );
});
