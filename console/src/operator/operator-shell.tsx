// What the operator's pages have around them. Promise: nothing of any account is asked for or shown; without an operator's
// session there is one page, which says how to begin one.
import '../shell/shell.css';
import '../sign-in/sign-in.css';
import './operator.css';
import { useMutation } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { operator as text } from '../messages/en-operator.ts';
import { messages } from '../messages/messages.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { ThemeSwitch } from '../shell/theme-switch.tsx';
import { signOutOperator, useOperatorSession } from './operator-api.ts';

const PAGES = [
  { to: '/operator', name: text.sources },
  { to: '/operator/doctor', name: text.doctor },
] as const;

export function OperatorShell() {
  const session = useOperatorSession();
  if (session.data === null) return <HowToSignIn />;
  return <SignedIn endsAt={session.data?.expires_at ?? null} isCutOff={session.isError} />;
}

function HowToSignIn() {
  return (
    <main className="sign-in">
      <div className="card stack operator-out">
        <img src="/favicon.svg" alt="MXProof" width="40" height="40" />
        <PageTitle>{text.out.title}</PageTitle>
        <p>{text.out.why}</p>
        <pre className="operator-command">
          <code>{text.out.command}</code>
        </pre>
        <p className="soft">{text.out.how}</p>
        <p>
          <a href="/">{text.out.console}</a>
        </p>
      </div>
    </main>
  );
}

/** Without the address: a page keeps there what it shows. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function SignedIn({ endsAt, isCutOff }: { readonly endsAt: number | null; readonly isCutOff: boolean }) {
  const signOut = useMutation({ mutationFn: signOutOperator });
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link within the page, which leaves its address as it is. */}
      <a className="skip button" href="#main" onClick={skipToContent}>
        {messages.nav.skip}
      </a>
      <header className="shell-bar">
        <div className="shell-bar-inner operator-width">
          <Link to="/operator" className="brand" aria-label={text.home}>
            <img src="/favicon.svg" alt="" />
            <span className="brand-name">MXProof</span>
          </Link>
          <span className="operator-badge">{text.title}</span>
          <nav className="nav operator-nav" aria-label={text.pages}>
            {PAGES.map(({ to, name }) => (
              <Link key={to} to={to} activeOptions={{ exact: true }}>
                {name}
              </Link>
            ))}
          </nav>
          <div className="shell-account push">
            <Button variant="quiet" isDisabled={signOut.isPending} onPress={() => signOut.mutate()}>
              {messages.nav.signOut}
            </Button>
          </div>
        </div>
      </header>
      <main id="main" className="shell-main operator-width" tabIndex={-1}>
        {isCutOff && <ProblemNotice>{text.noAnswer}</ProblemNotice>}
        {signOut.isError && <ProblemNotice>{text.signOutFailed}</ProblemNotice>}
        {endsAt !== null && <Outlet />}
      </main>
      <footer className="shell-foot operator-width">
        <span className="small soft">{endsAt !== null && text.endsAt(formatMoment(endsAt))}</span>
        <ThemeSwitch />
      </footer>
    </>
  );
}
