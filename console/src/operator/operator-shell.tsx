// What the operator's pages have around them. Promise: nothing of any account's own session is asked for or shown; without an
// operator's session there is one page, which begins one.
import '../shell/shell.css';
import '../account/account.css';
import './operator.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { operator as text } from '../messages/en-operator.ts';
import { messages } from '../messages/messages.ts';
import { Shortcuts } from '../shell/shortcuts.tsx';
import { ThemeSwitch } from '../shell/theme-switch.tsx';
import { whenOperatorSignedOut } from './operator-api.ts';
import { MayChange, OPERATOR_SESSION, signOutOperator, useOperatorSession } from './operator-session.ts';
import { OperatorSignIn } from './operator-sign-in.tsx';

const PAGES = (
  ['', '/accounts', '/lists', '/sources', '/callbacks', '/nodes', '/audit', '/doctor'] as const
).map((path) => [`/operator${path}`, text.nav[path]] as const);

export function OperatorShell() {
  const { data: session, isError } = useOperatorSession();
  const queries = useQueryClient();
  useEffect(
    () => whenOperatorSignedOut(() => void queries.invalidateQueries({ queryKey: OPERATOR_SESSION })),
    [queries],
  );
  const [hasBegun, setBegun] = useState(false);
  if (session && !hasBegun) setBegun(true);
  if (session === null) return <OperatorSignIn hasEnded={hasBegun} />;
  return (
    <MayChange value={session?.scope === 'write'}>
      <SignedIn
        endsAt={session?.expires_at ?? null}
        mayOnlyLook={session?.scope === 'read'}
        isCutOff={isError}
      />
    </MayChange>
  );
}

/** Without the address: a page keeps there what it shows. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function SignedIn({
  endsAt,
  mayOnlyLook,
  isCutOff,
}: {
  /** Null: not known yet. */
  readonly endsAt: number | null;
  readonly mayOnlyLook: boolean;
  readonly isCutOff: boolean;
}) {
  const signOut = useMutation({ mutationFn: signOutOperator });
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link within the page, which leaves its address as it is. */}
      <a className="skip button" href="#main" onClick={skipToContent}>
        {messages.nav.skip}
      </a>
      <header className="shell-bar operator-bar">
        <div className="shell-bar-inner operator-width">
          <Link to="/operator" className="brand" aria-label={text.home}>
            <img src="/favicon.svg" alt="" />
            <span className="brand-name">MXProof</span>
          </Link>
          <span className="operator-badge">{text.title}</span>
          <nav className="nav operator-nav" aria-label={text.pages}>
            {PAGES.map(([to, name]) => (
              <Link key={to} to={to} activeOptions={{ exact: to === '/operator', includeSearch: false }}>
                {name}
              </Link>
            ))}
          </nav>
          <div className="shell-account push">
            {mayOnlyLook && <span className="small soft operator-look">{text.mayOnlyLook}</span>}
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
        <span className="small soft shell-foot-keys">
          {messages.shortcuts.title} <kbd>?</kbd>
        </span>
        <ThemeSwitch />
      </footer>
      <Shortcuts
        search="/operator/accounts"
        make="/operator/accounts?make=true"
        help={mayOnlyLook ? text.shortcuts.filter(([key]) => key !== 'n') : text.shortcuts}
      />
    </>
  );
}
