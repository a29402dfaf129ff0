// Holds every regular expression of the sources to linear time. Run by `npm run check`.
// Promise: one that could take more than linear time, or of which this cannot be shown, is a fault, unless it is listed with
// its reason in linear-regexps.ts. A pattern that is put together at run time is not seen: those of the reply tables are
// measured by engine/test/linear-looks.test.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { readSources, type Sources, TEST } from './import-graph.ts';
import { LISTED } from './linear-regexps.ts';

// The one without a process of its own: the others are no faster.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

/** What is not shown by then has too many states; the slowest that is takes a tenth of it. */
const LIMIT_MS = 30_000;
const CHECKED = /^(?!bench|fuzz|scripts)[^/]+\/(?:src|bin)\//;

/** By how they are written: the first file that has each. */
export function regexpsIn(files: Sources): Map<string, string> {
  const found = new Map<string, string>();
  for (const [file, source] of files) {
    if (!CHECKED.test(file) || TEST.test(file)) continue;
    const visitor = new Visitor({
      Literal(node) {
        if (!('regex' in node)) return;
        const written = `/${node.regex.pattern}/${node.regex.flags}`;
        if (!found.has(written)) found.set(written, file);
      },
    });
    visitor.visit(parseSync(file, source).program);
  }
  return found;
}

/** Null: it takes linear time. */
export function whyNotLinear(written: string): string | null {
  const end = written.lastIndexOf('/');
  const found = checkSync(written.slice(1, end), written.slice(end + 1), {
    checker: 'automaton',
    timeout: LIMIT_MS,
  });
  if (found.status === 'safe') return null;
  if (found.status === 'unknown') return `cannot be shown to be linear (${found.error.kind})`;
  return `takes more than linear time: ${found.complexity.summary}, by ${found.attack.pattern}`;
}

/** `known`: shown to be linear before. */
export function regexpFaults(
  files: Sources,
  listed: ReadonlySet<string>,
  known: Set<string>,
): readonly string[] {
  const regexps = regexpsIn(files);
  const faults: string[] = [];
  for (const [written, file] of regexps) {
    if (listed.has(written) || known.has(written)) continue;
    const why = whyNotLinear(written);
    if (why === null) known.add(written);
    else faults.push(`${file}: ${written} ${why}`);
  }
  for (const written of listed)
    if (!regexps.has(written)) faults.push(`linear-regexps.ts lists ${written}, which no source has`);
  return faults;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const listed = new Set(LISTED.flatMap(({ regexps }) => regexps.map(String)));
  // By the checker's version.
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/recheck/package.json'), 'utf8')) as {
    version: string;
  };
  const kept = join(root, `node_modules/.cache/mxproof/regexps-${version}.json`);
  const known = new Set(readKept(kept));
  const faults = regexpFaults(readSources(root), listed, known);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify([...known]));
  for (const fault of faults) console.error(fault);
  console.log(`${known.size + listed.size} regular expressions checked: ${faults.length || 'no'} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function readKept(path: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as string[];
  } catch {
    // The first time, or it was cut short: they are checked again.
    return [];
  }
}
