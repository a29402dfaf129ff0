// A terminal for scripts that show what people see. Promise: what is typed is run by a shell as it stands there; close() ends what
// was started.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Reached only by something that hangs. */
export const LIMIT_MS = 120_000;

/** A terminal in one folder: what is typed and what is answered, with secrets cut. */
export class Terminal {
  shown = '';
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #children: ChildProcess[] = [];

  constructor(cwd: string, env: NodeJS.ProcessEnv = {}) {
    this.#cwd = cwd;
    this.#env = { ...cleanEnvironment(), ...env };
  }

  /** `command` is run by a shell, as it stands there. */
  async run(command: string): Promise<string> {
    const child = this.#start(command);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${command} ended with status ${code}:\n${this.shown}`);
    return this.shown;
  }

  /** Until it has said so much; it goes on until `close`. */
  async runUntil(command: string, said: RegExp): Promise<RegExpExecArray> {
    const child = this.#start(command);
    this.#children.push(child);
    return this.until(said, child);
  }

  async until(said: RegExp, child = this.#children.at(-1)): Promise<RegExpExecArray> {
    for (const since = Date.now(); Date.now() - since < LIMIT_MS; ) {
      const found = said.exec(this.raw);
      if (found) return found;
      if (child && child.exitCode !== null) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`${said} was not said:\n${this.raw}`);
  }

  raw = '';

  #start(command: string): ChildProcess {
    this.shown += `$ ${command}\n`;
    const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
      cwd: this.#cwd,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
      // So that what the shell has started ends with it.
      detached: true,
    });
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      this.raw += piece;
      this.shown += cut(piece);
    });
    return child;
  }

  async close(): Promise<void> {
    for (const child of this.#children.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const closed = once(child, 'close');
      process.kill(-child.pid!, 'SIGTERM');
      await closed;
    }
  }
}

/** They are a throw-away account's; a page should not teach people to show theirs. */
export function cut(text: string): string {
  return text.replace(/\b(mx_(?:live|test)_|whsec_|\/sign-in\/)([\w+/=-]{4})[\w+/=-]{8,}/g, '$1$2…');
}

/** As in a new terminal: nothing of npm that runs this script. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_registry)|NODE$|INIT_CWD|MXPROOF_|PORT$)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    // As a terminal would have it.
    LOG_FORMAT: 'pretty',
    MXPROOF_SHOW_FIRST_KEY: '1',
    PATH: process.env
      .PATH!.split(':')
      .filter((at) => !at.includes('node_modules'))
      .join(':'),
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
