// What is set for an account, in one form. Promise: only what was edited is sent, and what is read again meanwhile does not touch it.
import type { AdminAccountDetail, ChangeAccountBody } from '@mxproof/client/admin';
import { type FormEvent, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { account as words } from '../messages/en-operator-accounts.ts';
import { changeOf, type Edits, FIELDS, type Field, isNumber, shownIn } from './account-form.ts';
import { LabelledField } from './labelled-field.tsx';
import { admin, useChange } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { useMayChange } from './operator-session.ts';

const text = words.settings;
/** What an empty one means; the others: as the deployment says. */
const NONE: readonly Field[] = ['external_id', 'mail', 'monthly_credits'];

export function AccountSettings({ account }: { readonly account: AdminAccountDetail }) {
  const [edits, setEdits] = useState<Edits>({});
  const [wrong, setWrong] = useState<Field | null>(null);
  const mayChange = useMayChange();
  const save = useChange((_, change: ChangeAccountBody) => admin.accounts.update(account.id, change));
  const asked = changeOf(account, edits);
  const isEdited = asked.kind === 'wrong' || asked.change !== null;
  const shown = { ...shownIn(account), ...edits };

  function submit(event: FormEvent) {
    event.preventDefault();
    setWrong(asked.kind === 'wrong' ? asked.field : null);
    if (asked.kind === 'change' && asked.change !== null)
      save.mutate(asked.change, { onSuccess: () => setEdits({}) });
  }

  function edit(field: Field, typed: string) {
    save.reset();
    setWrong(null);
    setEdits({ ...edits, [field]: typed });
  }

  return (
    <form className="card stack" aria-labelledby="settings" onSubmit={submit} noValidate>
      <h2 id="settings">{text.title}</h2>
      <fieldset className="settings-fields" disabled={!mayChange}>
        {FIELDS.map((field) => (
          <LabelledField
            key={field}
            name={text.fields[field]}
            hint={text.hints[field]}
            value={shown[field]}
            placeholder={NONE.includes(field) ? text.none : text.unset}
            inputMode={isNumber(field) ? 'numeric' : 'text'}
            maxLength={field === 'mail' ? 254 : 200}
            aria-invalid={wrong === field}
            onChange={(typed) => edit(field, typed)}
          />
        ))}
      </fieldset>
      {wrong !== null && (
        <ProblemNotice>
          {wrong === 'name' ? text.wrong.name : text.wrong.number(text.fields[wrong])}
        </ProblemNotice>
      )}
      {save.error && <ProblemNotice>{operatorProblem(save.error)}</ProblemNotice>}
      {save.isSuccess && <Notice tone="good">{text.saved}</Notice>}
      {mayChange && (
        <div className="row">
          <Button type="submit" variant="primary" isDisabled={!isEdited || save.isPending}>
            {save.isPending ? text.saving : text.save}
          </Button>
          {isEdited && (
            <Button variant="quiet" onPress={() => setEdits({})}>
              {text.undo}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
