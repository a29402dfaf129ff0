// The six states of a source at a provider as shapes as well as colours, so that they can be told apart without seeing
// colours, and in the dark.
import './health-mark.css';
import { operator as text } from '../messages/en-operator.ts';
import type { HealthState } from './matrix.ts';

const PATHS: Readonly<Record<HealthState, string>> = {
  // An octagon with a cross.
  refused:
    'M5 1h6l4 4v6l-4 4H5l-4-4V5Zm.9 3.6L4.6 5.9 6.7 8l-2.1 2.1 1.3 1.3L8 9.3l2.1 2.1 1.3-1.3L9.3 8l2.1-2.1-1.3-1.3L8 6.7Z',
  // Two bars.
  resting: 'M3 2h3.5v12H3Zm6.5 0H13v12H9.5Z',
  // A clock.
  deferring: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-.9 3h1.8v3.6l2.6 2.6-1.3 1.3-3.1-3.1Z',
  // Steps that rise.
  warming: 'M1 11h3.5v4H1Zm5.2-4h3.6v8H6.2Zm5.3-5H15v13h-3.5Z',
  // A tick.
  fine: 'M6.2 13.4.9 8.1l1.9-1.9 3.4 3.4 7-7 1.9 1.9Z',
  // A stroke.
  idle: 'M4 7.2h8v1.6H4Z',
};

export function HealthShape({ state }: { readonly state: HealthState }) {
  return (
    <svg className="health-shape" viewBox="0 0 16 16" aria-hidden="true">
      <path fillRule="evenodd" d={PATHS[state]} />
    </svg>
  );
}

export function HealthMark({ state }: { readonly state: HealthState }) {
  return (
    <span className="health-mark" data-health={state}>
      <HealthShape state={state} />
      {text.states[state]}
    </span>
  );
}
