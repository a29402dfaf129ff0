// Starts the command on a Node that runs TypeScript as it is, or says in one sentence what is missing.
// Promise: signals and the exit status pass through; a child whose launcher was killed notices and stops.
// Written for old versions of Node too.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { NO_NODE, NODE_ENVIRONMENT, NODE_FLAGS, projectNode } from './project-node.mjs';

const PARENT_POLL_MS = 500;

function runOn(node) {
  const args = [
    ...NODE_FLAGS,
    fileURLToPath(new URL('./mxproof.mjs', import.meta.url)),
    ...process.argv.slice(2),
  ];
  const env = { ...NODE_ENVIRONMENT, ...process.env };
  // The channel carries nothing: it closes when this process dies, however it dies.
  const child = spawn(node, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => child.kill(signal));
  }
  // npm was killed instead of the service it runs: stop the service.
  const parent = process.ppid;
  setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) child.kill('SIGTERM');
  }, PARENT_POLL_MS).unref();
  child.on('error', (error) => {
    console.error(`MXProof could not start ${node}: ${error.message}.`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** Commands that run for days. Others end before any of it would matter. */
const SERVICES = ['serve', 'work'];

/** In place of this process, under the same id; only where Node can do that (22.15, 23.11). */
function restartWithFlags() {
  const words = process.argv.slice(2);
  const isWord = (word, at) => !word.startsWith('-') && words[at - 1] !== '--config';
  const isService = SERVICES.includes(words.find(isWord));
  const hasFlags = NODE_FLAGS.every((flag) => process.execArgv.includes(flag));
  // A channel to a parent would not survive it, and Node would not start with a broken one.
  const isPossible = typeof process.execve === 'function' && process.channel === undefined;
  if (!isService || hasFlags || !isPossible) return;
  const args = [process.execPath, ...NODE_FLAGS, ...process.execArgv, ...process.argv.slice(1)];
  // Hides Node's warning that execve is experimental.
  process.removeAllListeners('warning');
  process.execve(process.execPath, args, { ...NODE_ENVIRONMENT, ...process.env });
}

const node = projectNode();
if (node === process.execPath) {
  restartWithFlags();
  // The compile cache shortens every start. It lies beside the code, where only those who may change the code may write.
  const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
  module.enableCompileCache?.(cache);
  // For threads, which the call does not reach (ADR 0023).
  process.env.NODE_COMPILE_CACHE ??= cache;
  const { main } = await import('../src/main.ts');
  await main(process.argv.slice(2));
} else if (node === null) {
  console.error(NO_NODE);
  process.exit(1);
} else {
  runOn(node);
}
