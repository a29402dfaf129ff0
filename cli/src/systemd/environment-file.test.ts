import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseEnvironmentFile } from './environment-file.ts';

/** What people write, and what they get wrong. Without dollar signs, which the generator below would expand. */
const FILE = `# a comment
; another
HOST=127.0.0.1
  PORT = 8081  \t
EMPTY=
no line
1BAD=x
QUOTED="two words # and no comment"
SINGLE='a "b" \\n'
ESCAPED=one\\ two\\\\three \\
continued
TRAILING=kept\\ ${' '}
HASH=a#b ;c
INNER=it"s
JOINED="a" 'b'
SLASHES="\\"quoted\\" \\n \\\\"
LONG="over
two lines"
SAME=first
SAME=second
UNICODE=Grüße
LAST=without an end`;

const EXPECTED = {
  HOST: '127.0.0.1',
  PORT: '8081',
  EMPTY: '',
  QUOTED: 'two words # and no comment',
  SINGLE: 'a "b" \\n',
  ESCAPED: 'one two\\three continued',
  TRAILING: 'kept ',
  HASH: 'a#b ;c',
  INNER: 'it"s',
  JOINED: 'ab',
  SLASHES: '"quoted" \\n \\',
  LONG: 'over\ntwo lines',
  SAME: 'second',
  UNICODE: 'Grüße',
  LAST: 'without an end',
};

test('a file of settings is read by the rules of systemd', () => {
  expect({ ...parseEnvironmentFile(FILE) }).toEqual(EXPECTED);
  expect({ ...parseEnvironmentFile('') }).toEqual({});
  expect({ ...parseEnvironmentFile("A='not closed") }).toEqual({ A: 'not closed' });
  expect({ ...parseEnvironmentFile('A=1\r\nB=2\r\n__proto__=3\r\n') }).toEqual({
    A: '1',
    B: '2',
    ['__proto__']: '3',
  });
});

/** It reads files with the same parser, and prints what it read. */
const GENERATOR = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator';

test.skipIf(!existsSync(GENERATOR))('systemd itself reads the same', () => {
  const home = mkdtempSync(join(tmpdir(), 'mxproof-environment-'));
  try {
    mkdirSync(join(home, 'environment.d'));
    writeFileSync(join(home, 'environment.d/a.conf'), FILE);
    const { stdout } = spawnSync(GENERATOR, { env: { XDG_CONFIG_HOME: home }, encoding: 'utf8' });
    // What it prints is for a shell.
    const shown = spawnSync('bash', ['-c', `set -a; ${stdout}\nenv -0`], {
      env: {},
      encoding: 'utf8',
    }).stdout;
    const read = new Map(
      shown
        .split('\0')
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    // It leaves out what is empty, and writes line ends as shells do not read them.
    for (const [name, value] of Object.entries(EXPECTED).filter(
      ([, each]) => each !== '' && !each.includes('\n'),
    ))
      expect([name, read.get(name)]).toEqual([name, value]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
