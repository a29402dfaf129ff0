import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** In a process of its own, since the log is its standard output. */
function logged(logFormat: 'json' | 'pretty' | null, isTerminal: boolean): string {
  const script = `
    const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, 'create-log.ts'))});
    const log = await createLog({ logLevel: 'info', logFormat: ${JSON.stringify(logFormat)} }, ${isTerminal});
    log.debug('too quiet');
    log.info({ url: 'http://127.0.0.1:8080', path: '/\u001b[2J' }, 'ready \u001b[31m');
    process.exit(1);
  `;
  const env = { PATH: process.env.PATH, NO_COLOR: '1' };
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env }).stdout;
}

const PRETTY =
  /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: ready \S* \{"url":"http:\/\/127\.0\.0\.1:8080","path":"[^"]*"\}\n$/;

test.each([
  [null, true],
  ['pretty', false],
] as const)('with LOG_FORMAT %s and a terminal (%s) a line is for people, and not lost on exit', (format, isTerminal) => {
  const text = logged(format, isTerminal);
  expect(text).toMatch(PRETTY);
  expect(text).not.toContain('\u001b');
});

test.each([
  [null, false],
  ['json', true],
] as const)('with LOG_FORMAT %s and a terminal (%s) a line is one JSON object, and not lost on exit', (format, isTerminal) => {
  expect(JSON.parse(logged(format, isTerminal))).toMatchObject({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    url: 'http://127.0.0.1:8080',
    msg: 'ready \u001b[31m',
  });
});
