// How often verdicts were right, by what became of the account's own mail: a sentence, then every claim with its interval.
// Promise: below 30 addresses nothing is claimed.
import type { Accuracy } from '@mxproof/client';
import { STATE_WORDS, type State } from '@mxproof/common/vocabulary/labels';
import { MIN_OUTCOMES } from '@mxproof/common/wilson';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choice.tsx';
import { formatCount, formatRate } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { saveCsv } from '../design/save-csv.ts';
import { accuracy as text } from '../messages/en-outcomes.ts';
import {
  accuracyTable,
  type Claim,
  detailClaims,
  providerClaims,
  stateClaim,
  stateClaims,
  telltales,
} from './accuracy-claims.ts';
import { ClaimBars } from './claim-bars.tsx';
import { outcomesProblem } from './outcomes-problem.ts';
import { SwitchOff, WhereOn } from './switch-card.tsx';
import { DAY_CHOICES, type DayChoice, useAccuracy } from './use-outcomes.ts';

const DAYS = DAY_CHOICES.map((days) => [days, text.dayChoices[days]] as const);
const STATES = STATE_WORDS.map((state) => [state, text.whichChoices[state]] as const);

export function AccuracyPanel() {
  return (
    <WhereOn>
      <Measured />
      <SwitchOff />
    </WhereOn>
  );
}

export function DaysChoice({
  days,
  onChange,
}: {
  readonly days: DayChoice;
  readonly onChange: (days: DayChoice) => void;
}) {
  return (
    <div className="row small">
      <span aria-hidden="true">{text.days}</span>
      <Choice title={text.days} options={DAYS} value={days} onChange={onChange} />
    </div>
  );
}

function Measured() {
  const [days, setDays] = useState<DayChoice>('90');
  const { data, isPending, isError, error } = useAccuracy(days);
  const isEmpty = data?.matched === 0 && data.unmatched === 0;
  return (
    <>
      <div className="row">
        <DaysChoice days={days} onChange={setDays} />
        {data && !isEmpty && (
          <div className="push">
            <Button onPress={() => void saveCsv(`${text.fileName}-${days}`, accuracyTable(data))}>
              {text.save}
            </Button>
          </div>
        )}
      </div>
      {isPending && <p role="status">{text.loading}</p>}
      {isError && <ProblemNotice>{outcomesProblem(error)}</ProblemNotice>}
      {data && isEmpty && <Empty isYear={days === '366'} />}
      {data && !isEmpty && <Figures accuracy={data} />}
    </>
  );
}

function Empty({ isYear }: { readonly isYear: boolean }) {
  return (
    <section className="card stack" aria-labelledby="empty-title">
      <h2 id="empty-title">{isYear ? text.emptyTitle : text.emptyDays}</h2>
      <p>{text.emptyIntro}</p>
      <ul className="stack ways">
        <li>
          <Link to="/outcomes" hash="add">
            {text.emptyDrop[0]}
          </Link>
          : {text.emptyDrop[1]}
        </li>
        <li>
          <Link to="/outcomes" hash="services">
            {text.emptyConnect[0]}
          </Link>
          : {text.emptyConnect[1]}
        </li>
        <li>
          <a href="/docs">{text.emptySend[0]}</a>: <code>{text.emptySend[1]}</code>
        </li>
      </ul>
    </section>
  );
}

function Figures({ accuracy }: { readonly accuracy: Accuracy }) {
  const [state, setState] = useState<State>('deliverable');
  const of = (claims: readonly Claim[]) => claims.filter((claim) => claim.state === state);
  return (
    <>
      <Headline accuracy={accuracy} />
      {accuracy.matched > 0 && (
        <>
          <section className="card stack" aria-labelledby="states-title">
            <h2 id="states-title">{text.states}</h2>
            <p className="small soft">{text.statesHint}</p>
            <ClaimBars claims={stateClaims(accuracy)} hasStates />
          </section>
          <section className="card stack" aria-labelledby="groups-title">
            <div className="row">
              <h2 id="groups-title">{text.providers}</h2>
              <div className="push">
                <Choice title={text.which} options={STATES} value={state} onChange={setState} />
              </div>
            </div>
            <Group key={`providers ${state}`} claims={of(providerClaims(accuracy))} state={state} />
            <h2>{text.details}</h2>
            <Group key={`details ${state}`} claims={of(detailClaims(accuracy))} state={state} />
          </section>
        </>
      )}
      <section className="card stack" aria-labelledby="other-title">
        <h2 id="other-title">{text.otherTitle}</h2>
        <Telltales accuracy={accuracy} />
        {accuracy.unmatched > 0 && (
          <div>
            <h3>{text.unmatched(accuracy.unmatched)}</h3>
            <p className="soft">{text.unmatchedMeaning}</p>
          </div>
        )}
      </section>
    </>
  );
}

function Headline({ accuracy }: { readonly accuracy: Accuracy }) {
  if (accuracy.matched === 0) return <Notice>{text.onlyUnmatched}</Notice>;
  const { count, of, rate, low, high } = stateClaim(accuracy, 'deliverable').wrong;
  const undeliverable = stateClaim(accuracy, 'undeliverable').wrong;
  return (
    <section className="card stack headline">
      {rate === null || low === null || high === null ? (
        <p className="headline-sentence">{text.headlineFew(of, MIN_OUTCOMES)}</p>
      ) : (
        <p className="headline-sentence">
          {text
            .headline(of, count, formatRate(rate), formatRate(low), formatRate(high))
            .map((part, at) => (at === 1 ? <strong key={part}>{part}</strong> : part))}
          .
        </p>
      )}
      {undeliverable.rate !== null && undeliverable.low !== null && undeliverable.high !== null && (
        <p>
          {text.undeliverable(
            undeliverable.of,
            undeliverable.count,
            formatRate(undeliverable.rate),
            formatRate(undeliverable.low),
            formatRate(undeliverable.high),
          )}
        </p>
      )}
      <p className="small soft">{text.certainty}</p>
    </section>
  );
}

const SHOWN_AT_FIRST = 8;

function Group({ claims, state }: { readonly claims: readonly Claim[]; readonly state: State }) {
  const [isWhole, setWhole] = useState(false);
  if (claims.length === 0) return <p className="soft">{text.noneOf(text.whichChoices[state])}</p>;
  const rest = isWhole ? 0 : Math.max(0, claims.length - SHOWN_AT_FIRST);
  return (
    <>
      <ClaimBars claims={rest === 0 ? claims : claims.slice(0, SHOWN_AT_FIRST)} />
      {rest > 0 && (
        <div>
          <Button variant="quiet" onPress={() => setWhole(true)}>
            {text.more(rest)}
          </Button>
        </div>
      )}
    </>
  );
}

function Telltales({ accuracy }: { readonly accuracy: Accuracy }) {
  const counts = telltales(accuracy);
  const rows = (['full', 'blocked', 'unclear'] as const).filter((each) => counts[each] > 0);
  if (rows.length === 0) return <p className="soft">{text.otherNone}</p>;
  return (
    <>
      <p className="soft">{text.otherIntro}</p>
      <dl className="telltales">
        {rows.map((each) => (
          <div key={each}>
            <dt>{text.other[each]}</dt>
            <dd>{formatCount(counts[each])}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
