// Beside every result that says nothing about a real address: in test mode, and in the demo.
import { Notice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { useAccount } from './session.ts';

/** `mxproof demo` serves a console that is marked. */
const isDemo = () => document.documentElement.hasAttribute('data-demo');

export function SimulatedNote() {
  const isTest = useAccount().data?.isTest === true;
  if (!isTest && !isDemo()) return null;
  return <Notice tone="warning">{messages.simulated[isTest ? 'test' : 'demo']}</Notice>;
}
