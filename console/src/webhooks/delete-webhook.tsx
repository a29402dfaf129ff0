// Deleting an endpoint, after a question.
import type { Webhook } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountProblem } from '../account/account-problem.ts';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { webhookActs as text } from '../messages/en-webhooks.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';

export function DeleteWebhook({
  webhook,
  onClose,
  onDeleted,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => mx.webhooks.delete(webhook.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.webhooks, exact: true });
      onDeleted();
    },
  });
  return (
    <DialogBox title={text.deleteTitle} isQuestion onClose={onClose}>
      <p className="mono small callback-url">{webhook.url}</p>
      <p>{text.deleteMeaning}</p>
      {remove.isError && <ProblemNotice>{accountProblem(remove.error)}</ProblemNotice>}
      <div className="row">
        <Button variant="danger" isDisabled={remove.isPending} onPress={() => remove.mutate()}>
          {text.deleteConfirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
