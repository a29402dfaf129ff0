// Adding an endpoint, whose secret is then shown once, or changing one.
import type { Webhook } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Input, Label, Text, TextField } from 'react-aria-components';
import { accountProblem } from '../account/account-problem.ts';
import { ShownOnce } from '../account/shown-once.tsx';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { Tick } from '../design/tick.tsx';
import { webhookForm as text, webhooks } from '../messages/en-webhooks.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';

const EVENTS = ['list.done', 'list.failed', 'list.paused', 'credits.low'] as const;
const DESCRIPTION_MAX = 200;

type Wanted = Pick<Webhook, 'url' | 'description' | 'events'>;
const NEW: Wanted = { url: '', description: '', events: ['list.done', 'list.failed'] };

export function WebhookDialog({
  webhook,
  onClose,
}: {
  /** Null: a new one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async (wanted: Wanted) => {
      if (webhook === null) return (await mx.webhooks.create(wanted)).webhook_secret;
      await mx.webhooks.update(webhook.id, wanted);
      return null;
    },
    onSuccess: async (secret) => {
      await queries.invalidateQueries({ queryKey: keys.webhooks });
      if (secret === null) onClose();
    },
  });
  if (save.data)
    return (
      // A click beside it must not lose what is never shown again.
      <DialogBox title={text.made} isDismissable={false} onClose={onClose}>
        <ShownOnce name={text.made} secret={save.data} warning={text.shownOnce} copyLabel={text.copy} />
        <Button slot="close" variant="primary">
          {text.done}
        </Button>
      </DialogBox>
    );
  return (
    <DialogBox title={webhook === null ? text.addTitle : text.changeTitle} onClose={onClose}>
      <Form
        before={webhook ?? NEW}
        submit={webhook === null ? text.add : text.save}
        isBusy={save.isPending}
        refusal={save.isError ? accountProblem(save.error) : null}
        onSubmit={save.mutate}
      />
    </DialogBox>
  );
}

function Form({
  before,
  submit: submitName,
  isBusy,
  refusal,
  onSubmit,
}: {
  readonly before: Wanted;
  readonly submit: string;
  readonly isBusy: boolean;
  readonly refusal: string | null;
  readonly onSubmit: (wanted: Wanted) => void;
}) {
  const [url, setUrl] = useState(before.url);
  const [description, setDescription] = useState(before.description);
  const [events, setEvents] = useState<readonly Wanted['events'][number][]>(before.events);
  const [missing, setMissing] = useState<'url' | 'events' | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const isHttps = URL.canParse(url.trim()) && new URL(url.trim()).protocol === 'https:';
    if (!isHttps) return setMissing('url');
    if (events.length === 0) return setMissing('events');
    setMissing(null);
    onSubmit({ url: url.trim(), description: description.trim(), events: [...events] });
  }

  const problem = missing === null ? refusal : text.missing[missing];
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextField className="field" value={url} onChange={setUrl} isInvalid={missing === 'url'} autoFocus>
        <Label>{text.url}</Label>
        <Input
          className="input"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Text slot="description" className="small soft">
          {text.urlHint}
        </Text>
      </TextField>
      <TextField className="field" value={description} onChange={setDescription} maxLength={DESCRIPTION_MAX}>
        <Label>{text.description}</Label>
        <Input className="input" autoComplete="off" />
        <Text slot="description" className="small soft">
          {text.descriptionHint}
        </Text>
      </TextField>
      <fieldset className="webhook-events">
        <legend className="field-name">{text.events}</legend>
        {EVENTS.map((each) => (
          <Tick
            key={each}
            name={webhooks.events[each]}
            isSet={events.includes(each)}
            onChange={(isSet) =>
              setEvents(EVENTS.filter((one) => (one === each ? isSet : events.includes(one))))
            }
          />
        ))}
      </fieldset>
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {isBusy ? text.busy : submitName}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </form>
  );
}
