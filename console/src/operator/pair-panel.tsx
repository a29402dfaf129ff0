// All that is known of one source at one provider, and what can be done. What servers said is shown as text; only a link
// that the service knows leads out.
import './pair-panel.css';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { Fact } from '../design/fact.tsx';
import { formatCount, formatMoment } from '../design/format.ts';
import { SidePanel } from '../design/side-panel.tsx';
import { operator } from '../messages/en-operator.ts';
import { sourceName } from './cell-figures.ts';
import { HealthMark } from './health-mark.tsx';
import type { Cell } from './matrix.ts';
import { useMayChange } from './operator-session.ts';
import { RestControl } from './rest-control.tsx';

const text = operator.panel;
const REFUSALS = ['block', 'rate', 'ptr', 'policy'] as const;

export function PairPanel({ cell, onClose }: { readonly cell: Cell; readonly onClose: () => void }) {
  const { pair, state } = cell;
  const { rest, refusal, warm_up } = pair;
  // Hosts of no provider have nothing in common that a source could rest at.
  const mayRest = useMayChange() && pair.provider !== 'other';
  return (
    <SidePanel title={operator.at(sourceName(pair.source), providerName(pair.provider))} onClose={onClose}>
      <HealthMark state={state} />
      {rest && state === 'resting' && (
        <section className="stack pair-part">
          <h3>{text.rest}</h3>
          <dl className="facts">
            <Fact name={text.since}>{formatMoment(rest.since)}</Fact>
            <Fact name={text.until}>
              {rest.until === null ? text.untilResumed : formatMoment(rest.until)}
            </Fact>
            <Fact name={text.by}>{text.byWhom[rest.by]}</Fact>
          </dl>
        </section>
      )}
      {refusal && (
        <section className="stack pair-part">
          <h3>{text.refusal}</h3>
          <p className="small soft">
            {formatMoment(refusal.at)}: {text.refusalKinds[refusal.kind]}
          </p>
          <blockquote className="pair-reply mono">{refusal.reply}</blockquote>
          <OutsideLink url={refusal.link} />
        </section>
      )}
      {warm_up && (
        <section className="stack pair-part">
          <h3>{text.warmUp}</h3>
          <dl className="facts">
            <Fact name={text.day}>{formatCount(warm_up.day)}</Fact>
            <Fact name={text.usedToday}>
              {text.ofLimit(formatCount(warm_up.used), formatCount(warm_up.per_day))}
            </Fact>
            {warm_up.held_back !== null && <Fact name={text.heldBack}>{warm_up.held_back}</Fact>}
          </dl>
          <progress
            className="pair-progress"
            aria-label={text.usedToday}
            value={Math.min(warm_up.used, warm_up.per_day)}
            max={Math.max(1, warm_up.per_day)}
          />
        </section>
      )}
      <Counts cell={cell} />
      {mayRest && <RestControl pair={pair} isResting={state === 'resting'} />}
    </SidePanel>
  );
}

function OutsideLink({ url }: { readonly url: string | null }) {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed?.protocol !== 'https:') return null;
  return (
    <p>
      <a href={parsed.href} target="_blank" rel="noreferrer">
        {text.link(parsed.host)}
      </a>
    </p>
  );
}

function Counts({ cell: { pair } }: { readonly cell: Cell }) {
  const { today, last_week: week } = pair;
  const rows = [
    [text.asked, today.asked, week.asked],
    [text.accepted, today.accepted, week.accepted],
    [text.unknown, today.unknown_recipients, week.unknown_recipients],
    [text.deferred, today.deferred, week.deferred],
    ...REFUSALS.map((kind) => [text[kind], today.refused[kind], week.refused[kind]] as const),
  ] as const;
  return (
    <table className="pair-counts">
      <thead>
        <tr>
          <th scope="col">{text.counts}</th>
          <th scope="col">{text.today}</th>
          <th scope="col">{text.week}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...figures]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {figures.map((figure, at) => (
              <td key={at === 0 ? 'today' : 'week'} data-zero={figure === 0 || undefined}>
                {formatCount(figure)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
