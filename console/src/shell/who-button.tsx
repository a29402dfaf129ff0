// Who is signed in, in which account and as what; behind it, what a session can be changed to. The menu is loaded with the first press.
import type { OwnSession } from '@mxproof/client';
import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { messages } from '../messages/messages.ts';

const WhoMenu = lazy(() => import('../people/who-menu.tsx').then(({ WhoMenu }) => ({ default: WhoMenu })));

export function WhoButton({
  session,
  onSignOut,
}: {
  readonly session: OwnSession;
  readonly onSignOut: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { email, name, role } = session;
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <span className="who">
          <span className="visually-hidden">{messages.nav.signedInAs} </span>
          <span className="who-line">{email ?? name}</span>
          {role && (
            <span className="who-line soft">
              {email === null ? '' : `${name} · `}
              {messages.roles[role]}
            </span>
          )}
        </span>
        <svg className="who-mark" viewBox="0 0 10 6" aria-hidden="true">
          <path d="m1 1 4 4 4-4" />
        </svg>
      </Button>
      {isOpen && (
        <Suspense>
          <WhoMenu trigger={button} session={session} onSignOut={onSignOut} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
