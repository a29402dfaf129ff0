import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** In a process of its own, since the log is its standard output. */
function run(
  script: string,
  logFormat: 'json' | 'pretty' | null = 'json',
  isTerminal = false,
  hasColours = false,
): string {
  const whole = `
    const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, 'create-log.ts'))});
    const log = await createLog({ logLevel: 'info', logFormat: ${JSON.stringify(logFormat)} }, ${isTerminal}, ${hasColours});
    ${script}
    process.exit(1);
  `;
  const env = { PATH: process.env.PATH };
  const options = { encoding: 'utf8', env, cwd: import.meta.dirname } as const;
  return spawnSync(process.execPath, ['--input-type=module', '-e', whole], options).stdout;
}

function logged(logFormat: 'json' | 'pretty' | null, isTerminal: boolean): string {
  return run(
    `log.debug('too quiet');
     log.info({ url: 'http://127.0.0.1:8080', path: '/\u001b[2J' }, 'ready \u001b[31m');`,
    logFormat,
    isTerminal,
  );
}

const PRETTY = /^\[\d\d:\d\d:\d\d\] INFO: ready \S* url=http:\/\/127\.0\.0\.1:8080 path="[^"]*"\n$/;

test('on a terminal a request is a short line in colours, and a failure that passes one with its reason', () => {
  const script = `
    log.info({ id: 'b0c7', method: 'GET', route: '/v1/account', status: 200, durationMs: 3.1, account: 1, client: null }, 'request completed');
    log.warn({ err: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }) }, 'idle connection lost');`;
  const plain = run(script, null, true).replaceAll(/\[[\d:]{8}\] /g, '');
  expect(plain).toBe(
    'INFO: GET /v1/account 200 3.1 ms account=1\nWARN: idle connection lost err="connect ECONNREFUSED 127.0.0.1:1"\n',
  );
  expect(run(script, null, true, true)).toContain('\u001b[32mINFO\u001b[39m');
  expect(run(script, 'pretty', false)).not.toContain('\u001b');
});

test('an error of the database is logged without what it quotes, one of the disk with its words', () => {
  const refused = 'invalid input syntax: "ann@b.test"';
  const lines = run(`
    const { default: pg } = await import('pg');
    const refused = Object.assign(new pg.DatabaseError(${JSON.stringify(refused)}, 1, 'error'), {
      code: '22P02', detail: 'Failing row contains (ann@b.test)', where: 'portal with $1 = ann@b.test',
      hint: 'ann@b.test', internalQuery: 'ann@b.test', table: 'lists', constraint: 'total',
    });
    log.error({ err: refused }, 'one');
    log.error({ err: new Error('wrapped', { cause: refused }) }, 'two');
    log.error({ err: Object.assign(new pg.DatabaseError('disk full', 1, 'error'), { code: '53100' }) }, 'three');
  `);
  expect(lines).not.toContain('ann@b.test');
  const logged = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).err);
  expect(logged[0]).toMatchObject({
    type: 'DatabaseError',
    code: '22P02',
    table: 'lists',
    constraint: 'total',
  });
  expect(logged[1]).toMatchObject({ message: 'wrapped', causes: [{ code: '22P02' }] });
  expect(logged[2]).toMatchObject({ message: 'disk full', code: '53100' });
});

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
