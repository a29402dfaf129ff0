// Signing in with an API key.
import './sign-in.css';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';
import { signIn } from '../shell/session.ts';

const text = messages.signIn;

export function SignIn() {
  const queries = useQueryClient();
  const [apiKey, setApiKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  /** Where a session had ended, its page is still there, hidden: only the same account may see it again. */
  async function enter() {
    const before = queries.getQueryData<{ readonly name: string }>(keys.account)?.name;
    const isAnother = before !== undefined && (await mx.account.get()).name !== before;
    if (isAnother) location.assign('/');
    else await queries.resetQueries();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (apiKey.trim() === '') return setProblem(text.needed);
    setBusy(true);
    setProblem(null);
    try {
      const answer = await signIn(apiKey.trim());
      if (answer === 'signed_in') await enter();
      else setProblem(answer === 'wrong_key' ? text.wrong : text.tooMany);
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="sign-in">
      <form className="card stack" onSubmit={submit} noValidate>
        <img src="/favicon.svg" alt="MXProof" width="40" height="40" />
        <PageTitle>{text.title}</PageTitle>
        <p className="soft">{text.intro}</p>
        <TextField
          className="field"
          value={apiKey}
          onChange={setApiKey}
          name="api_key"
          isInvalid={problem !== null}
          autoComplete="off"
          autoFocus
        >
          <Label>{text.apiKey}</Label>
          <Input className="input mono" spellCheck={false} autoCapitalize="none" />
          <Text slot="description" className="small soft">
            {text.hint}
          </Text>
          <FieldError />
        </TextField>
        {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {isBusy ? text.busy : text.submit}
        </Button>
        <p className="small soft">{text.noKey}</p>
        <p className="ways-on small">
          <Link to="/guide">{text.guide}</Link>
          <Link to="/guide" hash="operators">
            {text.forOperators}
          </Link>
        </p>
      </form>
    </main>
  );
}
