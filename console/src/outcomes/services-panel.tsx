// The hooks of sending services: added with a URL that is shown once, told apart, deleted.
import type { Hook } from '@mxproof/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { mayNotManage } from '../account/account-problem.ts';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { formatDay, formatMoment } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { services as text } from '../messages/en-outcomes.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { NewService } from './new-service.tsx';
import { outcomesProblem } from './outcomes-problem.ts';
import { useSettings } from './use-outcomes.ts';

export function ServicesPanel() {
  const settings = useSettings();
  const hooks = useQuery({ queryKey: keys.hooks, queryFn: ({ signal }) => mx.hooks.list({ signal }) });
  const [isAdding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Hook | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [deleted, setDeleted] = useState(0);
  useEffect(() => {
    // The button that had the focus is gone with its hook.
    if (deleted > 0) title.current?.focus();
  }, [deleted]);
  return (
    <section className="card stack" aria-labelledby="services-title">
      <div className="row">
        <h2 id="services-title" ref={title} tabIndex={-1}>
          {text.title}
        </h2>
        {hooks.isSuccess && (
          <div className="push">
            <Button variant="primary" onPress={() => setAdding(true)}>
              {text.add}
            </Button>
          </div>
        )}
      </div>
      <p className="soft">{text.intro}</p>
      {settings.data?.outcomes === false && <Notice tone="warning">{text.off}</Notice>}
      {hooks.isError &&
        (mayNotManage(hooks.error) ? (
          <Notice>{text.mayNotManage}</Notice>
        ) : (
          <ProblemNotice>{outcomesProblem(hooks.error)}</ProblemNotice>
        ))}
      {hooks.data?.length === 0 && (
        <div>
          <h3>{text.none}</h3>
          <p className="soft">{text.noneHint}</p>
        </div>
      )}
      {hooks.data && hooks.data.length > 0 && (
        <ul className="entries">
          {hooks.data.map((hook) => (
            <HookRow key={hook.id} hook={hook} onDelete={() => setDeleting(hook)} />
          ))}
        </ul>
      )}
      {isAdding && <NewService onClose={() => setAdding(false)} />}
      {deleting && (
        <DeleteHook
          hook={deleting}
          onClose={() => setDeleting(null)}
          onDeleted={() => {
            setDeleting(null);
            setDeleted((count) => count + 1);
          }}
        />
      )}
    </section>
  );
}

function HookRow({ hook, onDelete }: { readonly hook: Hook; readonly onDelete: () => void }) {
  const { service, topic, created_at, last_event_at } = hook;
  const name = text.names[service];
  return (
    <li className="entry">
      <div>
        <p className="entry-name">{name}</p>
        {topic !== null && <p className="mono small callback-url">{topic}</p>}
        <p className="small soft">
          <span className="fact">{text.addedAt(formatDay(created_at))}&nbsp;·</span>{' '}
          <span className="fact">
            {last_event_at === null ? text.noEvent : text.lastEvent(formatMoment(last_event_at))}
          </span>
        </p>
      </div>
      <Button variant="quiet" aria-label={text.removeOf(name, formatDay(created_at))} onPress={onDelete}>
        {text.remove}
      </Button>
    </li>
  );
}

function DeleteHook({
  hook,
  onClose,
  onDeleted,
}: {
  readonly hook: Hook;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => mx.hooks.delete(hook.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.hooks });
      onDeleted();
    },
  });
  return (
    <DialogBox title={text.removeTitle(text.names[hook.service])} isQuestion onClose={onClose}>
      <p>{text.removeMeaning}</p>
      {remove.isError && <ProblemNotice>{outcomesProblem(remove.error)}</ProblemNotice>}
      <div className="row">
        <Button variant="danger" isDisabled={remove.isPending} onPress={() => remove.mutate()}>
          {text.removeConfirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
