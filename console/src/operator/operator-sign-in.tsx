// Signing in to the operator's pages: with an admin key, or how to make a link.
import '../sign-in/sign-in.css';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { operator } from '../messages/en-operator.ts';
import { messages } from '../messages/messages.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { LabelledField } from './labelled-field.tsx';
import { OPERATOR } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { signInOperator } from './operator-session.ts';

const text = operator.out;

export function OperatorSignIn() {
  const queries = useQueryClient();
  const [adminKey, setAdminKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (adminKey.trim() === '') return setProblem(text.needed);
    setBusy(true);
    setProblem(null);
    try {
      const answer = await signInOperator(adminKey.trim());
      if (answer === 'signed_in') await queries.resetQueries({ queryKey: OPERATOR });
      else setProblem(answer === 'wrong_key' ? text.wrong : messages.signIn.tooMany);
    } catch (error) {
      setProblem(operatorProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="sign-in">
      <form className="card stack operator-out" onSubmit={submit} noValidate>
        <img src="/favicon.svg" alt="MXProof" width="40" height="40" />
        <PageTitle>{text.title}</PageTitle>
        <LabelledField
          name={text.key}
          hint={text.hint}
          value={adminKey}
          className="input mono"
          spellCheck={false}
          autoCapitalize="none"
          aria-invalid={problem !== null}
          autoFocus
          onChange={setAdminKey}
        />
        {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {isBusy ? messages.signIn.busy : messages.signIn.submit}
        </Button>
        <p>{text.noKey}</p>
        <pre className="operator-command">
          <code>{text.command}</code>
        </pre>
        <p className="small soft">{text.how}</p>
        <p className="small">
          <a href="/">{text.console}</a>
        </p>
      </form>
    </main>
  );
}
