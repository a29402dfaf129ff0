// How source addresses fare, as lines for a terminal: 80 columns hold the numbers, what servers said is wrapped to its width.
// Pure. Promise: what a server wrote brings no control character to the terminal.
import type { SourceCounts, SourceHealth, SourceRest } from '@mxproof/server/operate';
import { plain } from '../shared/print.ts';

const HEADING = [
  'provider',
  '',
  'asked',
  'accepted',
  'unknown',
  'deferred',
  'block',
  'rate',
  'ptr',
  'policy',
];
/** The first two are words. */
const WORD_COLUMNS = 2;
const GAP = '  ';
const INDENT = '    ';
/** A narrower terminal would show one word a line. */
const WIDTH_MIN = 40;

/** `columns`: of the terminal. */
export function sourcesTable(all: readonly SourceHealth[], columns: number, now: Date): string[] {
  const rows = all.map((one) => [
    [one.provider, 'today', ...cellsOf(one.today)],
    ['', '7 days', ...cellsOf(one.lastWeek)],
  ]);
  const widths = HEADING.map((name, column) =>
    Math.max(name.length, ...rows.flat().map((row) => (row[column] ?? '').length)),
  );
  const lines: string[] = [];
  let shown: string | null = null;
  for (const [at, one] of all.entries()) {
    if (one.source !== shown) {
      if (shown !== null) lines.push('');
      lines.push(shownSource(one.source), line(HEADING, widths));
    }
    shown = one.source;
    for (const row of rows[at] ?? []) lines.push(line(row, widths));
    for (const said of wordsOf(one, now)) lines.push(...wrapped(said, Math.max(WIDTH_MIN, columns)));
  }
  return lines;
}

function shownSource(source: string): string {
  return source === '' ? "own (the machine's own address)" : plain(source);
}

function restWords({ since, until, by }: SourceRest, now: Date): string {
  const begun = `since ${timeOf(since)}`;
  const why = by === 'operator' ? 'by hand' : 'after refusals';
  if (until === null) return `rests ${begun}, ${why}, until it is resumed`;
  return until > now
    ? `rests ${begun}, ${why}, until ${timeOf(until)}`
    : `has rested ${begun}, ${why}; one connection tries next`;
}

function wordsOf({ rest, refusal, warmUp }: SourceHealth, now: Date): string[] {
  const said: string[] = [];
  if (rest !== null) said.push(restWords(rest, now));
  if (warmUp !== null) {
    const held = warmUp.heldBack === null ? '' : `; held back: ${plain(warmUp.heldBack)}`;
    said.push(`warm-up, day ${warmUp.day}: ${warmUp.used} of ${warmUp.perDay} asked today${held}`);
  }
  if (refusal !== null) {
    said.push(`last refused ${timeOf(refusal.at)} (${refusal.kind}): ${plain(refusal.reply)}`);
    if (refusal.link !== null) said.push(`to be delisted: ${refusal.link}`);
  }
  return said;
}

function cellsOf({ asked, accepted, unknownRecipients, deferred, refused }: SourceCounts): string[] {
  const share = asked === 0 ? '-' : `${Math.round((100 * unknownRecipients) / asked)} %`;
  const { block, rate, ptr, policy } = refused;
  return [number(asked), number(accepted), share, ...[deferred, block, rate, ptr, policy].map(number)];
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}

function line(cells: readonly string[], widths: readonly number[]): string {
  const words = cells.slice(0, WORD_COLUMNS).map((cell, at) => cell.padEnd(widths[at]!));
  const numbers = cells.slice(WORD_COLUMNS).map((cell, at) => cell.padStart(widths[at + WORD_COLUMNS]!));
  return `${GAP}${words.join(GAP)}${GAP}${numbers.join(' ')}`.trimEnd();
}

/** At blanks; a longer word, such as a link, stays whole. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let current = INDENT;
  for (const word of text.split(' ')) {
    const isFirst = current.trim() === '';
    if (!isFirst && current.length + 1 + word.length > columns) {
      lines.push(current);
      current = `${INDENT}${GAP}${word}`;
    } else current += isFirst ? word : ` ${word}`;
  }
  return [...lines, current];
}

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
