// Who may import whom (docs: the map of rooms). Run by `npm run check`.
// Promise: every import of a file is held against the table below, type imports too, and no cycle passes but
// one of types within a folder.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

interface Rule {
  readonly name: string;
  /** Files the rule is about. */
  readonly from: RegExp;
  /** What they must not import: a file of ours, or a package or `node:` module by name. */
  readonly never: RegExp;
  readonly except?: RegExp;
}

const TEST = /\.test\.ts$|^[a-z]+\/test\/|\.bench\.ts$/;
const TOUCHING =
  /^node:(net|tls|dns|dgram|http|https|fs|child_process|timers|worker_threads|cluster|os)(\/|$)|^pg(-boss)?$|^fastify$/;

const RULES: readonly Rule[] = [
  {
    name: 'common imports none of ours',
    from: /^common\//,
    never: /^(engine|server|client|cli|world|bench|files|fuzz)\//,
  },
  {
    name: 'engine imports of ours only common',
    from: /^engine\//,
    never: /^(server|client|cli|world|bench)\//,
  },
  {
    name: 'client imports none of ours, no package and nothing of Node',
    from: /^client\//,
    never: /^(?!client\/)/,
  },
  {
    name: 'server imports of ours only engine',
    from: /^server\//,
    never: /^(client|cli|world|bench)\//,
  },
  {
    name: 'files runs in browsers: nothing of ours, nothing of Node',
    from: /^files\//,
    never: /^(engine|server|client|cli|world|bench|fuzz)\/|^node:/,
  },
  {
    name: 'the page runs in browsers: of ours only client, files and what the engine says without a network',
    from: /^console\/src\//,
    never: /^(engine\/src\/(?!inspect-address$)|(server|cli|world|bench|fuzz)\/)|^node:/,
  },
  { name: 'nobody imports cli', from: /^(?!cli\/)/, never: /^cli\/(?!bin\/project-node\.mjs$|test\/)/ },
  {
    name: 'world imports none of ours but the engine',
    from: /^world\//,
    never: /^(server|client|cli|bench)\//,
  },
  { name: 'nobody imports console', from: /^(?!console\/)/, never: /^console\// },
  { name: 'nobody imports bench', from: /^(?!bench\/)/, never: /^bench\// },
  { name: 'nobody imports fuzz', from: /^(?!fuzz\/)/, never: /^fuzz\// },
  { name: 'only cli imports world', from: /^(engine|server)\//, never: /^world\// },
  {
    name: 'what decides does not touch',
    // public-address.ts has node:net read addresses, and nothing else of it.
    from: /^engine\/src\/(address|domain|verdict|pace|policy)\/|^server\/src\/rules\/|^common\/src\/(?!public-address\.ts$)/,
    never: TOUCHING,
  },
  {
    name: 'what decides does not reach what touches',
    from: /^engine\/src\/(address|domain|verdict|pace|policy)\//,
    never: /^engine\/src\/(dns|smtp|checker)/,
  },
  { name: 'rules know no other room', from: /^server\/src\/rules\//, never: /^server\/src\/(?!rules\/)/ },
  {
    name: 'the store knows neither flow nor who calls it',
    from: /^server\/src\/store\//,
    never: /^server\/src\/(flow|http|worker|callback)\//,
  },
  {
    name: 'flow imports neither worker nor http',
    from: /^server\/src\/flow\//,
    never: /^server\/src\/(worker|http)\//,
  },
  {
    name: 'SQL stays in the store',
    from: /^server\/src\/(?!store\/|worker\/listener\.ts$)|^cli\//,
    never: /^pg$/,
  },
  {
    name: 'getaddrinfo has four threads for everybody: only what is looked up once, at the start, may take them',
    from: /^server\/src\/(?!checker\.ts$)/,
    never: /^node:dns(\/|$)/,
  },
  {
    name: 'smtp goes one way: dispatch, knowledge, hosts, session, wire',
    from: /^engine\/src\/smtp\/wire\//,
    never: /^engine\/src\/smtp\/(session|hosts|knowledge|dispatch)\//,
  },
  {
    name: 'smtp goes one way: dispatch, knowledge, hosts, session, wire',
    from: /^engine\/src\/smtp\/session\//,
    never: /^engine\/src\/smtp\/(hosts|knowledge|dispatch)\//,
  },
  {
    name: 'smtp goes one way: dispatch, knowledge, hosts, session, wire',
    from: /^engine\/src\/smtp\/hosts\//,
    never: /^engine\/src\/smtp\/(knowledge|dispatch)\//,
  },
  {
    name: 'smtp goes one way: dispatch, knowledge, hosts, session, wire',
    from: /^engine\/src\/smtp\/knowledge\//,
    never: /^engine\/src\/smtp\/dispatch\//,
  },
  {
    name: 'another workspace is entered by its front door',
    from: /^(?!engine\/|bench\/|fuzz\/)/,
    never: /^engine\/src\/(?!(index|types|ports)\.ts$|inspect-address$|details$)/,
  },
  {
    name: 'another workspace is entered by its front door',
    from: /^(?!client\/)/,
    never: /^client\/src\/(?!index\.ts$)/,
  },
];

/** Tests may use the world and reach into the room they test; they still never import a room above theirs. */
const FREE_IN_TESTS = new Set([
  'server imports of ours only engine',
  'engine imports of ours only common',
  'client imports none of ours, no package and nothing of Node',
  'only cli imports world',
  'SQL stays in the store',
  'what decides does not touch',
  'another workspace is entered by its front door',
  'smtp goes one way: dispatch, knowledge, hosts, session, wire',
  'files runs in browsers: nothing of ours, nothing of Node',
]);

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

export type Sources = ReadonlyMap<string, string>;

/** Statements are sent with these, and by nothing else; the environment is read by this. */
const WORDS: readonly { readonly name: string; readonly from: RegExp; readonly never: RegExp }[] = [
  {
    name: 'SQL stays in the store',
    from: /^server\/src\/(?!store\/)|^cli\/src\//,
    never: /\.(?:query|prepared|raw)(?:<[^>]*>)?\(/,
  },
  {
    name: 'the environment is read by config.ts, and by the commands that hand it on',
    // The samples are programs of the reader's own.
    from: /^(?:engine|server)\/src\/(?!store\/embedded\/|config\.ts$|http\/docs\/code-samples\.ts$)/,
    never: /process\.env\b/,
  },
  {
    name: 'files runs in browsers: nothing of ours, nothing of Node',
    from: /^files\/src\//,
    never: /\b(?:Buffer|process|setImmediate|__dirname|require)\b[.(]/,
  },
];

/** @returns one line for every import or word that must not be, empty when all is well */
export function importFaults(files: Sources): string[] {
  const graph = new Map<string, string[]>();
  const faults: string[] = [];
  for (const [file, source] of files) {
    for (const rule of WORDS)
      if (rule.from.test(file) && !TEST.test(file) && rule.never.test(source))
        faults.push(`${file} says ${rule.never.exec(source)?.[0]}: ${rule.name}`);
    const matches = [...source.matchAll(IMPORT)];
    const targets = matches.map((match) => targetOf(file, match[1] ?? match[2]!, files));
    // Types vanish: files of one folder may name each other's.
    graph.set(
      file,
      targets.filter(
        (target, at) => files.has(target) && !(isOfTypes(matches[at]) && dirname(target) === dirname(file)),
      ),
    );
    for (const target of targets) {
      for (const rule of RULES) {
        if (!rule.from.test(file) || !rule.never.test(target) || rule.except?.test(target)) continue;
        if (TEST.test(file) && FREE_IN_TESTS.has(rule.name)) continue;
        faults.push(`${file} imports ${target}: ${rule.name}`);
      }
    }
  }
  return [...faults, ...cycles(graph), ...cycles(folderGraph(graph))];
}

function isOfTypes(match: RegExpMatchArray | undefined): boolean {
  return /^\s*(?:import|export)\s+type\s/.test(match?.[0] ?? '');
}

function targetOf(file: string, name: string, files: Sources): string {
  if (name.startsWith('.')) return normalize(join(dirname(file), name));
  const ours = /^@mxproof\/([a-z]+)(?:\/(.+))?$/.exec(name);
  if (!ours) return name;
  const path = `${ours[1]}/src/${ours[2] ?? 'index.ts'}`;
  return [path, `${path}.ts`].find((each) => files.has(each)) ?? `${ours[1]}/src/${ours[2] ?? ''}`;
}

/**
 * Folders that import each other, tests and a folder's own parent aside; the page's too, whose folders are what is shown
 * together and share words and frame.
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

function readSources(root: string): Sources {
  const pattern =
    '{common,engine,server,client,cli,world,bench,fuzz,files,console,scripts}/**/*.{ts,tsx,mjs}';
  const paths = globSync(pattern, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(String(path)),
  });
  return new Map(
    paths.sort().map((path) => [relative(root, join(root, path)), readFileSync(join(root, path), 'utf8')]),
  );
}

if (import.meta.main) {
  const sources = readSources(join(import.meta.dirname, '..'));
  const faults = importFaults(sources);
  for (const fault of faults) console.error(fault);
  console.log(
    `imports of ${sources.size} files: ${faults.length === 0 ? 'as they may be' : `${faults.length} must not be`}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}
