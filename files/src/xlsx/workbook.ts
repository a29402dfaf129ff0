// The parts of a workbook: which sheets it has, where they are, and the texts that they share. Promise: each part is read
// once, and what refers to another finds it by its name.

import { FileError } from '../file-error.ts';
import { refusalOf } from '../foreign-file.ts';
import { MAX_ROWS } from '../table.ts';
import { attributeOf, decodeXml, XmlScanner } from './xml-scanner.ts';
import type { Zip } from './zip.ts';
import { zipKind } from './zip-kind.ts';

const MAX_SMALL_PART_BYTES = 4 * 1_024 * 1_024;
const MAX_SHARED_BYTES = 256 * 1_024 * 1_024;
/** What is kept of them: eight different texts for every row of a full sheet, of sixteen characters on average. */
const MAX_SHARED: SharedLimits = { texts: 8 * MAX_ROWS, characters: 128 * MAX_ROWS };
const MAX_SHEETS = 1_000;
export const CONTENT_TYPES = '[Content_Types].xml';

interface SharedLimits {
  readonly texts: number;
  readonly characters: number;
}

export interface Sheet {
  readonly name: string;
  readonly path: string;
}

export interface Workbook {
  /** In their order, hidden ones last. */
  readonly sheets: readonly Sheet[];
  readonly sharedPath: string | null;
  readonly stylesPath: string | null;
  /** Days are counted from 1904, as on the first Macs. */
  readonly isFrom1904: boolean;
  readonly calculationPath: string | null;
  readonly relationsPath: string;
}

interface Relation {
  readonly type: string;
  readonly path: string;
}

export async function readWorkbook(zip: Zip): Promise<Workbook> {
  const main = zip.has('_rels/.rels') ? await readRelations(zip, '') : new Map<string, Relation>();
  const path = pathOf(main, 'officeDocument');
  if (path === null || !path.endsWith('.xml') || !zip.has(path) || /^(?:word|ppt)\//.test(path))
    throw refusalOf(await zipKind(zip, path));
  const relations = await readRelations(zip, path);
  const shown: Sheet[] = [];
  const hidden: Sheet[] = [];
  const paths = new Set<string>();
  let isFrom1904 = false;
  await scan(zip, path, MAX_SMALL_PART_BYTES, {
    onTag(name, raw) {
      if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributeOf(raw, 'date1904') ?? '');
      if (name !== 'sheet' || raw[1] === '/') return;
      const relation = relations.get(attributeOf(raw, '\\w+:id') ?? '');
      // A sheet has a part of its own.
      if (relation?.type !== 'worksheet' || paths.has(relation.path)) return;
      if (paths.size === MAX_SHEETS)
        throw new FileError(
          'too_large',
          `The workbook has more than ${MAX_SHEETS.toLocaleString('en')} sheets: save the one with the addresses as CSV.`,
        );
      paths.add(relation.path);
      const sheets = (attributeOf(raw, 'state') ?? 'visible') === 'visible' ? shown : hidden;
      sheets.push({ name: attributeOf(raw, 'name') ?? '', path: relation.path });
    },
  });
  if (paths.size === 0) throw refusalOf(await zipKind(zip, path));
  return {
    sheets: [...shown, ...hidden],
    sharedPath: pathOf(relations, 'sharedStrings'),
    stylesPath: pathOf(relations, 'styles'),
    isFrom1904,
    calculationPath: pathOf(relations, 'calcChain'),
    relationsPath: relationsOf(path),
  };
}

function pathOf(relations: ReadonlyMap<string, Relation>, wanted: string): string | null {
  for (const { type, path } of relations.values()) if (type === wanted) return path;
  return null;
}

/** `xl/workbook.xml` → `xl/_rels/workbook.xml.rels` */
export function relationsOf(path: string): string {
  const folder = folderOf(path);
  return `${folder}_rels/${path.slice(folder.length)}.rels`;
}

/** With its slash at the end; empty without one. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Trimmed, as those of cells are: many cells may share a text, and what is asked of each must not depend on its length. */
export async function readShared(
  zip: Zip,
  path: string | null,
  max: SharedLimits = MAX_SHARED,
): Promise<readonly string[]> {
  const strings: string[] = [];
  let characters = 0;
  if (path === null || !zip.has(path)) return strings;
  let text: string | null = null;
  let isTaking = false;
  let isPhonetic = false;
  await scan(zip, path, MAX_SHARED_BYTES, {
    onTag(name, raw) {
      const isClosing = raw[1] === '/';
      const isOpen = !isClosing && !raw.endsWith('/>');
      if (name === 'si') {
        if (!isClosing) text = '';
        if (!isOpen) {
          const kept = (text ?? '').replace(/_x([\dA-Fa-f]{4})_/g, (_, hex) => unescaped(hex)).trim();
          characters += kept.length;
          if (strings.length === max.texts) throw tooMuch(`${max.texts.toLocaleString('en')} texts`);
          if (characters > max.characters)
            throw tooMuch(`${max.characters.toLocaleString('en')} characters of text`);
          strings.push(kept);
        }
      } else if (name === 'rPh') isPhonetic = isOpen;
      else if (name === 't') isTaking = isOpen && !isPhonetic;
    },
    onOther(raw) {
      if (isTaking) text += decodeXml(raw);
    },
  });
  return strings;
}

function tooMuch(what: string): FileError {
  return new FileError(
    'too_large',
    `The sheets share more than ${what}: save the one with the addresses as CSV.`,
  );
}

/** The whole of a small part. */
export async function readText(zip: Zip, path: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of zip.read(path, MAX_SMALL_PART_BYTES))
    text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** By their ids: of two that are the same, the first. */
async function readRelations(zip: Zip, owner: string): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = folderOf(owner);
  await scan(zip, relationsOf(owner), MAX_SMALL_PART_BYTES, {
    onTag(name, raw) {
      if (name !== 'Relationship' || attributeOf(raw, 'TargetMode') === 'External') return;
      const id = attributeOf(raw, 'Id') ?? '';
      if (relations.has(id)) return;
      const target = attributeOf(raw, 'Target') ?? '';
      const type = attributeOf(raw, 'Type') ?? '';
      const path = target.startsWith('/') ? target : folder + target;
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), path: resolved(path) });
    },
  });
  return relations;
}

/** Names of parts, never of files: `..` only shortens them. */
function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Every tag and text of a part. */
export async function scan(
  zip: Zip,
  path: string,
  maxBytes: number,
  handlers: { onTag(name: string, raw: string): void; onOther?(raw: string): void },
): Promise<void> {
  const scanner = new XmlScanner({ onTag: handlers.onTag, onOther: (raw) => handlers.onOther?.(raw) });
  const decoder = new TextDecoder();
  for await (const chunk of zip.read(path, maxBytes)) scanner.push(decoder.decode(chunk, { stream: true }));
  scanner.push(decoder.decode());
  scanner.end();
}

/** A character that XML cannot hold is written as its code. */
function unescaped(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
