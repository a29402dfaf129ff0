// What to do with an address, as a shape, a colour and a word.
import '../design/state-mark.css';
import type { ResultRow } from '@mxproof/client';
import { StateShape } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { actionFor } from './segments.ts';

export function ActionMark({ row }: { readonly row: ResultRow }) {
  const action = actionFor(row);
  if (action === null) return <span className="soft">{messages.results.notChecked}</span>;
  return (
    <span className="state-mark" data-state={row.state}>
      <StateShape state={row.state} />
      {messages.actions.each[action].title}
    </span>
  );
}
