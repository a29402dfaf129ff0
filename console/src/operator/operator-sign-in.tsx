// Signing in to the operator's pages: with an admin key, or how to make a link.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { operator } from '../messages/en-operator.ts';
import { signIn } from '../messages/en-sign-in.ts';
import { waysQuery } from '../shell/ways.ts';
import { KeyForm, SignInCard } from '../sign-in/sign-in-form.tsx';
import { OPERATOR } from './operator-api.ts';
import { signInOperator } from './operator-session.ts';

const text = operator.out;

/** `hasEnded`: a session that this page was shown in. */
export function OperatorSignIn({ hasEnded }: { readonly hasEnded: boolean }) {
  const queries = useQueryClient();
  const { data: ways } = useQuery(waysQuery);
  const provider = ways?.operators ? ways.openid : null;
  return (
    <SignInCard title={text.title} hasEnded={hasEnded}>
      {provider && (
        <a className="button" data-primary href="/operator/sign-in/openid">
          {signIn.openid(provider.name)}
        </a>
      )}
      <KeyForm
        words={text}
        name="admin_key"
        isFirst={provider === null}
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
