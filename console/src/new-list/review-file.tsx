// The file that was read: how it is understood, what is in it, what checking it costs.
import { useEffect, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { formatSize } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { fileFaults, newList } from '../messages/en-new-list.ts';
import { CheckedBefore } from './checked-before.tsx';
import { ChooseAgain } from './choose-again.tsx';
import { CostCard } from './cost-card.tsx';
import { choose, type Draft, putBack } from './draft.ts';
import { FileSummaryView } from './file-summary-view.tsx';
import { MisspeltDomains } from './misspelt-domains.tsx';
import { OtherColumns } from './other-columns.tsx';
import { OtherSheets } from './other-sheets.tsx';
import { PreviewTable } from './preview-table.tsx';
import type { FileReading } from './read.worker.ts';
import { layoutOf } from './start-lists.ts';
import { SuppressedCard } from './suppressed-card.tsx';

const text = newList;

export function ReviewFile({ draft, reading }: { readonly draft: Draft; readonly reading: FileReading }) {
  const { file } = draft;
  const { layout, summary, sheets } = reading;
  const isBusy = draft.progress !== null;
  const heading = useRef<HTMLHeadingElement>(null);
  // The field that the file was chosen in is gone: go on from here.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  // While the file is read once more, what was just chosen is shown, not what was found before.
  const {
    columns = layout.columns,
    hasHeader = layout.headings !== null,
    sheet = layout.sheet,
  } = draft.named;
  return (
    <div className="review">
      <div className="review-main stack">
        <div className="row file-head">
          <div>
            <h2 ref={heading} tabIndex={-1} className="file-name">
              {file?.name}
            </h2>
            <p className="small soft">
              {text.size(formatSize(file?.size ?? 0), summary.rows)} ·{' '}
              <span className="nowrap">{kindOf(reading)}</span>
            </p>
          </div>
          <div className="push">
            <Button onPress={putBack}>{text.another}</Button>
          </div>
        </div>
        {draft.fault !== null && (
          <ProblemNotice>
            {fileFaults[draft.fault]} <ChooseAgain />
          </ProblemNotice>
        )}
        <CheckedBefore reading={reading} rest={draft.rest} />
        <MisspeltDomains misspelt={summary.misspelt} fixes={draft.fixes} />
        <SuppressedCard draft={draft} />
        <section className="card stack" aria-labelledby="columns-title">
          <h2 id="columns-title">{text.columns}</h2>
          {columns.length === 0 ? (
            <Notice tone="warning">{text.noColumn}</Notice>
          ) : summary.unique === 0 && summary.sendable === 0 && !isBusy ? (
            <Notice tone="warning">{text.noAddress}</Notice>
          ) : (
            <p className="small soft">{text.columnsHint}</p>
          )}
          <div className="row">
            {sheets.length > 1 && (
              <label className="row sheet-choice">
                {text.sheet}
                <select
                  className="input"
                  value={sheet}
                  onChange={({ target }) => choose({ sheet: target.value })}
                >
                  {sheets.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
            )}
            <label className="row check-choice">
              <input
                type="checkbox"
                checked={hasHeader}
                onChange={({ target }) =>
                  choose({ ...layoutOf(reading), columns, hasHeader: target.checked })
                }
              />
              {text.hasHeader}
            </label>
          </div>
          <OtherColumns
            reading={reading}
            columns={columns}
            hasHeader={hasHeader}
            onColumns={(columns) => choose({ ...layoutOf(reading), hasHeader, columns })}
          />
          <OtherSheets
            names={reading.otherSheets}
            added={layout.alsoSheets ?? []}
            onSheets={(alsoSheets) => choose({ ...layoutOf(reading), hasHeader, columns, alsoSheets })}
          />
          <PreviewTable
            head={reading.head}
            columns={columns}
            hasHeader={hasHeader}
            isBusy={isBusy}
            onColumns={(columns) => choose({ ...layoutOf(reading), hasHeader, columns })}
          />
        </section>
        <FileSummaryView summary={summary} draft={draft} />
      </div>
      <div className="review-side">
        <CostCard draft={draft} reading={reading} />
      </div>
    </div>
  );
}

function kindOf({ layout: { format, encoding, separator }, head }: FileReading): string {
  if (format === 'xlsx') return text.workbook;
  const between = head.some((row) => row.length > 1) && text.separators[separator ?? ''];
  return [text.encodings[encoding ?? 'utf-8'], between].filter(Boolean).join(', ');
}
