import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'mxproof-first-steps-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const program = join(folder, 'show.mjs');
writeFileSync(
  program,
  `import { show, streamsToShowOn } from ${JSON.stringify(join(import.meta.dirname, 'first-steps.ts'))};
   const streams = streamsToShowOn(JSON.parse(process.argv[2]));
   process.exitCode = streams.length === 0 ? 3 : show('the key', streams) ? 0 : 1;`,
);

function shown(stdout: number | 'pipe', stderr: number | 'pipe') {
  const ran = spawnSync(process.execPath, [program, 'true'], {
    encoding: 'utf8',
    stdio: ['ignore', stdout, stderr],
  });
  return { status: ran.status, stdout: ran.stdout ?? '', stderr: ran.stderr ?? '' };
}

test('the first key is shown where it can be, and it is said when it cannot', () => {
  const full = openSync('/dev/full', 'w');
  expect(shown('pipe', 'pipe')).toEqual({ status: 0, stdout: 'the key', stderr: '' });
  expect(shown(full, 'pipe')).toEqual({ status: 0, stdout: '', stderr: 'the key' });
  expect(shown(full, full)).toMatchObject({ status: 1 });
});

// Elsewhere script(1) has other options.
test.skipIf(process.platform !== 'linux').each([
  [null, '', { status: 0, terminal: 'the key', file: '' }],
  // The log goes to the file, and the person at the terminal reads standard error.
  [null, '>', { status: 0, terminal: 'the key', file: '' }],
  [null, '2>', { status: 0, terminal: 'the key', file: '' }],
  [null, '&>', { status: 3, terminal: '', file: '' }],
  [true, '>', { status: 0, terminal: 'the key', file: '' }],
  [true, '&>', { status: 0, terminal: '', file: 'the key' }],
  [false, '', { status: 3, terminal: '', file: '' }],
])(
  'with the setting %j and, on a terminal, "%s file" the key goes to the terminal or nowhere, unless it may go anywhere',
  (setting, redirected, expected) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const command = `exec '${process.execPath}' '${program}' ${setting}`;
    const behind = redirected === '&>' ? `>'${file}' 2>&1` : redirected && `${redirected}'${file}'`;
    // script(1) gives the command a terminal, and passes on what is written there.
    const ran = spawnSync('script', ['-qefc', `${command} ${behind}`, '/dev/null'], { encoding: 'utf8' });
    expect({ status: ran.status, terminal: ran.stdout, file: readFileSync(file, 'utf8') }).toEqual(expected);
  },
);
