// The secret that callbacks are signed with: replaced after a question, then shown once.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { apiKeys, webhookSecret } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { mx } from '../shell/api.ts';
import { useAccount } from '../shell/session.ts';
import { accountProblem } from './account-problem.ts';
import { ShownOnce } from './shown-once.tsx';

const text = webhookSecret;

export function WebhookSecret() {
  const { data: account } = useAccount();
  const [isAsking, setAsking] = useState(false);
  return (
    <section className="card stack" aria-labelledby="secret-title">
      <h2 id="secret-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      {account?.isTest ? (
        <p className="soft">{text.liveOnly}</p>
      ) : (
        <div>
          <Button onPress={() => setAsking(true)}>{text.replace}</Button>
        </div>
      )}
      {isAsking && <Replace onClose={() => setAsking(false)} />}
    </section>
  );
}

function Replace({ onClose }: { readonly onClose: () => void }) {
  const replace = useMutation({ mutationFn: () => mx.account.webhookSecret() });
  if (replace.data !== undefined)
    return (
      // A click beside it must not lose what is never shown again.
      <DialogBox title={text.made} isDismissable={false} onClose={onClose}>
        <ShownOnce name={text.made} secret={replace.data} warning={text.shownOnce} copyLabel={text.copy} />
        <p className="small soft">{text.replaceMeaning}</p>
        <Button slot="close" variant="primary">
          {apiKeys.done}
        </Button>
      </DialogBox>
    );
  return (
    <DialogBox title={text.replaceTitle} isQuestion onClose={onClose}>
      <p>{text.replaceMeaning}</p>
      <p className="soft">{text.replaceTwice}</p>
      {replace.isError && <ProblemNotice>{accountProblem(replace.error)}</ProblemNotice>}
      <div className="row">
        <Button variant="primary" isDisabled={replace.isPending} onPress={() => replace.mutate()}>
          {text.confirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
