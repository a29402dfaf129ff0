// An account's balance; credits are added at once, and taken back after a question.
import type { AdminAccountDetail, ChangeCreditsBody } from '@mxproof/client/admin';
import { type FormEvent, useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { accounts, account as words } from '../messages/en-operator-accounts.ts';
import { Confirm } from './confirm.tsx';
import { LabelledField } from './labelled-field.tsx';
import { admin, useChange } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { useMayChange } from './operator-session.ts';
import { readCount } from './read-count.ts';
import { monthName } from './when.ts';

const text = words.credits;

export function AccountCredits({ account }: { readonly account: AdminAccountDetail }) {
  const { credits, credits_used, monthly_credits: monthly, monthly_from: from } = account;
  const used = text.used(formatCount(credits_used));
  return (
    <section className="card stack" aria-labelledby="credits">
      <h2 id="credits">{text.title}</h2>
      <div>
        <p className="balance-number">{text.balance(credits)}</p>
        <p className="small soft">
          {monthly === null
            ? used
            : `${used} · ${text.monthly(formatCount(monthly), from && monthName(from))}`}
        </p>
      </div>
      {useMayChange() && <ChangeCredits account={account} />}
    </section>
  );
}

function ChangeCredits({ account: { id, name, credits } }: { readonly account: AdminAccountDetail }) {
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [taking, setTaking] = useState<number | null>(null);
  const change = useChange((options, by: ChangeCreditsBody) => admin.accounts.changeCredits(id, by, options));
  const by = (count: number) =>
    change.mutate(
      { credits: count, note: note.trim() },
      {
        onSuccess: () => {
          setAmount('');
          setNote('');
          setTaking(null);
        },
      },
    );

  function begin(act: (count: number) => void) {
    change.reset();
    const count = readCount(amount);
    setMissing(typeof count !== 'number');
    if (typeof count === 'number') act(count);
  }

  const add = (event: FormEvent) => {
    event.preventDefault();
    begin(by);
  };
  return (
    <form className="stack" onSubmit={add} noValidate>
      <div className="credits-fields">
        <LabelledField name={text.amount} value={amount} inputMode="numeric" onChange={setAmount} />
        <LabelledField name={accounts.fields.note} value={note} maxLength={200} onChange={setNote} />
      </div>
      {isMissing && <ProblemNotice>{text.needed}</ProblemNotice>}
      {change.error && taking === null && <ProblemNotice>{operatorProblem(change.error)}</ProblemNotice>}
      {change.isSuccess && (
        <Notice tone="good">
          {text.changed(change.variables.credits, formatCount(change.data.credits))}
        </Notice>
      )}
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={change.isPending}>
          {text.add}
        </Button>
        <Button isDisabled={change.isPending} onPress={() => begin(setTaking)}>
          {text.take}
        </Button>
      </div>
      {taking !== null && (
        <Confirm
          title={text.takeTitle(taking)}
          confirm={text.takeNow}
          change={change}
          onConfirm={() => by(-taking)}
          onClose={() => setTaking(null)}
        >
          <p>{text.takeMeaning(name, credits - taking)}</p>
        </Confirm>
      )}
    </form>
  );
}
