// Why an address of the list got its result, beside the table. Closing it goes back to the row.
import { Refusal } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { AddressFacts } from '../check/address-facts.tsx';
import { EvidenceView } from '../check/evidence-view.tsx';
import { formatCount } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { SidePanel } from '../design/side-panel.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { ActionMark } from './action-mark.tsx';
import { MeantNote } from './address-cell.tsx';
import type { PlacedRow } from './use-rows.ts';

const text = messages.evidence;

export function RowEvidence({
  placed: { listId, position, row },
  onClose,
}: {
  readonly placed: PlacedRow;
  readonly onClose: () => void;
}) {
  const evidence = useQuery({
    queryKey: [...keys.list(listId), 'evidence', position],
    queryFn: ({ signal }) => mx.lists.evidence(listId, position, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isExpired = evidence.error instanceof Refusal && evidence.error.kind === 'evidence_expired';
  return (
    <SidePanel title={row.email || messages.check.erased} onClose={onClose}>
      <MeantNote row={row} />
      <div className="row">
        <ActionMark row={row} />
        <span className="soft push">
          {messages.check.score} {formatCount(row.score)}
        </span>
      </div>
      <AddressFacts row={row} evidence={evidence.data ?? null} />
      {evidence.isPending && <p role="status">{text.loading}</p>}
      {isExpired && <p className="soft">{text.none}</p>}
      {evidence.isError && !isExpired && <ProblemNotice>{problemText(evidence.error)}</ProblemNotice>}
      {evidence.data && <EvidenceView evidence={evidence.data} />}
    </SidePanel>
  );
}
