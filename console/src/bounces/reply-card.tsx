// What one recipient was answered: the state a check would give, what the server said, and what to do.
import type { RecipientReply } from '@mxproof/client';
import { StateMark } from '../design/state-mark.tsx';
import { bounces as text } from '../messages/en-bounces.ts';
import { messages } from '../messages/messages.ts';

export function ReplyCard({ reply }: { readonly reply: RecipientReply }) {
  const { position, state, explanation, advice, rule } = reply;
  const titleId = `recipient-${position}`;
  return (
    <article className="card reply-card" data-state={state} aria-labelledby={titleId}>
      <header className="reply-head">
        <h3 id={titleId}>{text.recipient(position)}</h3>
        <StateMark state={state} />
      </header>
      <p className="reply-says">{explanation}</p>
      <div>
        <h4 className="small soft">{text.todo}</h4>
        <p>{advice}</p>
      </div>
      <p className="small soft">
        {messages.evidence.rule}: {rule}
      </p>
    </article>
  );
}
