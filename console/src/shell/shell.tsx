// What every page has around it: the bar, the navigation, the keys that work everywhere. Signed out, there is only the
// sign-in, at the same address, so that signing in continues where one wanted to be. Promise: a session that ends takes
// nothing with it that was typed.
import './shell.css';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, type MouseEvent, Suspense } from 'react';
import { Deletions } from '../deletions/deletions.tsx';
import { Button } from '../design/button.tsx';
import { formatCount } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { useMay, useOwnSession, useRole } from './own-session.ts';
import { isSignedOut, problemText } from './problem.ts';
import { ServiceBanner } from './service-banner.tsx';
import { useAccount, useLiveAccount, useLowBalance, useSignOut } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { WhoButton } from './who-button.tsx';

const SignIn = lazy(() => import('../sign-in/sign-in.tsx').then(({ SignIn }) => ({ default: SignIn })));

/** `changes`: of no use to those who may only look. */
const PAGES = [
  { to: '/', name: messages.nav.check, changes: true },
  { to: '/lists', name: messages.nav.lists },
  { to: '/new', name: messages.nav.newList, changes: true },
  { to: '/bounces', name: messages.nav.bounces, changes: true },
  { to: '/outcomes', name: messages.nav.outcomes },
  { to: '/account', name: messages.nav.account },
] as const;

export function Shell() {
  const account = useAccount();
  const isOut = isSignedOut(account.error);
  const isGuide = useLocation({ select: ({ pathname }) => pathname === '/guide' });
  if (isOut && isGuide) return <GuideAlone />;
  return (
    <>
      {isOut && (
        <Suspense>
          <SignIn hasEnded={account.data !== undefined} />
        </Suspense>
      )}
      {(!isOut || account.data) && (
        // Kept as it is, out of sight and reach, until its session is back.
        <div hidden={isOut}>
          <SignedIn />
        </div>
      )}
    </>
  );
}

/** Signed out, the guide is there all the same. */
function GuideAlone() {
  return (
    <main className="shell-main">
      <p className="guide-out">
        <Link to="/">{messages.signIn.title}</Link>
        <ThemeSwitch />
      </p>
      <Outlet />
    </main>
  );
}

/** Without the address: a page keeps there what it shows. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function SignedIn() {
  const account = useLiveAccount();
  const low = useLowBalance();
  const signOut = useSignOut();
  const session = useOwnSession();
  const may = useMay();
  const isRoleKnown = useRole() !== undefined;
  const pages = PAGES.filter((page) => may.change || !('changes' in page));
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link within the page, which leaves its address as it is. */}
      <a className="skip button" href="#main" onClick={skipToContent}>
        {messages.nav.skip}
      </a>
      <header className="shell-bar">
        <div className="shell-bar-inner">
          <Link to="/" className="brand" aria-label={messages.nav.home}>
            <img src="/favicon.svg" alt="" />
            <span className="brand-name">MXProof</span>
          </Link>
          <nav className="nav" aria-label={messages.nav.pages}>
            {pages.map(({ to, name }) => (
              <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                {name}
              </Link>
            ))}
          </nav>
          <div className="shell-account push">
            {account.data?.isTest && (
              <Link to="/account" className="test-mode" aria-label={messages.nav.testModeMeaning}>
                {messages.nav.testMode}
              </Link>
            )}
            {account.data && (
              <Link to="/account" className="balance small" data-low={low ? '' : undefined}>
                <strong>{formatCount(account.data.credits)}</strong>{' '}
                {messages.nav.credits(account.data.credits)}
                {low && <span className="balance-low">{messages.nav.low}</span>}
              </Link>
            )}
            {session?.can_switch_side ? (
              <WhoButton session={session} onSignOut={signOut.mutate} />
            ) : (
              <Button variant="quiet" isDisabled={signOut.isPending} onPress={() => signOut.mutate()}>
                {messages.nav.signOut}
              </Button>
            )}
          </div>
        </div>
      </header>
      <main id="main" className="shell-main" tabIndex={-1}>
        {account.isError && !isSignedOut(account.error) && (
          <ProblemNotice>{problemText(account.error)}</ProblemNotice>
        )}
        {signOut.isError && <ProblemNotice>{problemText(signOut.error)}</ProblemNotice>}
        {account.data && <ServiceBanner />}
        {account.data && <Deletions account={account.data.name} />}
        {isRoleKnown && <Outlet />}
      </main>
      <footer className="shell-foot">
        <div className="row">
          <Link to="/guide">{messages.nav.guide}</Link>
          <a href="/docs">{messages.nav.reference}</a>
        </div>
        <span className="small soft shell-foot-keys">
          {messages.shortcuts.title} <kbd>?</kbd>
        </span>
        <ThemeSwitch />
      </footer>
      <Shortcuts />
    </>
  );
}
