// The suppression list: how many are on it and why, whether an address is, and adding more. Promise: it never shows an address that
// was not typed here.
import { readAddresses } from '@mxproof/files/read-addresses';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { suppressions as text } from '../messages/en-outcomes.ts';
import { keys, mx } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { outcomesProblem } from './outcomes-problem.ts';
import { SuppressionFile } from './suppression-file.tsx';

const EMAIL_MAX = 1_000;
const COUNTS = ['total', 'bounced', 'complained', 'uploaded'] as const;

export function SuppressionsPanel() {
  const may = useMay();
  return (
    <>
      <Counts />
      {may.change && (
        <>
          <Ask />
          <Add />
        </>
      )}
    </>
  );
}

function Counts() {
  const counts = useQuery({
    queryKey: keys.suppressions,
    queryFn: ({ signal }) => mx.suppressions.count({ signal }),
  });
  const { data } = counts;
  return (
    <section className="card stack" aria-labelledby="suppressed-title">
      <h2 id="suppressed-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      {counts.isError && <ProblemNotice>{outcomesProblem(counts.error)}</ProblemNotice>}
      {data && (
        <dl className="suppression-counts">
          {COUNTS.map((each) => (
            <div key={each}>
              <dt className="small soft">{text.counts[each]}</dt>
              <dd>{formatCount(data[each])}</dd>
            </div>
          ))}
        </dl>
      )}
      {data && data.bounced + data.complained + data.uploaded > data.total && (
        <p className="small soft">{text.several}</p>
      )}
      <p className="soft">{text.hidden}</p>
    </section>
  );
}

function Ask() {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const ask = useMutation({
    mutationFn: async (email: string) => ({ email, isOn: (await mx.suppressions.check([email])).length > 0 }),
  });
  const remove = useMutation({
    mutationFn: async (email: string) => {
      await mx.suppressions.remove([email]);
      return email;
    },
    onSuccess: () => {
      ask.reset();
      return queries.invalidateQueries({ queryKey: keys.suppressions });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const email = typed.trim();
    setMissing(email === '');
    remove.reset();
    if (email !== '') ask.mutate(email);
  }

  const problem = ask.error ?? remove.error;
  return (
    <section className="card stack" aria-labelledby="ask-title">
      <h2 id="ask-title">{text.checkTitle}</h2>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField
          className="field"
          value={typed}
          onChange={(value) => {
            setTyped(value);
            ask.reset();
            remove.reset();
          }}
          maxLength={EMAIL_MAX}
          isInvalid={isMissing}
        >
          <Label>{text.address}</Label>
          <Input
            className="input"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </TextField>
        {isMissing && typed.trim() === '' && <ProblemNotice>{text.needed}</ProblemNotice>}
        <div>
          <Button type="submit" isPending={ask.isPending}>
            {text.check}
          </Button>
        </div>
      </form>
      {problem && <ProblemNotice>{outcomesProblem(problem)}</ProblemNotice>}
      {ask.data && (
        <Notice tone={ask.data.isOn ? 'warning' : 'good'}>
          <span>{ask.data.isOn ? text.isOn(ask.data.email) : text.isOff(ask.data.email)}</span>
          {ask.data.isOn && (
            <>
              <Button isPending={remove.isPending} onPress={() => ask.data && remove.mutate(ask.data.email)}>
                {text.remove}
              </Button>
              <span className="small soft">{text.removeMeaning}</span>
            </>
          )}
        </Notice>
      )}
      {remove.isSuccess && <Notice tone="good">{text.removed(remove.data)}</Notice>}
    </section>
  );
}

function Add() {
  const queries = useQueryClient();
  const [pasted, setPasted] = useState('');
  const [isMissing, setMissing] = useState(false);
  const add = useMutation({
    mutationFn: async (emails: readonly string[]) => ({
      added: await mx.suppressions.add(emails),
      all: emails.length,
    }),
    onSuccess: () => {
      setPasted('');
      return queries.invalidateQueries({ queryKey: keys.suppressions });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const emails = readAddresses(pasted)
      .filter(({ isAddress }) => isAddress)
      .map((item) => item.text);
    setMissing(emails.length === 0);
    add.reset();
    if (emails.length > 0) add.mutate(emails);
  }

  return (
    <section className="card stack" aria-labelledby="add-title">
      <h2 id="add-title">{text.addTitle}</h2>
      <p className="soft">{text.addIntro}</p>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField className="field" value={pasted} onChange={setPasted} isInvalid={isMissing}>
          <Label>{text.field}</Label>
          <TextArea
            className="input mono"
            rows={4}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
          />
          <Text slot="description" className="small soft">
            {text.fieldHint}
          </Text>
        </TextField>
        {isMissing && <ProblemNotice>{text.noAddress}</ProblemNotice>}
        {add.isError && <ProblemNotice>{outcomesProblem(add.error)}</ProblemNotice>}
        {add.isSuccess && <Notice tone="good">{text.added(add.data.added, add.data.all)}</Notice>}
        <div>
          <Button type="submit" isPending={add.isPending}>
            {add.isPending ? text.adding : text.add}
          </Button>
        </div>
      </form>
      <SuppressionFile />
    </section>
  );
}
