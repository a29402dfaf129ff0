// What to do with an address, as a shape, a colour and a word.
import './state-mark.css';
import type { ResultRow } from '@mxproof/client';
import { ACTIONS, actionFor } from '@mxproof/common/vocabulary/labels';
import { RESULT_WORDS } from '@mxproof/files/result-words';
import { messages } from '../messages/messages.ts';
import { StateShape } from './state-mark.tsx';

export function ActionMark({ row }: { readonly row: Pick<ResultRow, 'state' | 'reason' | 'suppressed'> }) {
  if (row.suppressed)
    return (
      <span className="state-mark" data-state="undeliverable">
        <StateShape state="undeliverable" />
        {RESULT_WORDS.suppressed}
      </span>
    );
  const action = actionFor(row);
  if (action === null) return <span className="soft">{messages.notChecked}</span>;
  return (
    <span className="state-mark" data-state={row.state}>
      <StateShape state={row.state} />
      {ACTIONS[action].title}
    </span>
  );
}
