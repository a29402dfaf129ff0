// Every sample of the API reference, run as a reader would paste it: the shell's, and TypeScript's on the client. Those in
// Python are run by clients/python/tests/test_guides.py, where their client is installed.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';

interface Sample {
  readonly lang: 'Shell' | 'TypeScript' | 'Python';
  readonly source: string;
}

const ROOT = join(import.meta.dirname, '../../../..');
/** A whole program each, on a machine that may be busy. */
const RUN_LIMIT_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'mxproof-samples-'));

/** How a sample is run, and what its operation must have printed. */
const RUN: Record<
  'Shell' | 'TypeScript',
  (source: string, name: string) => [command: string, args: string[]]
> = {
  Shell: (source) => ['bash', ['-c', source]],
  TypeScript(source, name) {
    writeFileSync(join(folder, `${name}.ts`), source);
    return [process.execPath, [join(folder, `${name}.ts`)]];
  },
};
const PRINTED: Record<string, RegExp> = {
  verifyAddress: /deliverable.*accepted_email/,
  createList: /2/,
  getList: /done.*1/,
  getResults: /anna@example\.com.*deliverable/,
  getAccount: /9\d{5}/,
};

let service: TestService;
let samples: [operation: string, sample: Sample][];
beforeAll(async () => {
  service = await startService();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // List 1, which the samples read.
  await service.call('POST', '/v1/verify', { body: { email: 'anna@example.com' } });
  const { paths } = (await service.call('GET', '/v1/openapi.json', { key: null })).json as {
    paths: Record<string, Record<string, { operationId: string; 'x-codeSamples'?: Sample[] }>>;
  };
  samples = Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ operationId, 'x-codeSamples': own = [] }) =>
      own.map((sample): [string, Sample] => [operationId, sample]),
    ),
  );
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

test('each main operation has a sample in the shell, TypeScript and Python', () => {
  const languages = Object.keys(PRINTED).flatMap((operation) =>
    [...Object.keys(RUN), 'Python'].map((lang) => `${operation} ${lang}`),
  );
  expect(samples.map(([operation, { lang }]) => `${operation} ${lang}`).sort()).toEqual(languages.sort());
});

for (const lang of Object.keys(RUN) as (keyof typeof RUN)[])
  test(
    `the samples in ${lang} run as they stand`,
    async () => {
      const env = {
        PATH: process.env.PATH,
        MXPROOF_URL: `http://127.0.0.1:${service.port}`,
        MXPROOF_API_KEY: service.account.apiKey,
      };
      const ours = samples.filter(([, sample]) => sample.lang === lang);
      const printed = await Promise.all(
        ours.map(([operation, { source }]) => promisify(execFile)(...RUN[lang](source, operation), { env })),
      );
      for (const [at, [operation]] of ours.entries())
        expect(printed[at]!.stdout, `${operation} in ${lang}`).toMatch(PRINTED[operation]!);
    },
    RUN_LIMIT_MS,
  );
