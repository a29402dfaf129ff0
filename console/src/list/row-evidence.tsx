// Why an address of the list got its result, beside the table. Closing it goes back to the row.
import '../design/overlay.css';
import '../check/check.css';
import './row-evidence.css';
import { Refusal } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { EvidenceView } from '../check/evidence-view.tsx';
import { Button } from '../design/button.tsx';
import { formatCount, formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { StateMark } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { FLAGS } from './row-filter.ts';
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
  const flags = FLAGS.filter((flag) => row[flag]);
  return (
    <ModalOverlay
      className="overlay overlay-side"
      isDismissable
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Modal className="side-panel">
        <Dialog className="stack">
          <div className="row side-panel-head">
            <Heading slot="title" className="side-panel-title mono">
              {row.email}
            </Heading>
            <Button slot="close" look="quiet">
              {messages.close}
            </Button>
          </div>
          <div className="row">
            <StateMark state={row.state} />
            <span className="soft">{messages.reasons[row.reason]}</span>
            <span className="soft push">
              {messages.check.score} {formatCount(row.score)}
            </span>
          </div>
          <p>{evidence.data?.explanation}</p>
          {flags.length > 0 && (
            <ul className="row">
              {flags.map((flag) => (
                <li key={flag} className="flag small">
                  {messages.flags[flag]}
                </li>
              ))}
            </ul>
          )}
          <dl className="facts">
            <Fact name={messages.check.provider}>{row.provider || messages.check.noMx}</Fact>
            <Fact name={messages.check.mx}>{row.mx ?? messages.check.noMx}</Fact>
            {evidence.data && <Fact name={text.checkedAt}>{formatMoment(evidence.data.checked_at)}</Fact>}
          </dl>
          {evidence.isPending && <p role="status">{text.loading}</p>}
          {isExpired && <p className="soft">{text.none}</p>}
          {evidence.isError && !isExpired && <ProblemNotice>{problemText(evidence.error)}</ProblemNotice>}
          {evidence.data && <EvidenceView evidence={evidence.data} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <dt className="small soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
