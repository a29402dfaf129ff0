// Who may use an account: a link for a person, browsers and secrets that end, suspending it, deleting it. Each is a question first.
import type { PostOptions } from '@mxproof/client';
import type { AdminAccountDetail } from '@mxproof/client/admin';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ShownOnce } from '../account/shown-once.tsx';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { accounts, account as words } from '../messages/en-operator-accounts.ts';
import { Confirm } from './confirm.tsx';
import { LabelledField } from './labelled-field.tsx';
import { admin, useChange } from './operator-api.ts';
import { useMayChange } from './operator-session.ts';

const text = words.access;
type Act = keyof typeof words.acts;

/** As a page shows a name: blanks in a row are one. */
const asShown = (name: string): string => name.trim().replace(/\s+/g, ' ');
const nothing = async (done: Promise<unknown>): Promise<null> => done.then(() => null);

/** What is shown of each answer; null: nothing. */
const DONE_BY: Readonly<Record<Act, (id: number, options: PostOptions) => Promise<string | number | null>>> =
  {
    link: async (id, options) => (await admin.accounts.link(id, options)).url,
    signOut: (id, options) => admin.accounts.signOut(id, options),
    secret: (id, options) => admin.accounts.webhookSecret(id, options),
    suspend: (id) => nothing(admin.accounts.update(id, { status: 'suspended' })),
    resume: (id) => nothing(admin.accounts.update(id, { status: 'active' })),
    delete: (id) => nothing(admin.accounts.delete(id)),
  };

export function AccountAccess({ account }: { readonly account: AdminAccountDetail }) {
  const [act, setAct] = useState<Act | null>(null);
  const { last_active_at, status } = account;
  const acts = ['link', 'signOut', 'secret', status === 'active' ? 'suspend' : 'resume'] as const;
  return (
    <section className="card stack" aria-labelledby="access">
      <h2 id="access">{text.title}</h2>
      <p className="small soft">
        {text.lastActive}: {last_active_at === null ? accounts.never : formatMoment(last_active_at)}
      </p>
      {useMayChange() && (
        <>
          <div className="row">
            {acts.map((each) => (
              // The same button for both, so that it keeps the focus.
              <Button key={each === 'resume' ? 'suspend' : each} onPress={() => setAct(each)}>
                {text.buttons[each]}
              </Button>
            ))}
          </div>
          <div className="row account-remove">
            <p className="small soft">{words.removeHint}</p>
            <Button variant="danger" onPress={() => setAct('delete')}>
              {words.removeButton}
            </Button>
          </div>
        </>
      )}
      {act !== null && <Ask act={act} account={account} onClose={() => setAct(null)} />}
    </section>
  );
}

function Ask({
  act,
  account: { id, name },
  onClose,
}: {
  readonly act: Act;
  readonly account: AdminAccountDetail;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const change = useChange(async (options) => {
    const shown = await DONE_BY[act](id, options);
    // Before it is read again that it is gone.
    if (act === 'delete') await navigate({ to: '/operator/accounts' });
    return shown;
  });
  const { title, meaning, confirm } = words.acts[act];
  return (
    <Confirm
      title={title(name)}
      confirm={confirm}
      isDangerous={act === 'delete' || act === 'suspend'}
      isReady={act !== 'delete' || asShown(typed) === asShown(name)}
      change={change}
      result={change.data == null ? null : <Result act={act} shown={change.data} />}
      onConfirm={() => change.mutate(undefined, { onSuccess: (shown) => shown === null && onClose() })}
      onClose={onClose}
    >
      <p>{meaning}</p>
      {act === 'delete' && (
        <LabelledField name={words.acts.delete.type(name)} value={typed} autoFocus onChange={setTyped} />
      )}
    </Confirm>
  );
}

function Result({ act, shown }: { readonly act: Act; readonly shown: string | number }) {
  const { signOut, link, secret } = words.acts;
  if (typeof shown === 'number') return <Notice tone="good">{signOut.done(shown)}</Notice>;
  const { shown: name, once, copy } = act === 'link' ? link : secret;
  return <ShownOnce name={name} secret={shown} warning={once} copyLabel={copy} />;
}
