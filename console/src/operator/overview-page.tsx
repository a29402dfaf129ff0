// The deployment at a glance: what needs somebody, what was checked lately, what waits. Each part leads to its page.
import './overview.css';
import type { Overview } from '@mxproof/client/admin';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Choice } from '../design/choice.tsx';
import { operator } from '../messages/en-operator.ts';
import { overview as text } from '../messages/en-operator-service.ts';
import { type Concern, concernsOf } from './concerns.ts';
import { useOperatorQuery } from './operator-api.ts';
import { ChecksCard, ProvidersCard } from './overview-charts.tsx';
import { OverviewTiles } from './overview-tiles.tsx';
import { PageHead, ReadingState } from './page-head.tsx';
import { WarningShape } from './warning-shape.tsx';
import { ageOf, clockTime } from './when.ts';

const EVERY_MS = 10_000;
const USUAL_HOURS = 24;
const HOURS = Object.entries(text.hours);

export function OverviewPage() {
  const { hours = USUAL_HOURS } = useSearch({ from: '/operator/' });
  const navigate = useNavigate();
  const overview = useOperatorQuery<Overview>('/overview', { query: { hours }, everyMs: EVERY_MS });
  const { data } = overview;
  const concerns = data ? concernsOf(data) : [];
  const show = (chosen: string) => {
    const search = chosen === String(USUAL_HOURS) ? {} : { hours: Number(chosen) as 1 | 168 };
    void navigate({ to: '/operator', search, replace: true });
  };
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={data && operator.updated(clockTime(data.at))}>
        <div className="push">
          <Choice title={text.lately} options={HOURS} value={String(hours)} onChange={show} />
        </div>
      </PageHead>
      <ReadingState of={overview} />
      {data && (
        <div className="overview" data-stale={overview.isPlaceholderData || undefined}>
          <Attention concerns={concerns} now={data.at} />
          <ChecksCard checks={data.checks} />
          <ProvidersCard providers={data.providers} />
          <OverviewTiles overview={data} concerns={concerns} />
        </div>
      )}
    </section>
  );
}

function Attention({ concerns, now }: { readonly concerns: readonly Concern[]; readonly now: number }) {
  if (concerns.length === 0)
    return (
      <p className="notice overview-attention" data-tone="good" role="status">
        {text.attention.calm}
      </p>
    );
  return (
    <section className="card stack overview-attention" aria-labelledby="attention">
      <h2 id="attention">{text.attention.title}</h2>
      <ul className="concerns">
        {concerns.map(({ condition, title, detail, since, page }) => (
          <li key={`${condition} ${detail}`}>
            <WarningShape />
            <p>
              <Link to={page}>{title}</Link> <span>{detail}</span>{' '}
              {since !== null && (
                <span className="small soft">{text.attention.since(ageOf(since, now))}</span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
