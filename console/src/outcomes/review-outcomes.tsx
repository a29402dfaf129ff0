// What a file was taken for, with its first outcomes, before anything of it is sent. Of a table its columns can be chosen.
import { OUTCOMES, type OutcomeWord } from '@mxproof/files/outcome';
import { useEffect, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { formatMoment, formatSize } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { addOutcomes as text } from '../messages/en-outcomes.ts';
import type { OpenedFile } from './import.worker.ts';
import { chooseReading, type ImportRun, putFileBack, sendOutcomes } from './import-run.ts';

type Review = Extract<ImportRun, { stage: 'review' }>;
type Table = NonNullable<OpenedFile['table']>;

export function ReviewOutcomes({ run }: { readonly run: Review }) {
  const { file, opened, choices, isBusy } = run;
  const { kind, table, preview } = opened;
  const title = useRef<HTMLHeadingElement>(null);
  // Where the file was chosen is gone.
  useEffect(() => title.current?.focus(), []);
  const lacksOutcome = table !== null && table.columns.outcome === undefined && choices.assumed === null;
  return (
    <section className="card stack" aria-labelledby="review-title">
      <div>
        <h2 id="review-title" ref={title} tabIndex={-1}>
          {text.reviewTitle}
        </h2>
        <p>
          <strong className="entry-name">{file.name}</strong>{' '}
          <span className="soft">
            {formatSize(file.size)} · {text.kinds[kind]}
          </span>
        </p>
      </div>
      {table !== null && <Columns table={table} run={run} />}
      {lacksOutcome && <Notice tone="warning">{text.needsOutcome}</Notice>}
      {!lacksOutcome && <Preview preview={preview} />}
      <div className="row">
        <Button variant="primary" isDisabled={isBusy || lacksOutcome} onPress={sendOutcomes}>
          {text.send}
        </Button>
        <Button onPress={putFileBack}>{text.other}</Button>
      </div>
    </section>
  );
}

const ROLES = ['email', 'outcome', 'reply', 'at', 'id'] as const;

function Columns({ table, run: { choices } }: { readonly table: Table; readonly run: Review }) {
  const { first, hasHeader, columns } = table;
  const nameOf = (column: number) => (hasHeader && first[column]?.trim()) || text.column(column + 1);
  const choose = (role: (typeof ROLES)[number], value: string) =>
    chooseReading({ ...choices, columns: { ...choices.columns, [role]: value === '' ? null : value } });
  return (
    <div className="outcome-columns">
      {ROLES.map((role) => (
        <label key={role}>
          {text.roles[role]}
          <select
            className="input"
            disabled={role === 'outcome' && choices.assumed !== null}
            value={columns[role] === undefined ? '' : String(columns[role].column + 1)}
            onChange={({ target }) => choose(role, target.value)}
          >
            {role !== 'email' && <option value="">{text.noColumn}</option>}
            {first.map((_, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
              <option key={column} value={column + 1}>
                {nameOf(column)}
              </option>
            ))}
          </select>
          {role === 'id' && <span className="small soft">{text.idHint}</span>}
        </label>
      ))}
      <label>
        {text.assumed}
        <select
          className="input"
          value={choices.assumed ?? ''}
          onChange={({ target }) =>
            chooseReading({
              ...choices,
              assumed: target.value === '' ? null : (target.value as OutcomeWord),
            })
          }
        >
          <option value="">{text.assumedNone}</option>
          {OUTCOMES.map((word) => (
            <option key={word} value={word}>
              {text.assumedChoices[word]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Preview({ preview }: Pick<OpenedFile, 'preview'>) {
  if (preview.length === 0) return <Notice tone="warning">{text.previewNone}</Notice>;
  return (
    <div>
      <h3>{text.previewTitle}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is scrolled by keys, too. */}
      <section className="outcome-preview" tabIndex={0} aria-label={text.previewTitle}>
        <table className="table small">
          <thead>
            <tr>
              {text.headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.map(({ email, outcome, reply, at }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two events may be equal.
              <tr key={place}>
                <td className="mono">{email}</td>
                <td>{text.words[outcome]}</td>
                <td title={reply}>{reply}</td>
                <td>{at === null ? text.unknownTime : formatMoment(at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
