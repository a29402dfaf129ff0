// What the file holds, in numbers; what is invalid, with its lines.
import '../list/list.css';
import { formatCount } from '../design/format.ts';
import { Bars } from '../list/bars.tsx';
import { newList } from '../messages/en-new-list.ts';
import { messages } from '../messages/messages.ts';
import { type Draft, dropRepeated, sendInvalid } from './draft.ts';
import type { FileSummary } from './file-summary.ts';

const text = newList;
const NAMED_LINES = 8;
const lineList = new Intl.ListFormat(undefined, { style: 'short', type: 'unit' });

interface Props {
  readonly summary: FileSummary;
  readonly draft: Draft;
}

export function FileSummaryView({ summary, draft }: Props) {
  const { suppressed } = draft;
  const facts = [
    { name: text.rows, count: summary.rows },
    { name: text.unique, count: summary.unique },
    {
      name: text.duplicates,
      count: summary.duplicates,
      hint: summary.duplicates > 0 ? text.duplicatesHint : '',
    },
    ...(suppressed?.kind === 'known' && suppressed.listed > 0
      ? [{ name: text.suppressed.fact, count: suppressed.places.length }]
      : []),
    { name: text.blank, count: summary.blank },
    { name: text.invalid, count: summary.invalid, hint: linesText(summary) },
    ...(summary.several > 0
      ? [{ name: text.severalInCell, count: summary.several, hint: text.severalInCellHint }]
      : []),
    { name: text.disposable, count: summary.disposable },
    { name: text.role, count: summary.role },
  ];
  return (
    <section className="card stack" aria-labelledby="file-summary-title">
      <h2 id="file-summary-title">{text.stock}</h2>
      <dl className="facts">
        {facts.map(({ name, count, hint }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{formatCount(count)}</strong>
              {hint && <span className="small soft">{hint}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {summary.duplicates > 0 && (
        <label className="row check-choice">
          <input
            type="checkbox"
            checked={draft.dropsRepeated}
            onChange={({ target }) => dropRepeated(target.checked)}
          />
          {text.dropRepeated}
        </label>
      )}
      {summary.invalid > 0 && <Faults summary={summary} draft={draft} />}
      {summary.domains.length > 0 && <Domains summary={summary} />}
    </section>
  );
}

function linesText({ faults, invalid }: FileSummary): string {
  if (invalid === 0) return '';
  const named = faults
    .slice(0, NAMED_LINES)
    .map(({ row, sheet }) => formatCount(row) + (sheet === undefined ? '' : ` (${sheet})`));
  if (invalid === 1) return text.line(named[0]!);
  return text.lines(lineList.format(named), invalid - named.length);
}

function Faults({ summary: { faults, invalid, sendable }, draft: { sendsInvalid } }: Props) {
  return (
    <div className="stack invalid">
      <p className="small soft">{sendsInvalid ? text.invalidSent : text.invalidNotSent}</p>
      {sendable > 0 && (
        <label className="row check-choice">
          <input
            type="checkbox"
            checked={sendsInvalid}
            onChange={({ target }) => sendInvalid(target.checked)}
          />
          {text.sendInvalid(sendable)}
        </label>
      )}
      <details className="faults">
        <summary>{text.showLines}</summary>
        <div className="stack fault-body">
          {invalid > faults.length && <p className="small soft">{text.firstLines(faults.length)}</p>}
          <ol className="fault-lines">
            {faults.map(({ row, sheet, text: cell, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a row may both be wrong; the list never changes.
              <li key={at}>
                <span className="soft">{text.line(formatCount(row), sheet)}</span> <code>{cell}</code>{' '}
                <span className="soft">· {messages.reasons[reason]}</span>
              </li>
            ))}
          </ol>
        </div>
      </details>
    </div>
  );
}

function Domains({ summary: { domains, otherDomains } }: { readonly summary: FileSummary }) {
  const rows = domains.map(({ domain, count }) => [domain, count] as const);
  return (
    <div className="stack domains">
      <h3>{text.domains}</h3>
      <Bars rows={otherDomains > 0 ? [...rows, [text.otherDomains, otherDomains]] : rows} />
    </div>
  );
}
