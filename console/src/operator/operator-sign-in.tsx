// Signing in to the operator's pages: with an admin key, or how to make a link.
import { useQueryClient } from '@tanstack/react-query';
import { operator } from '../messages/en-operator.ts';
import { KeyForm, SignInCard } from '../sign-in/sign-in-form.tsx';
import { OPERATOR } from './operator-api.ts';
import { signInOperator } from './operator-session.ts';

const text = operator.out;

export function OperatorSignIn() {
  const queries = useQueryClient();
  return (
    <SignInCard title={text.title}>
      <KeyForm
        words={text}
        name="admin_key"
        onSubmit={signInOperator}
        onSignedIn={() => queries.resetQueries({ queryKey: OPERATOR })}
      />
      <p>{text.noKey}</p>
      <pre className="operator-command">
        <code>{text.command}</code>
      </pre>
      <p className="small soft">{text.how}</p>
      <p className="small">
        <a href="/">{text.console}</a>
      </p>
    </SignInCard>
  );
}
