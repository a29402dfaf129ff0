// Files of tests: bytes as a source, cut as wished, and what comes back.

import { type Fixes, NO_FIXES } from '../src/address-text.ts';
import { MACHINE } from '../src/machine-words.ts';
import { openTable } from '../src/open-table.ts';
import type { ResultRow, Vocabulary } from '../src/result-columns.ts';
import type { LayoutOptions, RowChanges, RowChoice, Source, Table } from '../src/table.ts';
import { UniqueAddresses } from '../src/unique-addresses.ts';

export function sourceOf(bytes: Uint8Array, chunkBytes = 65_536): Source {
  return {
    async *chunks() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
  };
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return new Uint8Array(await new Blob(all as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

export function latin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

export interface CleanedTable {
  readonly table: Table;
  readonly addresses: readonly string[];
  readonly rows: number;
  readonly withoutAddress: number;
  readonly kept: number;
  readonly changes: RowChanges;
  readonly bytes: Uint8Array;
}

/** What the service would find: the verdict is in the local part. */
export function verdictOf(email: string): ResultRow {
  const state = email.startsWith('bad') ? 'undeliverable' : 'deliverable';
  const flags = { accept_all: false, role: false, free: false, disposable: false };
  return { email, state, reason: 'r', score: 9, ...flags, mx: 'mx.x', provider: 'other' };
}

/** All of it: opened, surveyed, merged. */
export async function clean(
  bytes: Uint8Array,
  named: LayoutOptions = {},
  {
    keep,
    keepsRest = false,
    rowsBy = 'best',
    dropsRepeated = false,
    fixes = NO_FIXES,
    chunkBytes,
    verdict = verdictOf,
    words = MACHINE,
  }: CleanOptions = {},
): Promise<CleanedTable> {
  const table = await openTable(sourceOf(bytes, chunkBytes), named);
  const unique = new UniqueAddresses(fixes);
  const addresses: string[] = [];
  const survey = await table.survey({
    onAddress(address) {
      addresses.push(address);
      unique.add(address);
    },
  });
  for (const email of unique.all()) {
    const found = verdict(email);
    const isChosen = typeof keep === 'function' ? keep : ({ state }: ResultRow) => state === keep;
    if (found !== null) unique.settle(found, keep === undefined || isChosen(found));
  }
  let kept = 0;
  const changes = { corrected: 0, emptied: 0, leftAlone: 0 };
  const merged = table.merge({
    find: (address) => unique.find(address),
    words,
    dropsRepeated,
    filter: keep === undefined ? null : { keepsRest, rowsBy },
    onKept(change) {
      kept += 1;
      for (const kind of Object.keys(changes) as (keyof RowChanges)[]) changes[kind] += change[kind];
    },
  });
  const cleaned = await collect(merged);
  return { table, addresses, ...survey, kept, changes, bytes: cleaned };
}

interface CleanOptions {
  /** A state, or what is chosen. */
  readonly keep?: string | ((row: ResultRow) => boolean);
  readonly keepsRest?: boolean;
  readonly rowsBy?: RowChoice['rowsBy'];
  readonly dropsRepeated?: boolean;
  readonly fixes?: Fixes;
  readonly chunkBytes?: number;
  /** Null: not checked. */
  readonly verdict?: (email: string) => ResultRow | null;
  readonly words?: Vocabulary | null;
}
