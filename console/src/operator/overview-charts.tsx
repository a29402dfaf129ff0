// What was checked lately: by state, and how much of each provider stayed unknown.
import type { Overview } from '@mxproof/client/admin';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { Link } from '@tanstack/react-router';
import { formatCount, formatShare } from '../design/format.ts';
import { ShapeBar } from '../design/shape-bar.tsx';
import { StateMark } from '../design/state-mark.tsx';
import { overview as text } from '../messages/en-operator-service.ts';
import { messages } from '../messages/messages.ts';
import { shortCount, wholeShare } from './when.ts';

const SHOWN_PROVIDERS = 8;

export function ChecksCard({ checks }: { readonly checks: Overview['checks'] }) {
  const total = STATE_WORDS.reduce((sum, state) => sum + checks[state], 0);
  return (
    <section className="card stack overview-checks" aria-labelledby="checks">
      <h2 id="checks">
        <Link to="/operator/lists">{text.checks.title}</Link>
      </h2>
      <div>
        <p className="overview-total">{text.checks.total(total)}</p>
        <p className="soft">{total === 0 ? text.checks.none : text.checks.ended(checks.lists_ended)}</p>
      </div>
      <ShapeBar list={{ counts: checks, total: Math.max(1, total) }} words={messages.states} />
      <dl className="overview-states">
        {STATE_WORDS.map((state) => (
          <div key={state}>
            <dt className="small">
              <StateMark state={state} />
            </dt>
            <dd>
              {formatCount(checks[state])}{' '}
              <span className="small soft">{formatShare(checks[state], total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ProvidersCard({
  providers: { counted, rows },
}: {
  readonly providers: Overview['providers'];
}) {
  const shown = rows
    .slice(0, SHOWN_PROVIDERS)
    .map(({ provider, checked, unknown }) => ({ provider, checked, share: unknown / Math.max(1, checked) }));
  return (
    <section className="card stack overview-providers" aria-labelledby="providers">
      <h2 id="providers">
        <Link to="/operator/sources">{text.providers.title}</Link>
      </h2>
      {shown.length === 0 && <p className="soft">{text.providers.none}</p>}
      <ul className="provider-bars">
        {shown.map(({ provider, checked, share }) => (
          <li key={provider}>
            <span>{providerName(provider)}</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={100 * share} height="1" />
            </svg>
            <span className="provider-share">
              {wholeShare(share)} <span className="small soft">{text.providers.of(shortCount(checked))}</span>
            </span>
          </li>
        ))}
      </ul>
      {counted > 0 && <p className="small soft">{text.providers.counted(counted)}</p>}
    </section>
  );
}
