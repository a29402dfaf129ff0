// How many addresses of the file are on the account's suppression list, before anything is paid. Promise: they are neither sent nor
// charged unless that is chosen here; where nobody could be asked, it is said, and checking goes on all the same.
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { newList } from '../messages/en-new-list.ts';
import { askSuppressed, type Draft, sendSuppressed } from './draft.ts';

const text = newList.suppressed;

export function SuppressedCard({ draft: { suppressed, sendsSuppressed } }: { readonly draft: Draft }) {
  if (suppressed === null) return null;
  if (suppressed.kind === 'failed')
    return (
      <Notice tone="warning">
        <span>{text.failed(suppressed.sentence)}</span>
        <Button onPress={askSuppressed}>{text.askAgain}</Button>
      </Notice>
    );
  const isAsking = suppressed.kind === 'asking';
  if (isAsking ? suppressed.of === 0 : suppressed.places.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="suppressed-title">
      <h2 id="suppressed-title" role="status">
        {isAsking ? text.asking(suppressed.asked, suppressed.of) : text.title(suppressed.places.length)}
      </h2>
      <p className="small soft">{sendsSuppressed ? text.sent : text.hint}</p>
      <label className="row check-choice">
        <input
          type="checkbox"
          checked={sendsSuppressed}
          onChange={({ target }) => sendSuppressed(target.checked)}
        />
        {isAsking ? text.sendAll : text.send(suppressed.places.length)}
      </label>
    </section>
  );
}
