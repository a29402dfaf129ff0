// Below how many credits endpoints are told that credits are low.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Input, Label, Text, TextField } from 'react-aria-components';
import { accountProblem } from '../account/account-problem.ts';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { lowCredits as text } from '../messages/en-webhooks.ts';
import { keys, mx } from '../shell/api.ts';

export function LowCreditsCard() {
  const settings = useQuery({
    queryKey: keys.settings,
    queryFn: async ({ signal }) => (await mx.account.get({ include: 'settings', signal })).settings ?? null,
  });
  return (
    <section className="card stack" aria-labelledby="low-title">
      <h2 id="low-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      {settings.isError && <ProblemNotice>{accountProblem(settings.error)}</ProblemNotice>}
      {settings.data && <Form before={settings.data.low_credits} />}
    </section>
  );
}

function Form({ before }: { readonly before: number | null }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState(String(before ?? ''));
  const [isWrong, setWrong] = useState(false);
  const save = useMutation({
    mutationFn: (low: number | null) => mx.account.update({ low_credits: low }),
    onSuccess: ({ settings }) => queries.setQueryData(keys.settings, settings),
  });

  function change(value: string) {
    setTyped(value);
    setWrong(false);
    save.reset();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const given = typed.trim();
    const isFit = given === '' || /^[1-9]\d{0,11}$/.test(given);
    setWrong(!isFit);
    if (isFit) save.mutate(given === '' ? null : Number(given));
  }

  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextField className="field" value={typed} onChange={change} isInvalid={isWrong}>
        <Label>{text.label}</Label>
        <Input className="input low-credits" inputMode="numeric" autoComplete="off" />
        <Text slot="description" className="small soft">
          {text.hint}
        </Text>
      </TextField>
      {isWrong && <ProblemNotice>{text.wrong}</ProblemNotice>}
      {save.isError && <ProblemNotice>{accountProblem(save.error)}</ProblemNotice>}
      {save.isSuccess && <Notice tone="good">{text.saved}</Notice>}
      <div>
        <Button type="submit" isPending={save.isPending}>
          {text.save}
        </Button>
      </div>
    </form>
  );
}
