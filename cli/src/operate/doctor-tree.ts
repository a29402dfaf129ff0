// The doctor's report as people read it: groups, a mark and a word for each check, what to do below it, a sentence at the end.
import { countsOf, type DoctorReport, failedIds, type ReportedCheck } from '@mxproof/server/operate';
import { CHECK_GROUPS } from '@mxproof/server/words';
import { plain } from '../shared/print.ts';

export interface TreeOptions {
  readonly hasColours: boolean;
  /** Longer lines are wrapped; null: none is. */
  readonly columns: number | null;
}

const MARKS = {
  ok: { mark: '✓', colour: 32 },
  warning: { mark: '!', colour: 33 },
  failure: { mark: '✗', colour: 31 },
  skipped: { mark: '·', colour: 90 },
} as const;
const BRANCH = '├─ '.length;
const STATUS_WIDTH = '✓ warning  '.length;
const GAP = 2;
/** Longer ones are of sources with long addresses. */
const WIDEST_TITLE = 26;
const BOLD = 1;
const DIM = 90;

export function doctorTree(report: DoctorReport, { hasColours, columns }: TreeOptions): string {
  const paint = (text: string, colour: number) => (hasColours ? `\u001b[${colour}m${text}\u001b[0m` : text);
  const lines: string[] = [];
  const lengths = report.checks.map(({ title }) => title.length).filter((length) => length <= WIDEST_TITLE);
  const layout = { titleWidth: Math.max(0, ...lengths), columns };
  for (const [group, ids] of Object.entries<readonly string[]>(CHECK_GROUPS)) {
    const checks = report.checks.filter(({ id }) => ids.includes(id));
    if (checks.length === 0) continue;
    lines.push(paint(group, BOLD));
    for (const [index, check] of checks.entries())
      lines.push(...linesOf(check, index === checks.length - 1, layout, paint));
    lines.push('');
  }
  return `${[...lines, summary(report, paint)].join('\n')}\n`;
}

type Paint = (text: string, colour: number) => string;

interface Layout {
  readonly titleWidth: number;
  readonly columns: number | null;
}

function linesOf(
  check: ReportedCheck,
  isLast: boolean,
  { titleWidth, columns }: Layout,
  paint: Paint,
): string[] {
  const { mark, colour } = MARKS[check.status];
  const title = plain(check.title);
  const indent = BRANCH + STATUS_WIDTH + titleWidth + GAP;
  const room = columns === null ? null : columns - indent;
  const text = check.status === 'skipped' ? DIM : null;
  const below = [
    ...wrap(plain(check.detail), room).map((line) => (text === null ? line : paint(line, text))),
    ...(check.advice === null
      ? []
      : wrap(`→ ${plain(check.advice)}`, room).map((line) => paint(line, colour))),
  ];
  const status = paint(`${mark} ${check.status}`.padEnd(STATUS_WIDTH), colour);
  const branch = paint(isLast ? '└─ ' : '├─ ', DIM);
  const trunk = `${paint(isLast ? ' ' : '│', DIM)}${' '.repeat(indent - 1)}`;
  // A title that is too long has its line to itself.
  const beside = title.length <= titleWidth ? (below.shift() ?? '') : '';
  const head = `${branch}${status}${paint(title.padEnd(titleWidth), BOLD)}${' '.repeat(GAP)}${beside}`;
  return [head.trimEnd(), ...below.map((line) => `${trunk}${line}`)];
}

function summary(report: DoctorReport, paint: Paint): string {
  const failed = failedIds(report);
  const counts = countsOf(report);
  if (failed.length > 0) return paint(`${counts}. To repair: ${failed.join(', ')}.`, MARKS.failure.colour);
  const hasWarnings = report.checks.some(({ status }) => status === 'warning');
  if (hasWarnings) return paint(`${counts}. Nothing fails; see the warnings.`, MARKS.warning.colour);
  const hasSkipped = report.checks.some(({ status }) => status === 'skipped');
  const words = hasSkipped ? 'Nothing is wrong in what was checked' : 'Nothing is wrong';
  return paint(`${counts}. ${words}.`, MARKS.ok.colour);
}

/** By words; one that is longer than a line stays whole. */
function wrap(text: string, width: number | null): string[] {
  if (width === null) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
