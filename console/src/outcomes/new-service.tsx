// Adding a sending service: what it signs with, then its URL, once, and where to paste it.
import { type Hook, Refusal } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Input, Label, Text, TextField } from 'react-aria-components';
import { ShownOnce } from '../account/shown-once.tsx';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { services, newService as text } from '../messages/en-outcomes.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { outcomesProblem } from './outcomes-problem.ts';

type Service = Hook['service'];
const SERVICES = Object.keys(services.names) as Service[];

export function NewService({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: (wanted: Parameters<typeof mx.hooks.create>[0]) => mx.hooks.create(wanted),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.hooks }),
  });
  if (!make.data)
    return (
      <DialogBox title={text.title} onClose={onClose}>
        <Form isBusy={make.isPending} error={make.error} onSubmit={make.mutate} />
      </DialogBox>
    );
  const { service, url } = make.data;
  const made = text.made(services.names[service]);
  return (
    // A click beside it must not lose what is never shown again.
    <DialogBox title={made} isDismissable={false} onClose={onClose}>
      <ShownOnce name={made} secret={url} warning={text.shownOnce} copyLabel={text.copy} />
      <h3>{text.whereTitle}</h3>
      <ol className="where">
        {text.where[service].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Button slot="close" variant="primary">
        {text.done}
      </Button>
    </DialogBox>
  );
}

function Form({
  isBusy,
  error,
  onSubmit,
}: {
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (wanted: Parameters<typeof mx.hooks.create>[0]) => void;
}) {
  const [service, setService] = useState<Service>('postmark');
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const words = text.keys[service];

  function submit(event: FormEvent) {
    event.preventDefault();
    const given = typed.trim();
    const isFit = service === 'postmark' ? /^([^:\s]+:\S+)?$/.test(given) : given !== '';
    setMissing(!isFit);
    if (!isFit) return;
    if (service === 'ses') onSubmit({ service, topic: given });
    else onSubmit({ service, ...(given !== '' && { signing_key: given }) });
  }

  const refusal = error instanceof Refusal && error.kind === 'bad_signing_key' ? words.missing : null;
  const problem = isMissing ? words.missing : error && (refusal ?? outcomesProblem(error));
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <fieldset className="service-choice">
        <legend className="field-name">{text.which}</legend>
        {SERVICES.map((each) => (
          <label key={each} className="tick">
            <input
              type="radio"
              name="service"
              checked={each === service}
              onChange={() => {
                setService(each);
                setTyped('');
                setMissing(false);
              }}
            />
            <span>{services.names[each]}</span>
          </label>
        ))}
      </fieldset>
      <TextField className="field" value={typed} onChange={setTyped} isInvalid={isMissing}>
        <Label>{words.label}</Label>
        <Input className="input mono" autoComplete="off" autoCapitalize="none" spellCheck={false} />
        <Text slot="description" className="small soft">
          {words.hint}
        </Text>
      </TextField>
      {problem && <ProblemNotice>{problem}</ProblemNotice>}
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {isBusy ? text.busy : text.make}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </form>
  );
}
