#!/usr/bin/env node
// Starts the command on a Node that runs TypeScript as it is, or says in one sentence what is missing.
// Promise: signals and the exit status pass through; a child whose launcher was killed notices and stops.
// Written for old versions of Node too.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
const stripsTypes = major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);

/** The Node that npm ci put into the project. */
function projectNode() {
  const name = `node-${process.platform}-${process.arch}`;
  for (let folder = here; ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', name, 'bin', 'node');
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return null;
  }
}

function runOn(node) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`MXProof could not start ${node}: ${error.message}.`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

if (stripsTypes) {
  const { main } = await import('../src/main.ts');
  await main(process.argv.slice(2));
} else {
  const node = projectNode();
  if (node) {
    runOn(node);
  } else {
    console.error(
      `MXProof needs Node 22.18 or newer and this is ${process.version}: run "npm ci" with optional dependencies, which brings Node 24 on Linux, or install a newer Node.`,
    );
    process.exit(1);
  }
}
