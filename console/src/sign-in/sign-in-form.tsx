// The card for signing in; a key, and what came of signing in with it.
import './sign-in.css';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { signIn as text } from '../messages/en-sign-in.ts';
import type { SignInAnswer } from '../shell/browser-session.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';

export function SignInCard({
  title,
  intro,
  hasEnded,
  children,
}: {
  readonly title: string;
  readonly intro?: string;
  /** A session that this page was shown in, without being asked to. */
  readonly hasEnded: boolean;
  readonly children: ReactNode;
}) {
  return (
    <main className="sign-in">
      <div className="card stack">
        <img src="/favicon.svg" alt="MXProof" width="40" height="40" />
        <PageTitle>{title}</PageTitle>
        {hasEnded ? <Notice tone="warning">{text.ended}</Notice> : intro && <p className="soft">{intro}</p>}
        {children}
      </div>
    </main>
  );
}

export function KeyForm({
  words,
  name,
  isFirst = true,
  onSubmit,
  onSignedIn,
}: {
  readonly words: {
    readonly key: string;
    readonly hint: string;
    readonly needed: string;
    readonly wrong: string;
  };
  /** Of the field, for what fills it in. */
  readonly name: string;
  /** False: there are other ways, of which one has the focus. */
  readonly isFirst?: boolean;
  readonly onSubmit: (key: string) => Promise<SignInAnswer>;
  readonly onSignedIn: () => Promise<void>;
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
      else setProblem(answer === 'wrong_key' ? words.wrong : text.tooMany);
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextField
        className="field"
        value={key}
        onChange={setKey}
        name={name}
        isInvalid={problem !== null}
        autoComplete="off"
        autoFocus={isFirst}
      >
        <Label>{words.key}</Label>
        <Input className="input mono" spellCheck={false} autoCapitalize="none" />
        <Text slot="description" className="small soft">
          {words.hint}
        </Text>
        <FieldError />
      </TextField>
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      <Button type="submit" variant={isFirst ? 'primary' : 'plain'} isDisabled={isBusy}>
        {isBusy ? text.busy : text.submit}
      </Button>
    </form>
  );
}
