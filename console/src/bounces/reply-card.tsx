// What one recipient was answered: the state a check would give, what the server said, and what to do.
import { Technical } from '../check/technical.tsx';
import { ActionMark } from '../design/action-mark.tsx';
import { bounces as text } from '../messages/en-bounces.ts';
import { type NamedReply, titleOf } from './replies-table.ts';

export function ReplyCard({ reply }: { readonly reply: NamedReply }) {
  const { position, state, explanation, advice } = reply;
  const titleId = `recipient-${position}`;
  return (
    <article className="card reply-card" data-state={state} aria-labelledby={titleId}>
      <header className="reply-head">
        <h3 id={titleId}>{titleOf(reply)}</h3>
        <ActionMark row={reply} />
      </header>
      <p className="reply-says">{explanation}</p>
      <div>
        <h4 className="small soft">{text.todo}</h4>
        <p>{advice}</p>
      </div>
      <Technical {...reply} />
    </article>
  );
}
