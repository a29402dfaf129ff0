// The four states as shapes as well as colours, so that they can be told apart without seeing colours.
import './state-mark.css';
import type { ResultRow } from '@mxproof/client';
import { messages } from '../messages/messages.ts';

export type State = ResultRow['state'];

const PATHS: Readonly<Record<State, string>> = {
  deliverable: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-1 9.8L4.2 8l1.1-1.1L7 8.6l3.7-3.7L11.8 6Z',
  risky: 'M8 1.2 15.4 14.5H.6ZM7.2 6v4h1.6V6Zm0 5.2v1.6h1.6v-1.6Z',
  undeliverable:
    'M5 1h6l4 4v6l-4 4H5l-4-4V5Zm.9 3.6L4.6 5.9 6.7 8l-2.1 2.1 1.3 1.3L8 9.3l2.1 2.1 1.3-1.3L9.3 8l2.1-2.1-1.3-1.3L8 6.7Z',
  unknown:
    'M1 4a3 3 0 0 1 3-3h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3Zm6.2 7v1.6h1.6V11Zm0-1.2h1.6c0-1.5 1.9-1.8 1.9-3.6C10.7 4.6 9.5 3.6 8 3.6S5.3 4.6 5.2 6h1.6c0-.7.5-1.1 1.2-1.1s1.1.4 1.1 1.1c0 1.1-1.9 1.5-1.9 3.8Z',
  pending: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 2a5 5 0 1 1 0 10A5 5 0 0 1 8 3Z',
};

export function StateShape({ state }: { readonly state: State }) {
  return (
    <svg className="state-shape" data-state={state} viewBox="0 0 16 16" aria-hidden="true">
      <path fillRule="evenodd" d={PATHS[state]} />
    </svg>
  );
}

export function StateMark({ state }: { readonly state: State }) {
  return (
    <span className="state-mark" data-state={state}>
      <StateShape state={state} />
      {messages.states[state]}
    </span>
  );
}
