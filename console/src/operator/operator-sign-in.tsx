// Signing in to the operator's pages: at the provider, with an admin key, or how to make a link.
import type { OperatorSignInWays } from '@mxproof/client/admin';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { operator } from '../messages/en-operator.ts';
import { signIn } from '../messages/en-sign-in.ts';
import { KeyForm, SignInCard } from '../sign-in/sign-in-form.tsx';
import { OPERATOR } from './operator-api.ts';
import { operatorWaysQuery, signInOperator } from './operator-session.ts';

const text = operator.out;
/** Where the service does not say it. */
const KEY_ALONE: OperatorSignInWays = { key: true, openid: null };

/** `hasEnded`: a session that this page was shown in. */
export function OperatorSignIn({ hasEnded }: { readonly hasEnded: boolean }) {
  const queries = useQueryClient();
  const asked = useQuery(operatorWaysQuery);
  const ways = asked.data ?? (asked.isError ? KEY_ALONE : null);
  return (
    <SignInCard title={text.title} hasEnded={hasEnded}>
      {ways?.openid && (
        <a className="button" data-primary href="/operator/sign-in/openid">
          {signIn.openid(ways.openid.name)}
        </a>
      )}
      {ways?.key && (
        <KeyForm
          words={text}
          name="admin_key"
          isFirst={ways.openid === null}
          onSubmit={signInOperator}
          onSignedIn={() => queries.resetQueries({ queryKey: OPERATOR })}
        />
      )}
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
