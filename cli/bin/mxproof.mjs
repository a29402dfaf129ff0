#!/usr/bin/env node
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
  const args = [...NODE_FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const env = { ...NODE_ENVIRONMENT, ...process.env };
  // The channel carries nothing: it closes when this process dies, however it dies.
  const child = spawn(node, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => child.kill(signal));
  }
  // npm was killed: whoever did that meant the service.
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

const node = projectNode();
if (node === process.execPath) {
  // A third less to do at each start. Beside the code, where only who may change the code may write.
  module.enableCompileCache?.(fileURLToPath(new URL('../../node_modules/.cache/mxproof', import.meta.url)));
  const { main } = await import('../src/main.ts');
  await main(process.argv.slice(2));
} else if (node === null) {
  console.error(NO_NODE);
  process.exit(1);
} else {
  runOn(node);
}
