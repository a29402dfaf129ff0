// The deployment at a glance: what needs the operator, what was checked lately, what waits. Each part leads to its page.
import './overview.css';
import { Link } from '@tanstack/react-router';
import { Choice } from '../design/choice.tsx';
import { StateShape } from '../design/state-mark.tsx';
import { operator } from '../messages/en-operator.ts';
import { overview as text } from '../messages/en-operator-service.ts';
import { type Concern, concernsOf } from './concerns.ts';
import { useFilters } from './filters.ts';
import { admin, useAdmin } from './operator-api.ts';
import { ChecksCard, ProvidersCard } from './overview-charts.tsx';
import { OverviewTiles } from './overview-tiles.tsx';
import { PageHead, ReadingState } from './page-parts.tsx';
import { ageOf, clockTime } from './when.ts';

const EVERY_MS = 10_000;
const USUAL_HOURS = 24;
const HOURS = Object.entries(text.hours);

export function OverviewPage() {
  const [{ hours = USUAL_HOURS }, show] = useFilters();
  const overview = useAdmin(
    ['overview', hours],
    (options) => admin.overview({ hours, ...options }),
    EVERY_MS,
  );
  const { data } = overview;
  const concerns = data ? concernsOf(data) : [];
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={data && operator.updated(clockTime(data.at))}>
        <Choice
          title={text.lately}
          options={HOURS}
          value={String(hours)}
          onChange={(chosen) => show({ hours: Number(chosen) })}
        />
      </PageHead>
      <ReadingState of={overview} />
      {data && (
        <div className="overview" aria-busy={overview.isPlaceholderData}>
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
            <StateShape state="risky" />
            <p>
              <Link to={page}>{title}</Link> {detail}{' '}
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
