// Whether what was sent has arrived, and what one attempt was answered: of callbacks and of events for endpoints.
import type { CallbackEntry } from '@mxproof/client';
import { StateShape } from '../design/state-mark.tsx';
import { callbacks } from '../messages/en-account.ts';

/** The shapes that people know from results. */
const SHAPES = { pending: 'pending', delivered: 'deliverable', failed: 'undeliverable' } as const;

export function DeliveryState({ state }: { readonly state: CallbackEntry['state'] }) {
  return (
    <span className="callback-state small" data-state={SHAPES[state]} role="status">
      <StateShape state={SHAPES[state]} />
      {callbacks.states[state]}
    </span>
  );
}

export function answerText({
  status,
  error,
}: {
  readonly status: number | null;
  readonly error: string | null;
}) {
  return status === null ? (error ?? '') : callbacks.status(status);
}
