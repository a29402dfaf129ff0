// Finds a Node that runs TypeScript as it is (22.18 or newer): this one, else the one the project brings by npm.
// Looked up by its package, not in node_modules/.bin: npm 10 drops that link when it skips the other platform's package.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const OLDEST_NODE = '22.18';
const OLDEST = OLDEST_NODE.split('.').map(Number);

/** The path of a suitable Node, or null where there is none. */
export function projectNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  // 23 learnt it with 23.6.
  const isSuitable =
    major > 23 || (major === 23 && minor >= 6) || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (isSuitable) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name, 'bin', 'node');
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return null;
  }
}

/**
 * How the launcher starts Node: a bounded young generation, which one thread collects with less work than several, and few
 * malloc arenas. What each saves and costs: ADR 0023.
 */
export const NODE_FLAGS = ['--max-semi-space-size=16', '--no-parallel-scavenge'];
export const NODE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

/** Only a checkout brings a Node of its own. */
const orElse = existsSync(join(dirname(fileURLToPath(import.meta.url)), '../src'))
  ? ', or run npm ci with optional packages enabled'
  : '';
export const NO_NODE = `MXProof needs Node ${OLDEST_NODE} or newer and this is ${process.versions.node}: install a newer Node${orElse}.`;
