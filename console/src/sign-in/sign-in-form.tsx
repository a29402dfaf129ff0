// A key, and what came of signing in with it.
import './sign-in.css';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import type { SignInAnswer } from '../shell/browser-session.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';

const { tooMany, submit: signIn, busy } = messages.signIn;

export function SignInForm({
  words,
  name,
  onSubmit,
  onSignedIn,
  children,
}: {
  readonly words: {
    readonly title: string;
    readonly intro?: string;
    readonly key: string;
    readonly hint: string;
    readonly needed: string;
    readonly wrong: string;
  };
  /** Of the field, for what fills it in. */
  readonly name: string;
  readonly onSubmit: (key: string) => Promise<SignInAnswer>;
  readonly onSignedIn: () => Promise<void>;
  /** Below the form. */
  readonly children: ReactNode;
}) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (key.trim() === '') return setProblem(words.needed);
    setBusy(true);
    setProblem(null);
    try {
      const answer = await onSubmit(key.trim());
      if (answer === 'signed_in') await onSignedIn();
      else setProblem(answer === 'wrong_key' ? words.wrong : tooMany);
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
        <PageTitle>{words.title}</PageTitle>
        {words.intro && <p className="soft">{words.intro}</p>}
        <TextField
          className="field"
          value={key}
          onChange={setKey}
          name={name}
          isInvalid={problem !== null}
          autoComplete="off"
          autoFocus
        >
          <Label>{words.key}</Label>
          <Input className="input mono" spellCheck={false} autoCapitalize="none" />
          <Text slot="description" className="small soft">
            {words.hint}
          </Text>
          <FieldError />
        </TextField>
        {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {isBusy ? busy : signIn}
        </Button>
        {children}
      </form>
    </main>
  );
}
