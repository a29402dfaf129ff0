// The question before a large charge: what it costs, what there is, what is left then. Loaded with the first one.
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { Notice } from '../design/notice.tsx';
import { chargeQuestion as text } from '../messages/en-charge.ts';
import { messages } from '../messages/messages.ts';

export function ChargeQuestion({
  title,
  credits,
  balance,
  short,
  onAgree,
  onClose,
}: {
  readonly title: string;
  readonly credits: number;
  /** As it is now; null: not known. */
  readonly balance: number | null;
  /** Null: the balance still covers it. */
  readonly short: string | null;
  readonly onAgree: () => void;
  readonly onClose: () => void;
}) {
  return (
    <DialogBox title={title} isQuestion onClose={onClose}>
      {short === null ? (
        <p>
          <strong>{balance === null ? text.costs(credits) : text.costsOf(credits, balance)}</strong>{' '}
          {text.refunds}
        </p>
      ) : (
        <Notice tone="warning">{short}</Notice>
      )}
      <div className="row">
        <Button variant="primary" isDisabled={short !== null} onPress={onAgree}>
          {text.agree(credits)}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
