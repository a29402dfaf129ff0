#!/usr/bin/env node
// The command `mxproof`: re-executes itself on the project's Node where this one is too old, then runs cli/src/main.ts.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NO_NODE, projectNode } from './project-node.mjs';

const node = projectNode();
if (node === null) {
  console.error(NO_NODE);
  process.exit(1);
} else if (node === process.execPath) {
  await import('../src/main.ts');
} else {
  // The channel tells the child when this process dies, even by kill -9 (process.on('disconnect') in src/main.ts).
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}
