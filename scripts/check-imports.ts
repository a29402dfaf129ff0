// Holds every import against import-rules.ts, and ARCHITECTURE.md's diagrams against the imports. Run by `npm run check`.
//   node scripts/check-imports.ts --draw      draws the diagrams anew
// Promise: every import of a file is checked against the tables, type imports too, and no cycle passes but one of types
// within a folder.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { arrowFaults, drawInto, roomFaults } from './import-diagrams.ts';
import { type Import, readImports, readSources, type Sources, TEST } from './import-graph.ts';
import { BY_PATH, RULES, WORDS, WORKSPACES } from './import-rules.ts';

/** @returns one line for every import or word that must not be, empty when all is well */
export function importFaults(files: Sources): string[] {
  const { imports, faults } = readImports(files);
  for (const [file, source] of files) {
    if (!file.endsWith('.json')) faults.push(...wordFaults(file, source));
    if (WORKSPACES[workspaceOf(file)] === undefined)
      faults.push(`${file} is in a folder that scripts/import-rules.ts has no line for`);
  }
  for (const each of imports) {
    const isTest = TEST.test(each.from);
    const broken = RULES.filter(({ from, never }) => from.test(each.from) && never.test(each.target))
      .filter(({ isFreeInTests }) => !(isTest && isFreeInTests))
      .map(({ name }) => name);
    const border = borderFault(each, files, isTest);
    if (border !== null) broken.push(border);
    for (const name of broken) faults.push(`${each.from} imports ${each.target}: ${name}`);
  }
  const graph = graphOf(files, imports);
  return [...faults, ...cycles(graph), ...cycles(folderGraph(graph))];
}

function wordFaults(file: string, source: string): string[] {
  if (TEST.test(file)) return [];
  return WORDS.filter(({ from, never }) => from.test(file) && never.test(source)).map(
    ({ name, never }) => `${file} says ${never.exec(source)?.[0]}: ${name}`,
  );
}

/** What is wrong about an import that leaves its workspace; null: nothing, or it does not. */
function borderFault({ from, target, name }: Import, files: Sources, isTest: boolean): string | null {
  const [own, other] = [workspaceOf(from), workspaceOf(target)];
  if (own === other || !(name.startsWith('.') || files.has(target))) return null;
  const { may, testsMay, byPath } = WORKSPACES[own] ?? { may: [], testsMay: [] };
  const allowed = isTest ? [...may, ...testsMay] : may;
  const exception = BY_PATH.some((each) => each.from.test(from) && each.to.test(target));
  if (!allowed.some((each) => each === other || name === `@mxproof/${each}`))
    return `${own} may import ${allowed.join(', ') || 'none of ours'}${isTest ? ', in tests too' : ''}`;
  if (isTest || exception || byPath !== undefined || !name.startsWith('.')) return null;
  return 'another workspace is entered by a name that its package.json exports';
}

function workspaceOf(file: string): string {
  return file.split('/')[0]!;
}

/** Of files to files. Types vanish: files of one folder may name each other's. */
function graphOf(files: Sources, imports: readonly Import[]): Map<string, string[]> {
  const graph = new Map<string, string[]>([...files.keys()].map((file) => [file, []]));
  for (const { from, target, isType } of imports)
    if (files.has(target) && !(isType && dirname(target) === dirname(from))) graph.get(from)!.push(target);
  return graph;
}

/**
 * Folders that import each other, apart from tests and a folder's own parent. The console is left out: its folders are
 * screens, which share the shell and the messages.
 */
function folderGraph(graph: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    if (TEST.test(file) || file.startsWith('console/')) continue;
    const from = dirname(file);
    for (const target of targets) {
      const to = dirname(target);
      const isWithin = `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`);
      if (isWithin || folders.get(from)?.includes(to)) continue;
      folders.set(from, [...(folders.get(from) ?? []), to]);
    }
  }
  return folders;
}

function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push(`${[...path.slice(at), file].join(' → ')}: a cycle`);
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const map = join(root, 'ARCHITECTURE.md');
  const sources = readSources(root);
  const { imports } = readImports(sources);
  const faults = [...importFaults(sources), ...roomFaults(sources), ...arrowFaults(sources, imports)];
  const page = readFileSync(map, 'utf8');
  const drawn = drawInto(page, sources, imports);
  if (process.argv.includes('--draw')) writeFileSync(map, drawn);
  else if (drawn !== page)
    faults.push('The diagrams of ARCHITECTURE.md are not of these imports: run "npm run draw".');
  for (const fault of faults) console.error(fault);
  console.log(
    `imports of ${sources.size} files checked: ${faults.length === 0 ? 'no violations' : `${faults.length} violations`}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}
