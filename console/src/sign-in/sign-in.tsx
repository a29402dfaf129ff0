// Signing in, by the ways that this service has. An API key stands behind the others.
import type { SignInWays } from '@mxproof/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { signIn as text } from '../messages/en-sign-in.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { accountSession } from '../shell/session.ts';
import { waysQuery } from '../shell/ways.ts';
import { MailForm } from './mail-form.tsx';
import { KeyForm, SignInCard } from './sign-in-form.tsx';

/** Where the service does not say it. */
const KEY_ALONE: SignInWays = { key: true, mail: false, openid: null };

export function SignIn({ hasEnded }: { readonly hasEnded: boolean }) {
  const asked = useQuery(waysQuery);
  const ways = asked.data ?? (asked.isError ? KEY_ALONE : null);
  return (
    <SignInCard title={text.title} intro={text.intro} hasEnded={hasEnded}>
      {ways && <Ways ways={ways} />}
      <p className="ways-on small">
        <Link to="/guide">{text.guide}</Link>
        <Link to="/guide" hash="operators">
          {messages.signIn.forOperators}
        </Link>
      </p>
    </SignInCard>
  );
}

function Ways({ ways: { key, mail, openid } }: { readonly ways: SignInWays }) {
  const hasOthers = mail || openid !== null;
  if (!hasOthers) return key ? <WithKey isFirst /> : <p>{text.noWay}</p>;
  return (
    <>
      {openid && (
        <a className="button" data-primary href="/sign-in/openid">
          {text.openid(openid.name)}
        </a>
      )}
      {openid && mail && <hr className="sign-in-or" />}
      {mail && <MailForm isFirst={openid === null} />}
      <p className="small soft">{text.notInvited}</p>
      {key && (
        <details className="sign-in-key">
          <summary>{text.useKey}</summary>
          <WithKey isFirst={false} />
        </details>
      )}
    </>
  );
}

function WithKey({ isFirst }: { readonly isFirst: boolean }) {
  const queries = useQueryClient();

  /** Where a session had ended, its page is still there, hidden: only the same account may see it again. */
  async function enter() {
    const before = queries.getQueryData<{ readonly name: string }>(keys.account)?.name;
    const isAnother = before !== undefined && (await mx.account.get()).name !== before;
    if (isAnother) location.assign('/');
    else await queries.resetQueries();
  }

  return (
    <>
      <KeyForm
        words={text}
        name="api_key"
        isFirst={isFirst}
        onSubmit={accountSession.signIn}
        onSignedIn={enter}
      />
      {isFirst && <p className="small soft">{text.noKey}</p>}
    </>
  );
}
