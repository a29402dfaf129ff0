// What imports what, read from the sources by a parser. Promise: every way to name another module is seen (static, type,
// side-effect and dynamic imports, `export … from`, `import x = require`, `import.meta.resolve`); what cannot be read
// from the source is a fault.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** By path from the root: the sources, and the package.json of each workspace. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  readonly from: string;
  /** A file of ours, or a package or `node:` module by name. */
  readonly target: string;
  /** As it is written. */
  readonly name: string;
  readonly isType: boolean;
}

/** Imports whose target is known only at run time, each with its reason. */
const FOUND_AT_RUN_TIME: Readonly<Record<string, string>> = {
  'world/src/world-child.ts': 'a child process is told the module of its world',
};

export const TEST = /\.test\.ts$|^[a-z]+\/test\/|\.bench\.ts$/;

/** What names a module elsewhere than in a statement of its own; without it there is no need to walk the tree. */
const RARE = /\bimport\s*[(/]|\brequire\b|\bresolve\b|\bexport\s*\{\s*\}/;

export function readImports(files: Sources): { imports: Import[]; faults: string[] } {
  const imports: Import[] = [];
  const faults: string[] = [];
  const doors = readDoors(files);
  for (const [from, source] of files) {
    if (from.endsWith('.json')) continue;
    const { names, unreadable } = namesIn(from, source);
    for (const { name, isType } of names) {
      const target = targetOf(from, name, doors);
      if (target === null) faults.push(`${from} imports ${name}, which no package.json exports`);
      else imports.push({ from, target, name, isType });
    }
    if (TEST.test(from) || FOUND_AT_RUN_TIME[from] !== undefined) continue;
    for (const text of unreadable)
      faults.push(`${from} says ${text}: what is imported must be one string without a variable`);
  }
  return { imports, faults };
}

interface Name {
  readonly name: string;
  readonly isType: boolean;
}

function namesIn(file: string, source: string): { names: Name[]; unreadable: string[] } {
  const parsed = parseSync(file, source);
  if (parsed.errors.length > 0) throw new Error(`${file}: ${parsed.errors[0]?.message}`);
  const { staticImports, staticExports } = parsed.module;
  // `import { type X }` still runs the module; `import type` and `export type` do not.
  const isType = (start: number) =>
    /^(?:import|export)\s+type\b(?!\s*(?:,|from\b))/.test(source.slice(start));
  const names = staticImports.map(({ start, moduleRequest }) => ({
    name: moduleRequest.value,
    isType: isType(start),
  }));
  for (const { start, entries } of staticExports) {
    const [first] = entries;
    if (first?.moduleRequest) names.push({ name: first.moduleRequest.value, isType: isType(start) });
  }
  const unreadable: string[] = [];
  if (RARE.test(source)) {
    const add = (node: { start: number; end: number }, isType = false) => {
      const text = source.slice(node.start, node.end);
      const literal = /^(['"`])((?:(?!\1|\$\{|\\).)*)\1$/s.exec(text);
      if (literal) names.push({ name: literal[2]!, isType });
      else unreadable.push(text);
    };
    new Visitor({
      // Without a name it is no entry of an export.
      ExportNamedDeclaration: ({ specifiers, source: from }) => {
        if (from && specifiers.length === 0) add(from);
      },
      ImportExpression: (node) => add(node.source),
      TSImportType: (node) => add(node.source, true),
      TSImportEqualsDeclaration: ({ moduleReference }) => {
        if (moduleReference.type === 'TSExternalModuleReference') add(moduleReference.expression);
      },
      CallExpression: ({ callee, arguments: [argument] }) => {
        const name = source.slice(callee.start, callee.end).replace(/\s/g, '');
        if (argument && /^(require|import\.meta\.resolve)$/.test(name)) add(argument);
      },
    }).visit(parsed.program);
  }
  return { names, unreadable };
}

/** From `@mxproof/files/addresses` to `files/src/addresses.ts`, as package.json has it; null: not exported. */
function readDoors(files: Sources): ReadonlyMap<string, string | null> {
  const doors = new Map<string, string | null>();
  for (const [path, text] of files) {
    if (!/^[a-z]+\/package\.json$/.test(path)) continue;
    const { name, exports = {} } = JSON.parse(text) as { name: string; exports?: Record<string, string> };
    doors.set(name, null);
    for (const [entry, file] of Object.entries(exports))
      doors.set(join(name, entry), join(dirname(path), file));
  }
  return doors;
}

function targetOf(from: string, name: string, doors: ReadonlyMap<string, string | null>): string | null {
  if (name.startsWith('.')) return normalize(join(dirname(from), name));
  const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  return doors.get(name) ?? (doors.has(packageName) ? null : name);
}

export function readSources(root: string): Sources {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const pattern = `{${[...workspaces, 'scripts'].join()}}/{package.json,**/*.{ts,tsx,mts,cts,js,mjs,cjs}}`;
  const exclude = (path: unknown) => /(^|\/)(node_modules|dist)$/.test(String(path));
  const paths = globSync(pattern, { cwd: root, exclude }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
