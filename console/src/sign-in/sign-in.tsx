// Signing in with an API key.
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { signIn } from '../shell/session.ts';
import { SignInForm } from './sign-in-form.tsx';

const text = messages.signIn;

export function SignIn() {
  const queries = useQueryClient();

  /** Where a session had ended, its page is still there, hidden: only the same account may see it again. */
  async function enter() {
    const before = queries.getQueryData<{ readonly name: string }>(keys.account)?.name;
    const isAnother = before !== undefined && (await mx.account.get()).name !== before;
    if (isAnother) location.assign('/');
    else await queries.resetQueries();
  }

  return (
    <SignInForm words={text} name="api_key" onSubmit={signIn} onSignedIn={enter}>
      <p className="small soft">{text.noKey}</p>
      <p className="ways-on small">
        <Link to="/guide">{text.guide}</Link>
        <Link to="/guide" hash="operators">
          {text.forOperators}
        </Link>
      </p>
    </SignInForm>
  );
}
