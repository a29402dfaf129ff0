// One endpoint: where it is, what it is told of, whether it is on, what was sent to it, and what can be done with it.
import type { Webhook } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountProblem } from '../account/account-problem.ts';
import { Button } from '../design/button.tsx';
import { formatDay, formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { deliveries, webhooks as text } from '../messages/en-webhooks.ts';
import { keys, mx } from '../shell/api.ts';
import { DeliveryList } from './delivery-list.tsx';
import type { WebhookAct } from './webhooks-panel.tsx';

export function WebhookRow({
  webhook,
  onAct,
}: {
  readonly webhook: Webhook;
  readonly onAct: (act: WebhookAct) => void;
}) {
  const { id, url, description, events, paused_at, off_at, off_reason } = webhook;
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const isActive = paused_at === null && off_at === null;
  const refresh = () => queries.invalidateQueries({ queryKey: keys.webhooks });
  const pause = useMutation({
    mutationFn: (paused: boolean) => mx.webhooks.update(id, { paused }),
    // Also after a refusal: it may be another's doing.
    onSettled: refresh,
  });
  const tryOut = useMutation({
    mutationFn: () => mx.webhooks.test(id),
    onSuccess: () => setOpen(true),
    onSettled: refresh,
  });
  const refused = pause.error ?? tryOut.error;
  return (
    <li className="entry webhook">
      <div className="entry-wide">
        <p className="row">
          <strong className="entry-name">{description || new URL(url).host}</strong>
          <State webhook={webhook} />
        </p>
        <p className="mono small callback-url">{url}</p>
        <p className="small soft">{events.map((event) => text.events[event] ?? event).join(' · ')}</p>
        {off_at !== null && (
          <p className="small">{text.offReasons[off_reason ?? 'failing'](formatDay(off_at))}</p>
        )}
        {off_at === null && paused_at !== null && (
          <p className="small">{text.pausedSince(formatMoment(paused_at))}</p>
        )}
      </div>
      <div className="row entry-wide webhook-acts">
        {isActive && (
          <Act name={text.test} url={url} isPending={tryOut.isPending} onPress={() => tryOut.mutate()} />
        )}
        <Act
          name={isActive ? text.pause : off_at === null ? text.resume : text.switchOn}
          url={url}
          isPending={pause.isPending}
          onPress={() => pause.mutate(isActive)}
        />
        <Act name={text.change} url={url} onPress={() => onAct('change')} />
        <Act name={text.secret} url={url} onPress={() => onAct('secret')} />
        <Act name={text.remove} url={url} onPress={() => onAct('delete')} />
      </div>
      {refused !== null && (
        <div className="entry-wide">
          <ProblemNotice>{accountProblem(refused)}</ProblemNotice>
        </div>
      )}
      <details
        className="more entry-wide"
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="small" aria-label={text.of(deliveries.title, url)}>
          {deliveries.title}
        </summary>
        {isOpen && <DeliveryList webhookId={id} />}
      </details>
    </li>
  );
}

function State({ webhook: { paused_at, off_at } }: { readonly webhook: Webhook }) {
  if (off_at !== null) return <span className="tag tag-bad">{text.off}</span>;
  return <span className="tag">{paused_at === null ? text.on : text.paused}</span>;
}

function Act({
  name,
  url,
  isPending = false,
  onPress,
}: {
  readonly name: string;
  readonly url: string;
  readonly isPending?: boolean;
  readonly onPress: () => void;
}) {
  return (
    <Button variant="quiet" aria-label={text.of(name, url)} isPending={isPending} onPress={onPress}>
      {name}
    </Button>
  );
}
