// Why an address of the list got its result, beside the table. Closing it goes back to the row.
import { Refusal } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { AddressFacts } from '../check/address-facts.tsx';
import { EvidenceView } from '../check/evidence-view.tsx';
import { ActionMark } from '../design/action-mark.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { SidePanel } from '../design/side-panel.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { SimulatedNote } from '../shell/simulated-note.tsx';
import { MeantNote } from './address-cell.tsx';
import { BounceRisk } from './bounce-risk.tsx';
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
      <SimulatedNote />
      <MeantNote row={row} />
      <ActionMark row={row} />
      {row.suppressed && <p>{listMessages.risk.suppressed}</p>}
      <BounceRisk row={row} />
      <AddressFacts row={row} evidence={evidence.data ?? null} />
      {evidence.isPending && <p role="status">{text.loading}</p>}
      {isExpired && <p className="soft">{text.none}</p>}
      {evidence.isError && !isExpired && <ProblemNotice>{problemText(evidence.error)}</ProblemNotice>}
      {evidence.data && <EvidenceView evidence={evidence.data} />}
    </SidePanel>
  );
}
