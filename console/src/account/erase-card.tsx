// Erases an address from the account's lists: asked twice, since nothing brings it back, then followed until it is done.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { erasing } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { mx } from '../shell/api.ts';
import { useAccount } from '../shell/session.ts';
import { accountProblem } from './account-problem.ts';

const text = erasing;
const LOOK_MS = 1_000;
const EMAIL_MAX = 1_000;

export function EraseCard() {
  const { data: account } = useAccount();
  const [email, setEmail] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [begun, setBegun] = useState<number | null>(null);
  const wanted = email.trim();
  return (
    <section className="card stack" aria-labelledby="erase-title">
      <h2 id="erase-title">{text.title}</h2>
      <p className="soft">{account?.isTest ? text.introTest : text.intro}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== '') setAsking(true);
        }}
      >
        <TextField className="field" value={email} onChange={setEmail} maxLength={EMAIL_MAX}>
          <Label>{text.address}</Label>
          <Input className="input" autoComplete="off" spellCheck="false" />
        </TextField>
        <div>
          <Button type="submit" isDisabled={wanted === ''}>
            {text.erase}
          </Button>
        </div>
      </form>
      {begun !== null && <Progress id={begun} />}
      {isAsking && (
        <Question
          email={wanted}
          onBegun={(id) => {
            setBegun(id);
            setAsking(false);
            setEmail('');
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

function Question({
  email,
  onBegun,
  onClose,
}: {
  readonly email: string;
  readonly onBegun: (id: number) => void;
  readonly onClose: () => void;
}) {
  const erase = useMutation({ mutationFn: () => mx.account.erase(email), onSuccess: onBegun });
  return (
    <DialogBox title={text.question(email)} isQuestion onClose={onClose}>
      <p>{text.meaning}</p>
      <p className="soft">{text.held}</p>
      {erase.isError && <ProblemNotice>{accountProblem(erase.error)}</ProblemNotice>}
      <div className="row">
        <Button variant="primary" isDisabled={erase.isPending} onPress={() => erase.mutate()}>
          {text.confirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}

function Progress({ id }: { readonly id: number }) {
  const cache = useQueryClient();
  const erasure = useQuery({
    queryKey: ['erasure', id],
    queryFn: ({ signal }) => mx.account.erasure(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : LOOK_MS),
  });
  const isDone = erasure.data?.status === 'done';
  useEffect(() => {
    // Rows that are kept in the page still have it.
    if (isDone) void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'erasure' });
  }, [cache, isDone]);
  if (erasure.isError) return <ProblemNotice>{accountProblem(erasure.error)}</ProblemNotice>;
  return (
    <Notice>{erasure.data && isDone ? `${text.done(erasure.data.rows)} ${text.held}` : text.running}</Notice>
  );
}
