// What every page has around it: the bar, the navigation, the keys that work everywhere. Signed out, there is only the
// sign-in, at the same address, so that signing in continues where one wanted to be.
import './shell.css';
import { Link, Outlet } from '@tanstack/react-router';
import { Deletions } from '../deletions/deletions.tsx';
import { formatCount } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { SignIn } from '../sign-in/sign-in.tsx';
import { isSignedOut, problemText } from './problem.ts';
import { useAccount } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';

const PAGES = [
  { to: '/', name: messages.nav.check },
  { to: '/lists', name: messages.nav.lists },
  { to: '/new', name: messages.nav.newList },
  { to: '/account', name: messages.nav.account },
] as const;

export function Shell() {
  const account = useAccount();
  if (isSignedOut(account.error)) return <SignIn />;
  return (
    <>
      <a className="skip button" href="#main">
        {messages.nav.skip}
      </a>
      <header className="shell-bar">
        <div className="shell-bar-inner">
          <Link to="/" className="brand" aria-label={messages.nav.home}>
            <img src="/favicon.svg" alt="" />
            MXProof
          </Link>
          <nav className="nav" aria-label={messages.nav.pages}>
            {PAGES.map(({ to, name }) => (
              <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                {name}
              </Link>
            ))}
          </nav>
          {account.data && (
            <Link to="/account" className="balance small push">
              <strong>{formatCount(account.data.credits)}</strong> {messages.nav.credits}
            </Link>
          )}
        </div>
      </header>
      <main id="main" className="shell-main" tabIndex={-1}>
        {account.isError && <ProblemNotice>{problemText(account.error)}</ProblemNotice>}
        {account.data && <Deletions account={account.data.name} />}
        <Outlet />
      </main>
      <Shortcuts />
    </>
  );
}
