// Who may use an account: a link for a person, browsers and secrets that end, suspending it, deleting it. Each is a question first.
import type {
  AdminAccountDetail,
  ChangeAccountBody,
  Deleted,
  SignedOut,
  SignInLink,
  WebhookSecret,
} from '@mxproof/client/admin';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ShownOnce } from '../account/shown-once.tsx';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { accounts, account as words } from '../messages/en-operator-accounts.ts';
import { Confirm } from './confirm.tsx';
import { LabelledField } from './labelled-field.tsx';
import type { Asked } from './operator-api.ts';
import { useMayChange } from './operator-session.ts';
import { useChange } from './use-change.ts';

const text = words.access;
type Act = keyof typeof words.acts;
type Answer = SignInLink | SignedOut | WebhookSecret | AdminAccountDetail | Deleted;

const status = (status: NonNullable<ChangeAccountBody['status']>) =>
  ({ method: 'PATCH', body: { status } satisfies ChangeAccountBody }) as const;
const post = (path: string) => ({ method: 'POST', path, body: {} }) as const;

/** Below the account's own path. */
const ASKED: Readonly<Record<Act, Partial<Asked>>> = {
  link: post('/link'),
  signOut: post('/sign-out'),
  secret: post('/webhook-secret'),
  suspend: status('suspended'),
  resume: status('active'),
  delete: { method: 'DELETE' },
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
              <Button key={each} onPress={() => setAct(each)}>
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
  const { path = '', ...asked } = ASKED[act];
  const change = useChange<void, Answer>(() => ({ ...asked, path: `/accounts/${id}${path}` }));
  const { title, meaning, confirm } = words.acts[act];
  const end = async () => {
    if (act === 'delete') await navigate({ to: '/operator/accounts' });
    onClose();
  };
  return (
    <Confirm
      title={title(name)}
      confirm={confirm}
      isDangerous={act === 'delete' || act === 'suspend'}
      isReady={act !== 'delete' || typed.trim() === name}
      change={change}
      result={change.data === undefined ? null : resultOf(act, change.data)}
      onConfirm={() =>
        change.mutate(undefined, {
          onSuccess: (answer) => {
            if (resultOf(act, answer) === null) void end();
          },
        })
      }
      onClose={onClose}
    >
      <p>{meaning}</p>
      {act === 'delete' && (
        <LabelledField name={words.acts.delete.type(name)} value={typed} autoFocus onChange={setTyped} />
      )}
    </Confirm>
  );
}

/** Null: done, and there is nothing to show. */
function resultOf(act: Act, answer: Answer): ReactNode {
  const { link, secret, signOut } = words.acts;
  if ('url' in answer)
    return <ShownOnce name={link.shown} secret={answer.url} warning={link.once} copyLabel={link.copy} />;
  if ('webhook_secret' in answer && act === 'secret')
    return (
      <ShownOnce
        name={secret.shown}
        secret={answer.webhook_secret}
        warning={secret.once}
        copyLabel={secret.copy}
      />
    );
  if ('sessions_ended' in answer) return <Notice tone="good">{signOut.done(answer.sessions_ended)}</Notice>;
  return null;
}
