// Runs a command of node_modules/.bin on the project's Node: `node scripts/with-node.mjs vitest run`.
// Scripts of package.json go through it, since the machine's own Node may be older than the tools ask for.
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_NODE, projectNode } from '../cli/bin/project-node.mjs';

const node = projectNode();
if (node === null) {
  console.error(NO_NODE);
  process.exit(1);
}
const [command, ...rest] = process.argv.slice(2);
const bin = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', '.bin');
const path = [dirname(node), bin, process.env.PATH].join(delimiter);
const child = spawn(command === 'node' ? node : command, rest, {
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`Cannot run ${command}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 143));
});
