// A link by mail. Promise: what is said does not tell whether the service knows the address.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { signIn as text } from '../messages/en-sign-in.ts';
import { problemText } from '../shell/problem.ts';
import { askForLink } from './ask-for-link.ts';

const EMAIL_MAX = 254;

export function MailForm({ isFirst }: { readonly isFirst: boolean }) {
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: askForLink });
  const problem = ask.error ? problemText(ask.error) : problemOf(ask.data);

  function submit(event: FormEvent) {
    event.preventDefault();
    ask.mutate(email.trim());
  }

  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextField
        className="field"
        value={email}
        onChange={(typed) => {
          setEmail(typed);
          ask.reset();
        }}
        name="email"
        type="email"
        autoComplete="email"
        maxLength={EMAIL_MAX}
        isInvalid={ask.data === 'bad_email'}
        autoFocus={isFirst}
      >
        <Label>{text.email}</Label>
        <Input className="input" inputMode="email" spellCheck={false} autoCapitalize="none" />
      </TextField>
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      {ask.data === 'sent' && <Notice tone="good">{text.sent}</Notice>}
      <Button type="submit" variant={isFirst ? 'primary' : 'plain'} isDisabled={ask.isPending}>
        {ask.isPending ? text.sending : text.send}
      </Button>
    </form>
  );
}

function problemOf(answer: Awaited<ReturnType<typeof askForLink>> | undefined): string | null {
  switch (answer) {
    case 'bad_email':
      return text.badEmail;
    case 'too_many':
      return text.tooMany;
    default:
      return null;
  }
}
