// Why an address of the list got its result, beside the table. Closing it goes back to the row.
import '../design/overlay.css';
import './row-evidence.css';
import { Refusal } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { AddressFacts } from '../check/address-facts.tsx';
import { EvidenceView } from '../check/evidence-view.tsx';
import { Button } from '../design/button.tsx';
import { formatCount } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
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
  useScrollbarWidth();
  const evidence = useQuery({
    queryKey: [...keys.list(listId), 'evidence', position],
    queryFn: ({ signal }) => mx.lists.evidence(listId, position, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isExpired = evidence.error instanceof Refusal && evidence.error.kind === 'evidence_expired';
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
            <Button slot="close" variant="quiet">
              {messages.close}
            </Button>
          </div>
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
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** For the style: as wide as it is before the panel takes it away. */
function useScrollbarWidth(): void {
  const [widthPx] = useState(() => window.innerWidth - document.documentElement.clientWidth);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--scrollbar-width', `${widthPx}px`);
  }, [widthPx]);
}
