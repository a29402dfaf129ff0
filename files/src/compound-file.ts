// The container of Office files before 2007, and of later ones with a password: a file system in a file. Only its
// directory is read, to tell what it holds. Promise: every chain ends after a named number of sectors, and every entry is
// visited once, wherever the numbers in it lead; a directory that cannot be read is one sentence.

import { FileError } from './file-error.ts';
import type { ForeignFile } from './foreign-file.ts';

export const COMPOUND = '\xd0\xcf\x11\xe0';

const HEADER_BYTES = 512;
/** Of the table of sectors, so many sectors are named in the header; the others in a chain. */
const HEADER_TABLE_SECTORS = 109;
/** 64 sectors of the chain name 8,000 of the table, and those a million of the file: half a gigabyte. */
const MAX_CHAIN_SECTORS = 64;
/** Four entries in each of the small ones: an ordinary workbook has a dozen. */
const MAX_DIRECTORY_SECTORS = 1_024;
/** From here on a number is no sector: the end of a chain, or free. */
const FIRST_SPECIAL = 0xfffffffa;
const ENTRY_BYTES = 128;
const MAX_NAME_BYTES = 64;
const NO_ENTRY = 0xffffffff;

/** A stream at the top says what the file is. */
const STREAMS: readonly (readonly [stream: string, file: ForeignFile])[] = [
  ['encryptedpackage', { format: 'password', name: 'an Office file with a password' }],
  ['workbook', { format: 'old_workbook', name: 'an old Excel workbook (.xls)' }],
  ['book', { format: 'old_workbook', name: 'an old Excel workbook (.xls)' }],
  ['worddocument', { format: 'document', name: 'an old Word document (.doc)' }],
  ['powerpoint document', { format: 'document', name: 'an old presentation (.ppt)' }],
  ['__properties_version1.0', { format: 'mail', name: 'an Outlook message (.msg)' }],
];

export function compoundKind(bytes: Uint8Array): ForeignFile {
  const names = topNames(new CompoundFile(bytes).directory());
  return (
    STREAMS.find(([stream]) => names.has(stream))?.[1] ?? {
      format: 'unsupported',
      name: 'an Office file of another kind',
    }
  );
}

interface Entry {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly child: number;
}

/** In lower case, as the container compares them. The entries of a folder are a tree of siblings. */
function topNames(entries: readonly Entry[]): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<number>();
  const next = [entries[0]?.child ?? NO_ENTRY];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    const entry = entries[at];
    if (entry === undefined || seen.has(at)) continue;
    seen.add(at);
    names.add(entry.name.toLowerCase());
    next.push(entry.left, entry.right);
  }
  return names;
}

class CompoundFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #sectorBytes: number;
  /** Sectors of the table, in their order. */
  readonly #table: readonly number[];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const shift = bytes.length < HEADER_BYTES ? 0 : this.#view.getUint16(0x1e, true);
    if (shift !== 9 && shift !== 12) throw damaged();
    this.#sectorBytes = 1 << shift;
    this.#table = this.#tableSectors();
  }

  directory(): readonly Entry[] {
    const entries: Entry[] = [];
    let sector = this.#view.getUint32(0x30, true);
    for (let read = 0; read < MAX_DIRECTORY_SECTORS && sector < FIRST_SPECIAL; read += 1) {
      const from = this.#offsetOf(sector);
      for (let at = from; at < from + this.#sectorBytes; at += ENTRY_BYTES) entries.push(this.#entry(at));
      sector = this.#after(sector);
    }
    return entries;
  }

  #entry(at: number): Entry {
    // With the NUL at its end.
    const nameBytes = Math.min(this.#view.getUint16(at + 64, true), MAX_NAME_BYTES);
    let name = '';
    for (let each = 0; each + 2 < nameBytes; each += 2)
      name += String.fromCharCode(this.#view.getUint16(at + each, true));
    return {
      name,
      left: this.#view.getUint32(at + 68, true),
      right: this.#view.getUint32(at + 72, true),
      child: this.#view.getUint32(at + 76, true),
    };
  }

  #tableSectors(): readonly number[] {
    const sectors: number[] = [];
    const take = (from: number, count: number) => {
      for (let at = 0; at < count; at += 1) sectors.push(this.#view.getUint32(from + at * 4, true));
    };
    take(0x4c, HEADER_TABLE_SECTORS);
    let chained = this.#view.getUint32(0x44, true);
    for (let read = 0; read < MAX_CHAIN_SECTORS && chained < FIRST_SPECIAL; read += 1) {
      const from = this.#offsetOf(chained);
      const count = this.#sectorBytes / 4 - 1;
      take(from, count);
      chained = this.#view.getUint32(from + count * 4, true);
    }
    return sectors;
  }

  /** The next sector of its chain. */
  #after(sector: number): number {
    const perSector = this.#sectorBytes / 4;
    const table = this.#table[Math.floor(sector / perSector)];
    if (table === undefined || table >= FIRST_SPECIAL) throw damaged();
    return this.#view.getUint32(this.#offsetOf(table) + (sector % perSector) * 4, true);
  }

  /** The header takes the place of a sector. */
  #offsetOf(sector: number): number {
    const from = (sector + 1) * this.#sectorBytes;
    if (from + this.#sectorBytes > this.#bytes.length) throw damaged();
    return from;
  }
}

function damaged(): FileError {
  return new FileError(
    'damaged',
    'This is an Office file that is damaged or cut off: open it in its program and save it as .xlsx or CSV.',
  );
}
