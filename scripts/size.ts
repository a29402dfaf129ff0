// How much there is to read: syntax nodes of the hand-written sources, by package and room. A count of lines rewards long
// lines; a node is a name, an operator, a call or a statement, however it is laid out.
//   npm run size                  a table
//   npm run size -- --since REV   the same, beside what it was at that commit
// Tests and generated files do not count. The Python client does not count either: nothing installed here parses it.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { TEST } from './import-graph.ts';

const SOURCE = /\.(?:ts|tsx|mjs|js)$/;
/** The first line of each file that a script of ours writes. */
const GENERATED = /^\/\/ Written by scripts\//;
/** Nodes that only hold others together: a file has one, and it is not code. */
const NOT_COUNTED = new Set(['Program']);
const ROOT = 'root';
const LOOSE = '(loose)';
const MAX_GIT_BYTES = 256 * 1024 * 1024;

/** Nodes of one file. */
export function nodesIn(file: string, source: string): number {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return countNodes(program);
}

function countNodes(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0;
  let count = 'type' in part && typeof part.type === 'string' && !NOT_COUNTED.has(part.type) ? 1 : 0;
  for (const child of Object.values(part)) count += countNodes(child);
  return count;
}

/** The room that a file belongs to: its package, and the folder below `src`. Each feature has a room of its own. */
export function roomOf(file: string): { pack: string; room: string } {
  const [pack = ROOT, ...rest] = file.split('/').slice(0, -1);
  const inside = rest[0] === 'src' ? rest.slice(1) : rest;
  return { pack, room: inside.slice(0, inside[0] === 'features' ? 2 : 1).join('/') || LOOSE };
}

/** Counted by package, and by `package/room`. */
export function sizes(files: ReadonlyMap<string, string>): Map<string, number> {
  const counted = new Map<string, number>();
  const add = (name: string, nodes: number) => counted.set(name, (counted.get(name) ?? 0) + nodes);
  for (const [file, source] of files) {
    if (!SOURCE.test(file) || TEST.test(file) || /\.d\.m?ts$/.test(file) || GENERATED.test(source)) continue;
    const { pack, room } = roomOf(file);
    const nodes = nodesIn(file, source);
    add('all', nodes);
    add(pack, nodes);
    add(`${pack}/${room}`, nodes);
  }
  return counted;
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: MAX_GIT_BYTES });
}

function filesNow(): Map<string, string> {
  const names = git('ls-files', '--cached', '--others', '--exclude-standard')
    .split('\n')
    .filter((name) => SOURCE.test(name));
  return new Map(names.map((name) => [name, readFileSync(name, 'utf8')]));
}

function filesAt(revision: string): Map<string, string> {
  const names = git('ls-tree', '-r', '--name-only', revision)
    .split('\n')
    .filter((name) => SOURCE.test(name));
  return new Map(names.map((name) => [name, git('show', `${revision}:${name}`)]));
}

function table(now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number> | null): string {
  const names = [...new Set([...now.keys(), ...(before?.keys() ?? [])])].sort((a, b) =>
    a === 'all' ? 1 : b === 'all' ? -1 : a.localeCompare(b),
  );
  return names
    .map((name) => {
      const nodes = now.get(name) ?? 0;
      const was = before?.get(name) ?? 0;
      const change =
        before === null || nodes === was
          ? ''
          : `${nodes > was ? '+' : '−'}${Math.abs(nodes - was).toLocaleString('en')}`;
      const label = name.includes('/') ? `  ${name}` : name;
      return `${label.padEnd(34)}${nodes.toLocaleString('en').padStart(10)}${change.padStart(10)}`.trimEnd();
    })
    .join('\n');
}

if (import.meta.main) {
  const at = process.argv.indexOf('--since');
  const since = at < 0 ? null : process.argv[at + 1];
  if (since === undefined) throw new Error('--since needs a commit');
  console.log(table(sizes(filesNow()), since === null ? null : sizes(filesAt(since))));
}
