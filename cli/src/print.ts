// Prints for people (aligned columns) and for programs (one JSON value).

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
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

/** Names are customers' text: control characters must not reach the terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
}

export function dateOf(seconds: number | null): string {
  return seconds === null ? '-' : new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}
