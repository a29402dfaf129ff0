// The lines of a pasted text → records: a log line, a paragraph's sentence, an entry with the lines folded under it, a reply
// with all of its lines. Pure. Promises: each line is looked at once; a record is cut at MAX_RECORD_CHARS.

/** The reader looks at less of a reply. */
const MAX_RECORD_CHARS = 4_096;
/** A line that was wrapped is at least so long. */
const WRAPPED_CHARS = 60;

const CODE_LINE = /^[ \t'"]{0,4}([2-5]\d\d)(?:[ -]|$)/;
const QUOTES_A_REPLY = /^[ \t]{0,4}[2-5]\d\d[ -]|\bsaid:|\bwas:|\breturned '/;
/** Whatever cannot go on with the sentence of the line before. */
const BEGINS =
  /^(?:[^\s]{0,3}\d{4}-\d\d-\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|@4000|[{}<]|>>>|--|[2-5]\d\d[ -]|[A-Za-z-]{3,40}:\s|Giving up)/;
/** A log has a line for each. */
const LOG_LINE = /\b(?:to|rcpt|dsn|stat|status)=/;
/** How many levels of `> ` are taken off. */
const QUOTE_MARKS = /^(?:> ?){1,10}(?!>)/;
const TRANSCRIPT = /^(?:> ?){0,10}?(>>> (?:[A-Z]{4}|STARTTLS)\b.*)$/i;

/** Empty: a blank line, which ends a group of fields. */
export function* bounceRecords(lines: readonly string[]): Generator<string> {
  let record = '';
  let indent = 0;
  let last = '';
  for (const raw of lines) {
    const line = withoutQuoteMarks(raw);
    if (line.trim() === '') {
      if (record !== '') yield record;
      record = '';
      yield '';
      continue;
    }
    const depth = line.length - line.trimStart().length;
    const isMore =
      record !== '' && (depth > indent || isNextOfReply(last, line) || isWrapped(record, last, line));
    if (isMore) {
      record = append(record, line);
    } else {
      if (record !== '') yield record;
      record = line.trim().slice(0, MAX_RECORD_CHARS);
      indent = depth;
    }
    last = line;
  }
  if (record !== '') yield record;
}

/** Someone quoted the bounce in a message of their own; `>>> DATA` is what a server writes of its dialogue. */
export function withoutQuoteMarks(line: string): string {
  if (!line.startsWith('>')) return line;
  return TRANSCRIPT.exec(line)?.[1] ?? line.replace(QUOTE_MARKS, '');
}

function append(record: string, line: string): string {
  if (record.length >= MAX_RECORD_CHARS) return record;
  const between = CODE_LINE.test(line) && CODE_LINE.test(record) ? '\n' : ' ';
  return `${record}${between}${line.trim()}`.slice(0, MAX_RECORD_CHARS);
}

function isNextOfReply(last: string, line: string): boolean {
  const before = /^[ \t'"]{0,4}([2-5]\d\d)-/.exec(last)?.[1];
  return before !== undefined && CODE_LINE.exec(line)?.[1] === before;
}

function isWrapped(record: string, last: string, line: string): boolean {
  if (last.length < WRAPPED_CHARS || BEGINS.test(line)) return false;
  return QUOTES_A_REPLY.test(record) && !LOG_LINE.test(record) && !LOG_LINE.test(line);
}
