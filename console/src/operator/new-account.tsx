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
import { admin, useChange } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { readCount } from './read-count.ts';

const FIELDS = ['name', 'credits', 'external_id', 'note'] as const;
const NOTHING = { name: '', credits: '', external_id: '', note: '' };

export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState(NOTHING);
  const [missing, setMissing] = useState<string | null>(null);
  const make = useChange((options, body: CreateAccountBody) => admin.accounts.create(body, options));
  if (make.data) return <Made made={make.data} onClose={onClose} />;

  function submit(event: FormEvent) {
    event.preventDefault();
    const { name, external_id, note } = typed;
    const credits = Number(typed.credits) === 0 ? 0 : readCount(typed.credits);
    if (name.trim() === '') return setMissing(account.settings.wrong.name);
    if (typeof credits !== 'number') return setMissing(account.settings.wrong.number(text.fields.credits));
    setMissing(null);
    make.mutate({ name: name.trim(), credits, note: note.trim(), external_id: external_id.trim() || null });
  }

  const problem = missing ?? (make.error && operatorProblem(make.error));
  return (
    <DialogBox title={text.make} isDismissable={false} onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        {FIELDS.map((field) => (
          <LabelledField
            key={field}
            name={text.fields[field]}
            hint={text.hints[field]}
            value={typed[field]}
            maxLength={200}
            autoFocus={field === 'name'}
            onChange={(value) => setTyped({ ...typed, [field]: value })}
          />
        ))}
        {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
        <div className="row">
          <Button type="submit" variant="primary" isDisabled={make.isPending}>
            {make.isPending ? text.making : text.create}
          </Button>
          <Button slot="close">{messages.cancel}</Button>
        </div>
      </form>
    </DialogBox>
  );
}

function Made({
  made: { id, name, ...secrets },
  onClose,
}: {
  readonly made: NewAccount;
  readonly onClose: () => void;
}) {
  return (
    // A click beside it must not lose what is never shown again.
    <DialogBox title={text.made(name)} isDismissable={false} onClose={onClose}>
      {(['api_key', 'webhook_secret'] as const).map((field) => (
        <ShownOnce
          key={field}
          name={text.secrets[field].name}
          secret={secrets[field]}
          warning={text.secrets[field].warning}
          copyLabel={text.secrets[field].copy}
          isFirst={field === 'api_key'}
        />
      ))}
      <div className="row">
        <Link to="/operator/accounts/$id" params={{ id: String(id) }} className="button" data-primary="">
          {text.open}
        </Link>
        <Button slot="close">{messages.close}</Button>
      </div>
    </DialogBox>
  );
}
