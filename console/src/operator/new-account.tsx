// A new account: its name and what it begins with; then its first key and its webhook secret, once.
import type { CreateAccountBody, NewAccount } from '@mxproof/client/admin';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ShownOnce } from '../account/shown-once.tsx';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { account, accounts as text } from '../messages/en-operator-accounts.ts';
import { messages } from '../messages/messages.ts';
import { LabelledField } from './labelled-field.tsx';
import { operatorProblem } from './operator-problem.ts';
import { readCount } from './read-count.ts';
import { useChange } from './use-change.ts';

export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const make = useChange<CreateAccountBody, NewAccount>((body) => ({
    method: 'POST',
    path: '/accounts',
    body,
  }));
  if (make.data) return <Made made={make.data} onClose={onClose} />;
  return (
    <DialogBox title={text.make} isDismissable={false} onClose={onClose}>
      <Wishes
        isBusy={make.isPending}
        problem={make.isError ? operatorProblem(make.error) : null}
        onSubmit={make.mutate}
      />
    </DialogBox>
  );
}

function Wishes({
  isBusy,
  problem,
  onSubmit,
}: {
  readonly isBusy: boolean;
  readonly problem: string | null;
  readonly onSubmit: (account: CreateAccountBody) => void;
}) {
  const [name, setName] = useState('');
  const [credits, setCredits] = useState('');
  const [externalId, setExternalId] = useState('');
  const [note, setNote] = useState('');
  const [missing, setMissing] = useState<string | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = /^0*$/.test(credits.trim()) ? 0 : readCount(credits);
    if (name.trim() === '') return setMissing(account.settings.wrong.name);
    if (typeof wanted !== 'number') return setMissing(account.settings.wrong.number(text.startCredits));
    setMissing(null);
    onSubmit({
      name: name.trim(),
      credits: wanted,
      note: note.trim(),
      external_id: externalId.trim() || null,
    });
  }

  const said = missing ?? problem;
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <LabelledField name={text.name} value={name} maxLength={200} autoFocus onChange={setName} />
      <LabelledField
        name={text.startCredits}
        value={credits}
        inputMode="numeric"
        placeholder="0"
        onChange={setCredits}
      />
      <LabelledField
        name={text.externalId}
        hint={text.externalIdHint}
        value={externalId}
        maxLength={200}
        onChange={setExternalId}
      />
      <LabelledField name={text.note} hint={text.noteHint} value={note} maxLength={200} onChange={setNote} />
      {said !== null && <ProblemNotice>{said}</ProblemNotice>}
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {isBusy ? text.making : text.create}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </form>
  );
}

function Made({
  made: { id, name, api_key, webhook_secret },
  onClose,
}: {
  readonly made: NewAccount;
  readonly onClose: () => void;
}) {
  return (
    // A click beside it must not lose what is never shown again.
    <DialogBox title={text.made(name)} isDismissable={false} onClose={onClose}>
      <ShownOnce
        name={text.apiKey}
        secret={api_key}
        warning={`${text.madeHint} ${text.apiKey}:`}
        copyLabel={text.copyKey}
      />
      <ShownOnce
        name={text.webhookSecret}
        secret={webhook_secret}
        warning={`${text.webhookSecret}:`}
        copyLabel={text.copySecret}
        isFirst={false}
      />
      <div className="row">
        <Link to="/operator/accounts/$id" params={{ id: String(id) }} className="button" data-primary="">
          {text.open}
        </Link>
        <Button slot="close">{messages.close}</Button>
      </div>
    </DialogBox>
  );
}
