import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../commands.ts';
import { completion, type Shell } from './completion.ts';
import { completionTable } from './completion-table.ts';

function scriptFor(shell: Shell): string {
  const parts: string[] = [];
  const stdin = (async function* () {})();
  completion(shell, COMMANDS, { stdin, stderr() {}, stdout: (text) => void parts.push(text) });
  return parts.join('');
}

const isThere = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0;

/** What the shell offers for the words; the last one is being typed. */
function offered(shell: 'bash' | 'fish', words: readonly string[]): string[] {
  const script = scriptFor(shell);
  if (shell === 'fish') {
    const program = `${script}\ncomplete -C 'mxproof ${words.join(' ')}'`;
    return run('fish', ['--no-config', '-c', program]).map((line) => line.split('\t')[0]!);
  }
  const program = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mxproof; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run('bash', ['--noprofile', '--norc', '-c', program, 'bash', 'mxproof', ...words]);
}

function run(shell: string, args: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', cwd: '/' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

for (const shell of ['bash', 'fish'] as const)
  test.skipIf(!isThere(shell))(`${shell} is offered commands, groups, options and values`, () => {
    const place = (path: string) => completionTable(COMMANDS).find((each) => each.path === path)!;
    const at = (...words: string[]) => offered(shell, words);
    expect(at('')).toEqual(expect.arrayContaining(place('').commands.map(({ word }) => word)));
    expect(at('acco')).toEqual(['account']);
    expect(at('list', 'u')).toEqual(['undelete']);
    expect(at('list', '').filter((word) => !word.startsWith('-'))).toHaveLength(
      place('list').commands.length,
    );
    expect(at('list', 'show', '--a')).toEqual(['--any']);
    expect(at('admin', 'key', '').filter((word) => !word.startsWith('-'))).toEqual([
      'create',
      'list',
      'revoke',
    ]);
    expect(at('admin', 'key', 'create', '--scope', 'w')).toEqual(['write']);
    expect(at('audit', '--action', 'admin_key.')).toEqual(['admin_key.created', 'admin_key.revoked']);
    // An old name.
    expect(at('expl')).toEqual([]);
    expect(at('callback', 'list', '--state', 'f')).toEqual(['failed']);
    expect(at('completion', 'z')).toEqual(['zsh']);
    expect(at('login', '--u')).toEqual(['--url']);
    // It is there to be refused.
    expect(at('login', '--k')).toEqual([]);
    expect(at('credits', 'add', '7', '50', '--no')).toEqual(['--note']);
  });

/** Its start-up file and how it is told where that is. */
const INTERACTIVE: Readonly<Record<Shell, { file: string; before: string; command: string; after: string }>> =
  {
    bash: {
      file: 'bashrc',
      before: 'PS1="ready> "\n',
      command: 'bash --noprofile --rcfile "$FOLDER/bashrc" -i',
      after: 'mxproof() { echo "RAN $*."; }\n',
    },
    zsh: {
      file: '.zshrc',
      before: 'PS1="ready> "\nautoload -U compinit && compinit -u -D\n',
      command: 'ZDOTDIR="$FOLDER" zsh -d -i',
      after: 'mxproof() { echo "RAN $*." }\n',
    },
    fish: {
      file: 'config.fish',
      before: 'function fish_prompt; echo -n "ready> "; end\nset fish_greeting\n',
      command: 'fish --no-config -i -C "source $FOLDER/config.fish"',
      after: 'function mxproof; echo "RAN $argv."; end\n',
    },
  };

for (const shell of ['bash', 'zsh', 'fish'] as const)
  test.skipIf(!isThere(shell))(`typed into a real ${shell}, Tab completes`, async () => {
    const { file, before, command, after } = INTERACTIVE[shell];
    const folder = mkdtempSync(join(tmpdir(), 'mxproof-completion-'));
    writeFileSync(join(folder, file), before + scriptFor(shell) + after);
    const env = { PATH: process.env.PATH, TERM: 'dumb', HOME: folder, FOLDER: folder, SHELL: '/bin/sh' };
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, cwd: folder });
    let seen = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
    });
    const saw = async (text: string) => {
      while (!seen.includes(text)) await once(terminal.stdout, 'data');
      seen = '';
    };
    try {
      await saw('ready> ');
      terminal.stdin.write('mxproof acco\tcr\t--cre\t5\r');
      await saw('RAN account create --credits 5.');
      terminal.stdin.write('mxproof callback li\t--st\tfa\t\r');
      await saw('RAN callback list --state failed');
      terminal.stdin.write('exit\r');
      await once(terminal, 'exit');
    } finally {
      terminal.kill('SIGKILL');
      // A shell that was cut off still writes its history.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  });

test('every command and every option that is not hidden is in the table, and nothing else', () => {
  const table = new Map(completionTable(COMMANDS).map((place) => [place.path, place]));
  for (const { name, options = [] } of Object.values(COMMANDS).flat()) {
    const words = options.filter(({ isHidden }) => !isHidden).map(({ flags }) => flags.split(' ')[0]);
    expect(table.get(name)!.flags.map(({ word }) => word)).toEqual([...words, '--config', '--help']);
  }
});
