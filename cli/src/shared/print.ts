// Prints for people (aligned columns) and for programs (one JSON value).
// Promise: what strangers wrote (names, addresses, servers' replies) never reaches a terminal as control characters.

import { once } from 'node:events';
import { refusesColours } from './environment.ts';

/** What moves the cursor, hides text or turns its direction. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON leaves C1 and bidirectional controls as they are; escaped, they are the same value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(CONTROLS, (control) =>
    Array.from({ length: control.length }, (_, unit) => escaped(control.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Waits while the reader is slower: what is not read yet must not pile up here. */
export async function writeOut(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

export function colours(): boolean {
  return process.stdout.isTTY === true && !refusesColours();
}

/** A name keeps at least so much on a narrow terminal. */
const SHORTEST_CUT = 8;

/**
 * Columns as wide as their widest cell; the first row is the heading.
 * `cutLast`: on a terminal that is too narrow, the last column is shortened so that each row stays one line.
 */
export function printTable(
  rows: readonly (readonly (string | number)[])[],
  { cutLast = false }: { readonly cutLast?: boolean } = {},
): void {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, String(cell).length);
  }
  const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = cutLast ? Math.max(SHORTEST_CUT, columns - before) : Number.POSITIVE_INFINITY;
  for (const row of rows)
    printLine(
      row
        .map((cell, column) => {
          const text = String(cell);
          const isCut = column === widths.length - 1 && text.length > room;
          return isCut ? `${text.slice(0, room - 1)}…` : text.padEnd(widths[column]!);
        })
        .join('  ')
        .trimEnd(),
    );
}

/** On a terminal only: a file or a program gets every byte. Line ends stay. */
export function plainOnTerminal(text: string): string {
  if (!process.stdout.isTTY) return text;
  return text.split(/\r?\n/).map(plain).join('\n');
}

export function plain(text: string): string {
  return text.replace(CONTROLS, '�');
}

export function dateOf(seconds: number | null): string {
  return seconds === null ? '-' : new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}

/** Such as: 1 list, 2 lists. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
