// The account's webhook endpoints, and below how many credits they are told that credits are low.
import './webhooks.css';
import type { Webhook } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { accountProblem, mayNotManage } from '../account/account-problem.ts';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { webhooks as text } from '../messages/en-webhooks.ts';
import { keys, mx } from '../shell/api.ts';
import { DeleteWebhook } from './delete-webhook.tsx';
import { LowCreditsCard } from './low-credits-card.tsx';
import { ReplaceSecret } from './replace-secret.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';

/** What is open over the page; `add` has no endpoint yet. */
export type WebhookAct = 'change' | 'secret' | 'delete';
type Open = { readonly act: 'add' } | { readonly act: WebhookAct; readonly webhook: Webhook };

export function WebhooksPanel() {
  const webhooks = useQuery({
    queryKey: keys.webhooks,
    queryFn: ({ signal }) => mx.webhooks.list({ signal }),
  });
  const [open, setOpen] = useState<Open | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [deleted, setDeleted] = useState(0);
  useEffect(() => {
    // The button that had the focus is gone with its endpoint.
    if (deleted > 0) title.current?.focus();
  }, [deleted]);
  const close = () => setOpen(null);
  return (
    <>
      <section className="card stack" aria-labelledby="webhooks-title">
        <div className="row">
          <h2 id="webhooks-title" ref={title} tabIndex={-1}>
            {text.title}
          </h2>
          {webhooks.isSuccess && (
            <div className="push">
              <Button variant="primary" onPress={() => setOpen({ act: 'add' })}>
                {text.add}
              </Button>
            </div>
          )}
        </div>
        <p className="soft">{text.intro}</p>
        {webhooks.isError &&
          (mayNotManage(webhooks.error) ? (
            <Notice>{text.mayNotManage}</Notice>
          ) : (
            <ProblemNotice>{accountProblem(webhooks.error)}</ProblemNotice>
          ))}
        {webhooks.data?.length === 0 && (
          <div>
            <h3>{text.none}</h3>
            <p className="soft">{text.noneHint}</p>
          </div>
        )}
        {webhooks.data && webhooks.data.length > 0 && (
          <ul className="entries">
            {webhooks.data.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onAct={(act) => setOpen({ act, webhook })} />
            ))}
          </ul>
        )}
      </section>
      {webhooks.isSuccess && <LowCreditsCard />}
      {open?.act === 'add' && <WebhookDialog webhook={null} onClose={close} />}
      {open?.act === 'change' && <WebhookDialog webhook={open.webhook} onClose={close} />}
      {open?.act === 'secret' && <ReplaceSecret webhook={open.webhook} onClose={close} />}
      {open?.act === 'delete' && (
        <DeleteWebhook
          webhook={open.webhook}
          onClose={close}
          onDeleted={() => {
            close();
            setDeleted((count) => count + 1);
          }}
        />
      )}
    </>
  );
}
