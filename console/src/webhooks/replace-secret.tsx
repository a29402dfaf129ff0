// The secret of one endpoint: replaced after a question, then shown once.
import type { Webhook } from '@mxproof/client';
import { useMutation } from '@tanstack/react-query';
import { accountProblem } from '../account/account-problem.ts';
import { ShownOnce } from '../account/shown-once.tsx';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { webhookActs as text, webhookForm } from '../messages/en-webhooks.ts';
import { messages } from '../messages/messages.ts';
import { mx } from '../shell/api.ts';

export function ReplaceSecret({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const replace = useMutation({ mutationFn: () => mx.webhooks.rotateSecret(webhook.id) });
  if (replace.data !== undefined)
    return (
      // A click beside it must not lose what is never shown again.
      <DialogBox title={text.made} isDismissable={false} onClose={onClose}>
        <ShownOnce
          name={text.made}
          secret={replace.data}
          warning={webhookForm.shownOnce}
          copyLabel={webhookForm.copy}
        />
        <p className="small soft">{text.replaceMeaning}</p>
        <Button slot="close" variant="primary">
          {webhookForm.done}
        </Button>
      </DialogBox>
    );
  return (
    <DialogBox title={text.replaceTitle} isQuestion onClose={onClose}>
      <p className="mono small callback-url">{webhook.url}</p>
      <p>{text.replaceMeaning}</p>
      <p className="soft">{text.replaceTwice}</p>
      {replace.isError && <ProblemNotice>{accountProblem(replace.error)}</ProblemNotice>}
      <div className="row">
        <Button variant="primary" isDisabled={replace.isPending} onPress={() => replace.mutate()}>
          {text.replaceConfirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
