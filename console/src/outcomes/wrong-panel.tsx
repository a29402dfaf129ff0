// The verdicts that mail has shown to be wrong, while their lists are there: what we saw beside what became of the mail.
import { Refusal, type WrongVerdicts } from '@mxproof/client';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { EvidenceView } from '../check/evidence-view.tsx';
import { ActionMark } from '../design/action-mark.tsx';
import { Button } from '../design/button.tsx';
import { Fact } from '../design/fact.tsx';
import { formatMoment, formatUtcDate } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { saveCsv } from '../design/save-csv.ts';
import { SidePanel } from '../design/side-panel.tsx';
import { StateMark } from '../design/state-mark.tsx';
import { wrongVerdicts as text } from '../messages/en-outcomes.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { SimulatedNote } from '../shell/simulated-note.tsx';
import { DaysChoice } from './accuracy-panel.tsx';
import { outcomesProblem } from './outcomes-problem.ts';
import { WhereOn } from './switch-card.tsx';
import type { DayChoice } from './use-outcomes.ts';

type Wrong = WrongVerdicts['wrong'][number];

const PAGE_ROWS = 25;
/** As many as the service gives at once. */
const SAVED_AT_ONCE = 1_000;

export function WrongPanel() {
  return (
    <WhereOn>
      <Found />
    </WhereOn>
  );
}

function Found() {
  const [days, setDays] = useState<DayChoice>('90');
  const [open, setOpen] = useState<Wrong | null>(null);
  const pages = useInfiniteQuery({
    queryKey: keys.wrong(days),
    queryFn: ({ pageParam, signal }) =>
      mx.wrongVerdicts({ days: Number(days), offset: pageParam, limit: PAGE_ROWS, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, all) =>
      all.length * PAGE_ROWS < total ? all.length * PAGE_ROWS : undefined,
  });
  const saving = useMutation({ mutationFn: () => saveWrong(Number(days)) });
  // A new one pushes the others onto the next page: one that comes again is shown once.
  const rows = [
    ...new Map(pages.data?.pages.flatMap(({ wrong }) => wrong).map((one) => [keyOf(one), one])).values(),
  ];
  const { total = 0, gone = 0 } = pages.data?.pages[0] ?? {};
  return (
    <>
      <div className="row">
        <DaysChoice days={days} onChange={setDays} />
        {total > 0 && (
          <div className="push">
            <Button isPending={saving.isPending} onPress={() => saving.mutate()}>
              {saving.isPending ? text.saving : text.save}
            </Button>
          </div>
        )}
      </div>
      <section className="card stack" aria-labelledby="wrong-title">
        <h2 id="wrong-title">{total > 0 ? text.found(total) : text.title}</h2>
        <p className="soft">{text.intro}</p>
        {saving.isError && <ProblemNotice>{problemText(saving.error)}</ProblemNotice>}
        {pages.isError && <ProblemNotice>{outcomesProblem(pages.error)}</ProblemNotice>}
        {pages.isSuccess && total === 0 && (
          <div>
            <h3>{gone === 0 ? text.none : text.onlyGone}</h3>
            {gone === 0 && <p className="soft">{text.noneHint}</p>}
          </div>
        )}
        {rows.length > 0 && (
          <ul className="entries">
            {rows.map((row) => (
              <WrongRow key={keyOf(row)} row={row} onOpen={() => setOpen(row)} />
            ))}
          </ul>
        )}
        {pages.hasNextPage && (
          <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
            {text.more}
          </Button>
        )}
        {gone > 0 && <p className="small soft">{text.gone(gone)}</p>}
      </section>
      {open && <WrongEvidence row={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const keyOf = ({ list_id, position, outcome }: Wrong) => `${list_id} ${position} ${outcome}`;

function WrongRow({ row, onOpen }: { readonly row: Wrong; readonly onOpen: () => void }) {
  const { email, list_id, state, detail, provider, outcome, day } = row;
  return (
    <li className="entry">
      <div>
        <button type="button" className="outcome-address" aria-label={text.open(email)} onClick={onOpen}>
          {email}
        </button>
        <dl className="wrong-said">
          <dt className="small soft">{text.weSaid}</dt>
          <dd>
            <StateMark state={state} /> <span className="small soft">{messages.details[detail]}</span>
          </dd>
          <dt className="small soft">{text.theMail}</dt>
          <dd>{text.outcomes[outcome]}</dd>
        </dl>
        <p className="small soft">
          <span className="fact">{formatUtcDate(day)}&nbsp;·</span>{' '}
          {providerName(provider) !== '' && <span className="fact">{providerName(provider)}&nbsp;·</span>}{' '}
          <Link className="fact" to="/lists/$id" params={{ id: String(list_id) }}>
            {text.list(list_id)}
          </Link>
        </p>
      </div>
    </li>
  );
}

function WrongEvidence({ row, onClose }: { readonly row: Wrong; readonly onClose: () => void }) {
  const { email, list_id, position, state, outcome, day } = row;
  const evidence = useQuery({
    queryKey: [...keys.list(list_id), 'evidence', position],
    queryFn: ({ signal }) => mx.lists.evidence(list_id, position, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isExpired = evidence.error instanceof Refusal && evidence.error.kind === 'evidence_expired';
  return (
    <SidePanel title={email} onClose={onClose}>
      <SimulatedNote />
      <section
        className="became stack"
        // The colour of what became of it, not of what was said.
        data-state={outcome === 'bounced' ? 'undeliverable' : 'deliverable'}
        aria-labelledby="became-title"
      >
        <h3 id="became-title">{text.became}</h3>
        <p>{text.sentences[outcome](formatUtcDate(day))}</p>
        <p className="small soft">
          {text.maybe[outcome === 'bounced' ? 'bounced' : 'delivered']}{' '}
          {outcome === 'bounced' && text.notKept}
        </p>
      </section>
      <h3>{text.saw}</h3>
      {evidence.data ? <ActionMark row={evidence.data} /> : <StateMark state={state} />}
      {evidence.isPending && <p role="status">{messages.evidence.loading}</p>}
      {isExpired && <p className="soft">{messages.evidence.none}</p>}
      {evidence.isError && !isExpired && <ProblemNotice>{problemText(evidence.error)}</ProblemNotice>}
      {evidence.data && (
        <>
          <p>{evidence.data.explanation}</p>
          <dl className="facts">
            <Fact name={messages.evidence.checkedAt}>{formatMoment(evidence.data.checked_at)}</Fact>
            <Fact name={messages.check.provider}>{providerName(row.provider) || messages.check.noMx}</Fact>
          </dl>
          <EvidenceView evidence={evidence.data} />
        </>
      )}
    </SidePanel>
  );
}

/** All of them, not only those that are shown. */
async function saveWrong(days: number): Promise<void> {
  const all: Wrong[] = [];
  for (;;) {
    const { total, wrong } = await mx.wrongVerdicts({ days, offset: all.length, limit: SAVED_AT_ONCE });
    all.push(...wrong);
    if (wrong.length === 0 || all.length >= total) break;
  }
  const rows = all.map(({ email, list_id, position, state, detail, provider, outcome, day }) => [
    ...[email, messages.states[state], messages.details[detail], providerName(provider)],
    ...[text.outcomes[outcome], day, list_id, position + 1],
  ]);
  await saveCsv(`${text.fileName}-${days}`, [text.headings, ...rows]);
}
