// A question before what is not taken back lightly, and what came of it. Promise: what the service says of it is seen, and what is
// shown only once is not lost by a click beside it.
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { operatorProblem } from './operator-problem.ts';

export function Confirm({
  title,
  confirm,
  isDangerous = true,
  isReady = true,
  change: { isPending, error },
  result = null,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  /** False: something is to be typed first. */
  readonly isReady?: boolean;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  /** In place of the question, once it is answered. */
  readonly result?: ReactNode;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  if (result !== null)
    return (
      <DialogBox key="result" title={title} isDismissable={false} onClose={onClose}>
        {result}
        <div>
          <Button slot="close" variant="primary">
            {messages.close}
          </Button>
        </div>
      </DialogBox>
    );
  return (
    <DialogBox key="question" title={title} isQuestion onClose={onClose}>
      {children}
      {error && <ProblemNotice>{operatorProblem(error)}</ProblemNotice>}
      <div className="row">
        <Button
          variant={isDangerous ? 'danger' : 'primary'}
          isDisabled={!isReady || isPending}
          onPress={onConfirm}
        >
          {confirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
