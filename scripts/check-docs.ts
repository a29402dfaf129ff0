// Holds the decision records against their index, every relative link in the documents against the files and headings it
// leads to, every source file they name against the repository, pages of the guide against the length that a task may have, and
// the changelog against its form. Run by `npm run check`.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Markdown by path from the root. */
type Pages = ReadonlyMap<string, string>;

const INDEX = 'docs/adr/README.md';
const RECORD = /^docs\/adr\/(\d{4})-[a-z0-9-]+\.md$/;

/** @returns one line for every record that its index does not show as it is, and every number that is unaccounted for */
export function recordFaults(pages: Pages): string[] {
  const faults: string[] = [];
  const rows = new Map<string, string>();
  for (const line of (pages.get(INDEX) ?? '').split('\n')) {
    const number = /^\| \[?(\d{4})\b/.exec(line)?.[1];
    if (number === undefined) continue;
    if (rows.has(number)) faults.push(`${INDEX}: ${number} has two rows`);
    rows.set(number, line);
  }
  const records = new Set<string>();
  for (const [path, text] of pages) {
    const number = RECORD.exec(path)?.[1];
    if (number === undefined) continue;
    if (records.has(number)) faults.push(`${path}: another record has the number ${number}`);
    records.add(number);
    const [title, status] = headOf(number, text);
    const [link, named, , standing] = cellsOf(rows.get(number) ?? '');
    if (title === undefined || status === undefined)
      faults.push(`${path} must begin with "# ${number} Title" and a line "Status: …"`);
    else if (
      link !== `[${number}](${path.slice('docs/adr/'.length)})` ||
      named !== title ||
      standing !== status
    )
      faults.push(`${INDEX}: ${number} needs a row with the title "${title}" and the status "${status}"`);
  }
  for (const [number, row] of rows)
    if (!records.has(number) && !row.endsWith('| not used |'))
      faults.push(`${INDEX}: ${number} has a row and no record: say "not used" in it`);
  const newest = Math.max(0, ...[...records].map(Number));
  for (let at = 1; at <= newest; at += 1) {
    const number = `${at}`.padStart(4, '0');
    if (!rows.has(number) && !records.has(number))
      faults.push(`${INDEX}: ${number} is neither a record nor named as not used`);
  }
  return faults;
}

const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Title and status as the index shows them. */
function headOf(number: string, text: string): [string | undefined, string | undefined] {
  const [head = '', line = ''] = text.split('\n\n');
  const title = head.startsWith(`# ${number} `) ? head.slice(`# ${number} `.length) : undefined;
  const status = line.split('**Where:')[0]!;
  const word = /^Status: (accepted|superseded)\b/.exec(status)?.[1];
  const by = /superseded\b.*/is.exec(status)?.[0].match(/(?<=\[)\d{4}(?=\])/g) ?? [];
  if (by.length === 0) return [title, word];
  return [title, `${word === 'accepted' ? 'accepted; in part ' : ''}superseded by ${by.join(', ')}`];
}

/** Markdown's, and what pictures for two themes need. */
const LINK = /\]\(([^()\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)"/g;

/** @returns one line for every relative link that leads nowhere */
export function linkFaults(pages: Pages, exists: (path: string) => boolean): string[] {
  const faults: string[] = [];
  for (const [path, text] of pages)
    for (const [, markdown, html] of prose(text).matchAll(LINK)) {
      const target = markdown ?? html;
      if (/^[a-z]+:/.test(target!)) continue;
      const [file, heading] = target!.split('#');
      const to = file === '' ? path : normalize(join(dirname(path), file!));
      const page = pages.get(to);
      if (page === undefined ? !exists(to) : heading !== undefined && !headings(page).has(heading))
        faults.push(`${path}: ${target} leads nowhere`);
    }
  return faults;
}

const BLOCK = /^(```|~~~).*?^\1/gms;
/** Without blocks and words of code. */
const prose = (text: string) => text.replace(BLOCK, '').replace(/`[^`\n]+`/g, '');

/** As GitHub names them in links. */
function headings(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, title] of text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)) {
    const plain = title!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-');
    let name = slug;
    for (let again = 1; found.has(name); again += 1) name = `${slug}-${again}`;
    found.add(name);
  }
  return found;
}

const GUIDE_MAX_LINES = 300;
/** References of the API and of its words, in which a reader looks one thing up. */
const LONG_GUIDES = new Set(['docs/guide/api.md', 'docs/guide/verdicts.md']);

