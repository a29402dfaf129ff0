// Prints for people (aligned columns) and for programs (one JSON value).
// Promise: what strangers wrote (names, addresses, servers' replies) never reaches a terminal as control characters.

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

/** Columns as wide as their widest cell; the first row is the heading. */
export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, String(cell).length);
  }
  for (const row of rows)
    printLine(
      row
        .map((cell, column) => String(cell).padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

export function plain(text: string): string {
  return text.replace(CONTROLS, '�');
}

export function dateOf(seconds: number | null): string {
  return seconds === null ? '-' : new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}
