// What was done and when: on paper, under the numbers and the charts.
import type { ListSummary } from '@mxproof/client';
import { refundOf } from '@mxproof/common/refund';
import { Fact } from '../design/fact.tsx';
import { formatCount, formatMoment } from '../design/format.ts';
import { listMessages } from '../messages/en-list.ts';

const text = listMessages.report;

export function Report({ list }: { readonly list: ListSummary }) {
  const refunded = refundOf(list);
  const facts: readonly (readonly [string, string])[] = [
    [text.list, String(list.id)],
    [text.submitted, formatMoment(list.created_at)],
    [text.finished, list.finished_at === null ? '' : formatMoment(list.finished_at)],
    [text.addresses, formatCount(list.total)],
    [text.duplicates, formatCount(list.duplicates_removed)],
    [text.checked, formatCount(list.checked)],
    [text.charged, formatCount(list.total)],
    [text.refunded, formatCount(refunded)],
    [text.paid, formatCount(list.total - refunded)],
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
