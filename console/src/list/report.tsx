// What was done and when: on paper, under the numbers and the charts.
import type { ListSummary } from '@mxproof/client';
import { refundOf } from '@mxproof/common/refund';
import { Fact } from '../design/fact.tsx';
import { formatCount, formatMoment } from '../design/format.ts';
import { listMessages } from '../messages/en-list.ts';
import { factsByName, type SubmittedFile } from './file-facts.ts';
import { isFinished } from './use-list.ts';

const text = listMessages.report;

export function Report({
  list,
  checked,
  file,
  retries,
  corrections,
}: {
  /** By itself. */
  readonly list: ListSummary;
  /** With what was checked later. */
  readonly checked: number;
  readonly file: SubmittedFile | null;
  readonly retries: readonly ListSummary[];
  readonly corrections: readonly ListSummary[];
}) {
  const used = [usedBy([list]), usedBy(retries), usedBy(corrections)] as const;
  const facts: readonly (readonly [string, string])[] = [
    [text.list, String(list.id)],
    ...factsByName(list, file),
    [text.submitted, formatMoment(list.created_at)],
    [text.finished, list.finished_at === null ? '' : formatMoment(list.finished_at)],
    [text.addresses, formatCount(list.total)],
    [text.checked, formatCount(checked)],
    [text.charged, formatCount(list.total)],
    [text.refunded, formatCount(refundOf(list))],
    ...(retries.length > 0 ? [[text.usedByRetries, formatCount(used[1])] as const] : []),
    ...(corrections.length > 0 ? [[text.usedByCorrections, formatCount(used[2])] as const] : []),
    [text.paid, formatCount(used[0] + used[1] + used[2])],
  ];
  return (
    <section className="report card stack" aria-label={text.title}>
      <h2>{text.title}</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <p className="small soft">{text.how}</p>
    </section>
  );
}

/** In credits. What runs has been charged, and refunded nothing yet. */
function usedBy(lists: readonly ListSummary[]): number {
  return lists.reduce((sum, list) => sum + list.total - (isFinished(list) ? refundOf(list) : 0), 0);
}
