// The parts of a workbook: which sheets it has, where they are, and the texts that they share.

import { FileError } from '../file-error.ts';
import { attributeOf, decodeXml, XmlScanner } from './xml-scanner.ts';
import type { Zip } from './zip.ts';

const MAX_SMALL_PART_BYTES = 4 * 1_024 * 1_024;
const MAX_SHARED_BYTES = 256 * 1_024 * 1_024;
export const CONTENT_TYPES = '[Content_Types].xml';

export interface Sheet {
  readonly name: string;
  readonly path: string;
}

export interface Workbook {
  /** In their order, hidden ones last. */
  readonly sheets: readonly Sheet[];
  readonly sharedPath: string | null;
  readonly calculationPath: string | null;
  readonly relationsPath: string;
}

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

export async function readWorkbook(zip: Zip): Promise<Workbook> {
  const main = zip.has('_rels/.rels') ? await readRelations(zip, '') : [];
  const path = main.find(({ type }) => type === 'officeDocument')?.path;
  if (path === undefined || !path.endsWith('.xml') || !zip.has(path))
    throw new FileError('unsupported', 'This is not an .xlsx workbook: save it as .xlsx or CSV.');
  const relations = await readRelations(zip, path);
  const shown: Sheet[] = [];
  const hidden: Sheet[] = [];
  await scan(zip, path, MAX_SMALL_PART_BYTES, {
    onTag(name, raw) {
      if (name !== 'sheet' || raw[1] === '/') return;
      const relation = relations.find(({ id }) => id === attributeOf(raw, '\\w+:id'));
      if (relation?.type !== 'worksheet') return;
      const sheets = (attributeOf(raw, 'state') ?? 'visible') === 'visible' ? shown : hidden;
      sheets.push({ name: attributeOf(raw, 'name') ?? '', path: relation.path });
    },
  });
  const pathOf = (type: string) => relations.find((each) => each.type === type)?.path ?? null;
  return {
    sheets: [...shown, ...hidden],
    sharedPath: pathOf('sharedStrings'),
    calculationPath: pathOf('calcChain'),
    relationsPath: relationsOf(path),
  };
}

/** `xl/workbook.xml` → `xl/_rels/workbook.xml.rels` */
export function relationsOf(path: string): string {
  return path.replace(/[^/]*$/, (name) => `_rels/${name}.rels`);
}

export async function readShared(zip: Zip, path: string | null): Promise<readonly string[]> {
  const strings: string[] = [];
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
        if (!isOpen) strings.push((text ?? '').replace(/_x([\dA-Fa-f]{4})_/g, (_, hex) => unescaped(hex)));
      } else if (name === 'rPh') isPhonetic = isOpen;
      else if (name === 't') isTaking = isOpen && !isPhonetic;
    },
    onOther(raw) {
      if (isTaking) text += decodeXml(raw);
    },
  });
  return strings;
}

/** The whole of a small part. */
export async function readText(zip: Zip, path: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of zip.read(path, MAX_SMALL_PART_BYTES))
    text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function readRelations(zip: Zip, owner: string): Promise<readonly Relation[]> {
  const relations: Relation[] = [];
  await scan(zip, relationsOf(owner), MAX_SMALL_PART_BYTES, {
    onTag(name, raw) {
      if (name !== 'Relationship' || attributeOf(raw, 'TargetMode') === 'External') return;
      const target = attributeOf(raw, 'Target') ?? '';
      const folder = target.startsWith('/') ? '' : owner.replace(/[^/]*$/, '');
      const type = (attributeOf(raw, 'Type') ?? '').replace(/^.*\//, '');
      relations.push({ id: attributeOf(raw, 'Id') ?? '', type, path: resolved(folder + target) });
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

async function scan(
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
