// An account's balance; credits are added at once, and taken back after a question.
import type { AdminAccountDetail, ChangeCreditsBody } from '@mxproof/client/admin';
import { type FormEvent, useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { accounts, account as words } from '../messages/en-operator-accounts.ts';
import { Confirm } from './confirm.tsx';
import { LabelledField } from './labelled-field.tsx';
import { operatorProblem } from './operator-problem.ts';
import { useMayChange } from './operator-session.ts';
import { readCount } from './read-count.ts';
import { useChange } from './use-change.ts';
import { monthName } from './when.ts';

const text = words.credits;

export function AccountCredits({ account }: { readonly account: AdminAccountDetail }) {
  const { credits, credits_used, monthly_credits, monthly_from } = account;
  const monthly =
    monthly_credits !== null &&
    text.monthly(formatCount(monthly_credits), monthly_from && monthName(monthly_from));
  return (
    <section className="card stack" aria-labelledby="credits">
      <h2 id="credits">{text.title}</h2>
      <div>
        <p className="balance-number">{text.balance(credits)}</p>
        <p className="small soft">
          {[text.used(formatCount(credits_used)), monthly].filter(Boolean).join(' · ')}
        </p>
      </div>
      {useMayChange() && <ChangeCredits account={account} />}
    </section>
  );
}

function ChangeCredits({ account: { id, name, credits } }: { readonly account: AdminAccountDetail }) {
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  const [missing, setMissing] = useState(false);
  const [taking, setTaking] = useState<number | null>(null);
  const change = useChange<number, AdminAccountDetail>((by) => ({
    method: 'POST',
    path: `/accounts/${id}/credits`,
    body: { credits: by, note: note.trim() } satisfies ChangeCreditsBody,
  }));
  const done = {
    onSuccess: () => {
      setAmount('');
      setNote('');
      setTaking(null);
    },
  };

  function begin(act: (count: number) => void) {
    change.reset();
    const count = readCount(amount);
    setMissing(typeof count !== 'number');
    if (typeof count === 'number') act(count);
  }

  function add(event: FormEvent) {
    event.preventDefault();
    begin((count) => change.mutate(count, done));
  }

  return (
    <form className="stack" onSubmit={add} noValidate>
      <div className="credits-fields">
        <LabelledField name={text.amount} value={amount} inputMode="numeric" onChange={setAmount} />
        <LabelledField name={accounts.note} value={note} maxLength={200} onChange={setNote} />
      </div>
      {missing && <ProblemNotice>{text.needed}</ProblemNotice>}
      {change.isError && taking === null && <ProblemNotice>{operatorProblem(change.error)}</ProblemNotice>}
      {change.isSuccess && <Changed by={change.variables} balance={change.data.credits} />}
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
          isDangerous
          change={change}
          onConfirm={() => change.mutate(-taking, done)}
          onClose={() => setTaking(null)}
        >
          <p>{text.takeMeaning(name, credits - taking)}</p>
        </Confirm>
      )}
    </form>
  );
}

function Changed({ by, balance }: { readonly by: number; readonly balance: number }) {
  const said = by > 0 ? text.added(by, formatCount(balance)) : text.taken(-by, formatCount(balance));
  return <Notice tone="good">{said}</Notice>;
}
