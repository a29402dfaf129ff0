// What to do with an address, as a shape, a colour and a word.
import '../design/state-mark.css';
import type { ResultRow } from '@mxproof/client';
import { ACTIONS, actionFor } from '@mxproof/common/vocabulary/labels';
import { StateShape } from '../design/state-mark.tsx';
import { listMessages } from '../messages/en-list.ts';

export function ActionMark({ row }: { readonly row: ResultRow }) {
  const action = actionFor(row);
  if (action === null) return <span className="soft">{listMessages.results.notChecked}</span>;
  return (
    <span className="state-mark" data-state={row.state}>
      <StateShape state={row.state} />
      {ACTIONS[action].title}
    </span>
  );
}
