// Starting and ending a real mail server, as root. Promise: stop() ends the process it started and nothing else.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { libraryPath, type MailServer, type MailServerOptions } from './mail-server.ts';

const START_MS = 15_000;
const STOP_MS = 5_000;
const TRY_EVERY_MS = 50;
const LOG_MAX_CHARS = 16_384;

/** What makes a command root's: mail servers change users, so they start as root, by sudo, or (null) not at all. */
const AS_ROOT: readonly string[] | null =
  process.getuid?.() === 0
    ? []
    : spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
      ? ['sudo', '-n']
      : null;
export const canBeRoot = AS_ROOT !== null;

interface Launch {
  readonly make: string;
  /** Root's, with all that is in it, before the script runs. */
  readonly folder: string;
  /** Commands of root's shell, in the folder; the last of them is the server, in the foreground. */
  readonly script: readonly string[];
  /** Namespaces of its own, as options of unshare(1). */
  readonly namespaces?: readonly string[];
  /** In the folder, for a make that does not log to its standard error. */
  readonly logFile?: string;
}

export async function start(launch: Launch, options: MailServerOptions): Promise<MailServer> {
  const child = spawnAsRoot(launch);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (said = `${said}${chunk}`.slice(-LOG_MAX_CHARS)));
  const log = () => (launch.logFile === undefined ? said : `${said}${tail(launch.folder, launch.logFile)}`);
  const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const server: MailServer = {
    make: launch.make,
    address: options.address,
    port: options.port,
    log,
    async stop() {
      signal(launch.folder, 'kill -TERM "$(cat pid)"');
      // The whole group: a server that was just starting a helper leaves it behind when it ends.
      const killGroup = () => signal(launch.folder, 'kill -KILL -- "-$(cat pid)"');
      const kill = setTimeout(killGroup, STOP_MS);
      await gone;
      clearTimeout(kill);
      killGroup();
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      runAsRoot(['rm', '-rf', launch.folder]);
    },
  };
  const untilMs = performance.now() + START_MS;
  while (!(await answers(options))) {
    if (isRunning(child) && performance.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
      continue;
    }
    const why = log();
    await server.stop();
    throw new Error(`${launch.make} did not start:\n${why}`);
  }
  return server;
}

/** A session of its own, led by the shell that becomes the server, whose id is in the file `pid`. */
function spawnAsRoot({ make, folder, script, namespaces }: Launch): ChildProcess {
  const lines = [`cd '${folder}'`, 'chown -R root .', 'echo $$ >pid', ...script];
  const [program = '', ...args] = [
    ...(AS_ROOT ?? []),
    // sudo gives its command none of our environment.
    ...['env', ...Object.entries(libraryPath(make)).map(([name, value]) => `${name}=${value}`)],
    ...['setsid', '--wait'],
    ...(namespaces === undefined ? [] : ['unshare', ...namespaces, '--propagation', 'private']),
    ...['sh', '-c', lines.join(' && ')],
  ];
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

function runAsRoot(command: readonly string[]): string {
  const [program = '', ...args] = [...(AS_ROOT ?? []), ...command];
  return spawnSync(program, args, { encoding: 'utf8' }).stdout;
}

/** Fails if no process of the group is left, which is fine. */
function signal(folder: string, command: string): void {
  runAsRoot(['sh', '-c', `cd '${folder}' && ${command}`]);
}

/** Only root may read some makes' logs. */
function tail(folder: string, file: string): string {
  return runAsRoot(['tail', '-c', String(LOG_MAX_CHARS), join(folder, file)]);
}

function answers(options: MailServerOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: options.address, port: options.port, timeout: 5_000 });
    const end = (ok: boolean) => {
      socket.destroy();
      resolve(ok);
    };
    socket.on('data', () => end(true));
    for (const event of ['error', 'timeout', 'close']) socket.on(event, () => end(false));
  });
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
