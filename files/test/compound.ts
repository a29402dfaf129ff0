// Compound files of tests: a header, the table of sectors, a directory; the streams have no content. Made by the format's
// description, not by the code under test.

export const END_OF_CHAIN = 0xfffffffe;
export const NO_ENTRY = 0xffffffff;
const HEADER_TABLE_SECTORS = 109;

export interface CompoundOptions {
  readonly shift?: 9 | 12;
  /** The table of sectors is named in a chained sector, not in the header. */
  readonly isTableChained?: boolean;
  /** That sector names itself as the next. */
  readonly isChainRing?: boolean;
  /** Where the directory begins; behind the table of sectors, with some room between, unless told. */
  readonly firstDirectory?: number;
  /** Other siblings of an entry, left and right, by its number. */
  readonly siblings?: Readonly<Record<number, readonly [number, number]>>;
  /** The entries within one of the top ones. */
  readonly inside?: { readonly of: number; readonly names: readonly string[] };
  /** The last directory sector's next; the end of the chain unless told. */
  readonly directoryAfter?: (sector: number) => number;
  /** Other numbers in the header: 16 bits below 0x20, else 32. */
  readonly header?: Readonly<Record<number, number>>;
}

/** `names`: the streams at its top, each the right sibling of the one before. */
export function compoundFile(names: readonly string[], options: CompoundOptions = {}): Uint8Array {
  const { shift = 9, inside } = options;
  const size = 1 << shift;
  const all = ['Root Entry', ...names, ...(inside?.names ?? [])];
  const perSector = size / 128;
  const directorySectors = Math.ceil(all.length / perSector);
  const perTable = size / 4;
  // Sector 0 is of the chain, whether it is used or not; then come those of the table, then the directory.
  const firstDirectory = options.isTableChained
    ? (HEADER_TABLE_SECTORS + 1) * perTable
    : (options.firstDirectory ?? 16);
  const firstTable = Math.floor(firstDirectory / perTable);
  const lastTable = Math.floor((firstDirectory + directorySectors) / perTable);
  const bytes = Buffer.alloc(size * (1 + firstDirectory + directorySectors));
  const at = (sector: number) => (sector + 1) * size;
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(bytes);
  bytes.writeUInt16LE(shift === 9 ? 3 : 4, 0x1a);
  bytes.writeUInt16LE(0xfffe, 0x1c);
  bytes.writeUInt16LE(shift, 0x1e);
  bytes.writeUInt32LE(firstDirectory, 0x30);
  bytes.writeUInt32LE(options.isTableChained ? 0 : END_OF_CHAIN, 0x44);
  bytes.fill(0xff, 0x4c, 512);
  bytes.fill(0xff, at(0), at(1));
  bytes.writeUInt32LE(options.isChainRing ? 0 : END_OF_CHAIN, at(1) - 4);
  for (let index = firstTable; index <= lastTable; index += 1) {
    const chained = index - HEADER_TABLE_SECTORS;
    bytes.writeUInt32LE(1 + index - firstTable, chained < 0 ? 0x4c + index * 4 : at(0) + chained * 4);
  }
  for (let sector = 0; sector < directorySectors; sector += 1) {
    const number = firstDirectory + sector;
    const isLast = sector === directorySectors - 1;
    const next = isLast ? (options.directoryAfter?.(number) ?? END_OF_CHAIN) : number + 1;
    bytes.writeUInt32LE(next >>> 0, at(1) + (number - firstTable * perTable) * 4);
  }
  for (const [number, name] of all.entries()) {
    const from = at(firstDirectory) + number * 128;
    bytes.write(name, from, 'utf16le');
    bytes.writeUInt16LE(name.length * 2 + 2, from + 64);
    bytes[from + 66] = number === 0 ? 5 : 2;
    const isLastOfItsFolder = number === 0 || number === names.length || number === all.length - 1;
    const [left, right] = options.siblings?.[number] ?? [NO_ENTRY, isLastOfItsFolder ? NO_ENTRY : number + 1];
    bytes.writeUInt32LE(left, from + 68);
    bytes.writeUInt32LE(right, from + 72);
    const child = number === 0 ? 1 : number === inside?.of ? names.length + 1 : NO_ENTRY;
    bytes.writeUInt32LE(child, from + 76);
  }
  for (const [place, value] of Object.entries(options.header ?? {})) {
    if (Number(place) < 0x20) bytes.writeUInt16LE(value, Number(place));
    else bytes.writeUInt32LE(value, Number(place));
  }
  return new Uint8Array(bytes);
}
