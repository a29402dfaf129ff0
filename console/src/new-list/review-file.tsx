// The file that was read: how it is understood, what is in it, what checking it costs.
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { CheckedBefore } from './checked-before.tsx';
import { CostCard } from './cost-card.tsx';
import { choose, type Draft, putBack } from './draft.ts';
import { PreviewTable } from './preview-table.tsx';
import type { Reading } from './read.worker.ts';
import { layoutOf } from './start-lists.ts';
import { StockView } from './stock-view.tsx';

const text = messages.newList;
const bytes = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
});

export function ReviewFile({ draft, reading }: { readonly draft: Draft; readonly reading: Reading }) {
  const { file } = draft;
  const { layout, stock, sheets } = reading;
  const isBusy = draft.progress !== null;
  return (
    <div className="review">
      <div className="review-main stack">
        <div className="row file-head">
          <div>
            <p className="file-name">{file?.name}</p>
            <p className="small soft">
              {text.size(bytes.format(file?.size ?? 0), stock.rows)} · {kindOf(reading)}
            </p>
          </div>
          <div className="push">
            <Button onPress={putBack}>{text.another}</Button>
          </div>
        </div>
        <CheckedBefore mark={reading.mark} />
        <section className="card stack" aria-labelledby="columns-title">
          <h2 id="columns-title">{text.columns}</h2>
          {layout.columns.length === 0 ? (
            <Notice tone="warning">{text.noColumn}</Notice>
          ) : stock.unique === 0 ? (
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
                  value={layout.sheet}
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
                checked={layout.headings !== null}
                onChange={({ target }) => choose({ ...layoutOf(reading), hasHeader: target.checked })}
              />
              {text.hasHeader}
            </label>
          </div>
          <PreviewTable
            reading={reading}
            isBusy={isBusy}
            onColumns={(columns) => choose({ ...layoutOf(reading), columns })}
          />
        </section>
        <StockView stock={stock} />
      </div>
      <div className="review-side">
        <CostCard draft={draft} reading={reading} />
      </div>
    </div>
  );
}

function kindOf({ layout: { format, encoding, separator } }: Reading): string {
  if (format === 'xlsx') return text.workbook;
  return [encoding?.toUpperCase(), text.separators[separator ?? '']].filter(Boolean).join(', ');
}
