// What came out of one check: what to do in a word and a colour, the reason as a sentence, and why.
import { type Evidence, ListFailed, type ResultRow } from '@mxproof/client';
import { ACTIONS, actionFor } from '@mxproof/common/vocabulary/labels';
import { atDomain } from '@mxproof/files/address-text';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCharge } from '../charge/use-charge.tsx';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { StateShape } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { problemText } from '../shell/problem.ts';
import { useAskStatusWhen } from '../shell/service-status.ts';
import { SimulatedNote } from '../shell/simulated-note.tsx';
import { AddressFacts } from './address-facts.tsx';
import { EvidenceView } from './evidence-view.tsx';

const text = messages.check;
/** After this long it is said that the check goes on. */
const SLOW_AFTER_MS = 3_000;

interface CheckReport {
  readonly row: ResultRow;
  /** Null: no longer kept. */
  readonly evidence: Evidence | null;
}

async function readCheck(listId: number, signal: AbortSignal): Promise<CheckReport> {
  await mx.lists.wait(listId, { signal });
  const [{ results }, evidence] = await Promise.all([
    mx.lists.page(listId, { limit: 1, signal }),
    mx.lists.evidence(listId, 0, { signal }).catch(() => null),
  ]);
  const [row] = results;
  if (row === undefined || row.state === 'pending') throw new ListFailed(listId);
  return { row, evidence };
}

export function CheckResult({
  listId,
  onCheckInstead,
}: {
  readonly listId: number;
  readonly onCheckInstead: (address: string) => void;
}) {
  const queries = useQueryClient();
  const check = useQuery({
    queryKey: ['check', listId],
    queryFn: ({ signal }) => readCheck(listId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isDone = check.isSuccess;
  useAskStatusWhen(check.data?.row.state === 'unknown');
  useEffect(() => {
    if (!isDone) return;
    void queries.invalidateQueries({ queryKey: keys.account });
    void queries.invalidateQueries({ queryKey: keys.checks });
  }, [isDone, queries]);
  if (check.isError) return <ProblemNotice>{problemText(check.error)}</ProblemNotice>;
  if (!check.data) return <Waiting />;
  return <Verdict {...check.data} onCheckInstead={onCheckInstead} />;
}

function Waiting() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useAskStatusWhen(isSlow);
  return (
    <div className="card check-waiting" role="status">
      <span className="check-spinner" aria-hidden="true" />
      <div>
        <p>{isSlow ? text.slow : text.busy}</p>
        {isSlow && <p className="small soft">{text.slowNote}</p>}
      </div>
    </div>
  );
}

function Verdict({
  row,
  evidence,
  onCheckInstead,
}: CheckReport & { readonly onCheckInstead: (address: string) => void }) {
  const { email, state } = row;
  const { priced, short } = useCharge(1);
  const may = useMay();
  const suggestion = evidence?.suggestion ?? null;
  const likelier = suggestion && atDomain(email, suggestion);
  return (
    <article className="card verdict stack" data-state={state}>
      <div className="verdict-head" role="status">
        <StateShape state={state} />
        <div>
          <h2>
            {ACTIONS[actionFor(row) ?? 'retry'].title}
            <span className="visually-hidden">: {email}</span>
          </h2>
          <p className="verdict-address mono" aria-hidden="true">
            {email}
          </p>
        </div>
      </div>
      <SimulatedNote />
      <AddressFacts row={row} evidence={evidence}>
        {state === 'unknown' && <p className="small soft">{text.refunded}</p>}
        {likelier && (
          <Notice tone="warning">
            <span>{text.didYouMean(likelier)}</span>
            {may.change && (
              <Button variant="quiet" isDisabled={short !== null} onPress={() => onCheckInstead(likelier)}>
                {priced(text.checkThat)}
              </Button>
            )}
          </Notice>
        )}
      </AddressFacts>
      <details className="why">
        <summary>{text.why}</summary>
        {evidence ? <EvidenceView evidence={evidence} /> : <p className="soft">{messages.evidence.none}</p>}
      </details>
    </article>
  );
}