/** @returns one line for every page of the guide that is too long to find a task in */
export function lengthFaults(pages: Pages): string[] {
  return [...pages]
    .filter(([path]) => path.startsWith('docs/guide/') && !LONG_GUIDES.has(path))
    .map(([path, text]) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > GUIDE_MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines: split it by task, at most ${GUIDE_MAX_LINES} each`);
}

const NAMES_FILES = /^ARCHITECTURE\.md$|^docs\/(?:adr|guide)\//;
const CODE_WORDS = /`([^`\n]+)`/g;
/** `ask-dns.ts`, `store/{lists,chunks}.ts`, and a folder by its whole path: `engine/src/dns`. */
const SOURCE =
  /(?:[\w./*-]|\{[\w,-]+\})*(?:[\w*-]|\{[\w,-]+\})\.(?:tsx?|mjs|sh|py)(?![\w./])|^[a-z]+\/(?:src|test)(?:\/[\w./*-]*)?$/g;

/** @returns one line for every source file or folder that is named and is not there; what is superseded is history */
export function nameFaults(pages: Pages, files: readonly string[]): string[] {
  const all = `\n${files.join('\n')}\n`;
  const faults: string[] = [];
  for (const [path, text] of pages) {
    if (!NAMES_FILES.test(path) || /^Status: superseded\b/m.test(text)) continue;
    for (const [, words] of text.replace(BLOCK, '').matchAll(CODE_WORDS))
      for (const name of [...words!.matchAll(SOURCE)].flatMap(([found]) => spelledOut(found)))
        if (!patternOf(name).test(all))
          faults.push(`${path}: no file of ours is ${name}: name the one that does this now.`);
  }
  return faults;
}

/** `{a,b}.ts` is two names. */
function spelledOut(name: string): string[] {
  const [whole, choices] = /\{([^}]*)\}/.exec(name) ?? [];
  if (whole === undefined) return [name];
  return choices!.split(',').flatMap((choice) => spelledOut(name.replace(whole, choice)));
}

/** Finds it in lines of paths: a file by the end of its path, a folder by the beginning. */
function patternOf(name: string): RegExp {
  const plain = name.replace(/^\.\/|\/$/g, '');
  const path = plain.replaceAll('.', '\\.').replaceAll('*', '[^/\\n]*');
  return new RegExp(/\.\w+$/.test(name) ? `[\n/]${path}\n` : `\n${path}[/\n]`);
}

const SECTIONS = ['Upgrade notes', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** @returns one line for every heading of the changelog that is not of Keep a Changelog's form, or out of order */
export function changelogFaults(text: string): string[] {
  const faults: string[] = [];
  let versions = 0;
  let section = -1;
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) {
      const form =
        versions === 0
          ? /^## \[(\d+\.\d+\.\d+)\] - (unreleased|\d{4}-\d\d-\d\d)$/
          : /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/;
      const version = form.exec(line)?.[1];
      if (version === undefined) faults.push(`CHANGELOG.md: "${line}" must be "## [1.2.3] - 2026-01-31"`);
      else if (!text.includes(`\n[${version}]: http`))
        faults.push(`CHANGELOG.md: [${version}] has no link at the end`);
      versions += 1;
      section = -1;
    } else if (line.startsWith('### ')) {
      const at = SECTIONS.indexOf(line.slice('### '.length));
      if (at <= section)
        faults.push(`CHANGELOG.md: "${line}" must be one of ${SECTIONS.join(', ')}, in this order`);
      section = at;
    }
  }
  return faults;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const paths = globSync(['*.md', '*/*.md', 'clients/*/*.md', 'docs/**/*.md', '.github/**/*.md'], {
    cwd: root,
    exclude: ['node_modules/**'],
  });
  const pages = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const files = globSync('**', { cwd: root, exclude: ['**/node_modules', '.git'] });
  const faults = [
    ...recordFaults(pages),
    ...linkFaults(pages, (path) => existsSync(join(root, path))),
    ...nameFaults(pages, files),
    ...lengthFaults(pages),
    ...changelogFaults(pages.get('CHANGELOG.md')!),
  ];
  for (const fault of faults) console.error(fault);
  console.log(
    `${pages.size} documents checked: ${faults.length === 0 ? 'no faults' : `${faults.length} faults`}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}
