// The keys of an account: made for it, told apart, revoked.
import type { CreateAccountKeyBody, Key } from '@mxproof/client/admin';
import { useEffect, useRef, useState } from 'react';
import { KeyForm, MadeKey } from '../account/key-form.tsx';
import { keyNameOf } from '../account/key-name.ts';
import { KeyRow } from '../account/key-row.tsx';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { apiKeys as text } from '../messages/en-account.ts';
import { account as words } from '../messages/en-operator-accounts.ts';
import { Confirm } from './confirm.tsx';
import { admin, useAdmin, useChange } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { useMayChange } from './operator-session.ts';
import { ReadingState } from './page-parts.tsx';

export function AccountKeys({ accountId }: { readonly accountId: number }) {
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const mayChange = useMayChange();
  const title = useRef<HTMLHeadingElement>(null);
  const [revoked, setRevoked] = useState(0);
  useEffect(() => {
    // The button that had the focus is gone with its key.
    if (revoked > 0) title.current?.focus();
  }, [revoked]);
  const keys = useAdmin(['keys', accountId], (options) => admin.accounts.keys.list(accountId, options));
  return (
    <section className="card stack" aria-labelledby="keys">
      <div className="row">
        <h2 id="keys" ref={title} tabIndex={-1}>
          {text.title}
        </h2>
        {mayChange && (
          <div className="push">
            <Button onPress={() => setMaking(true)}>{text.make}</Button>
          </div>
        )}
      </div>
      <ReadingState of={keys} />
      {keys.data?.length === 0 && <p className="soft">{words.noKeys}</p>}
      <ul className="entries">
        {keys.data?.toReversed().map((key) => (
          <KeyRow key={key.id} apiKey={key} {...(mayChange && { onRevoke: () => setRevoking(key) })} />
        ))}
      </ul>
      {isMaking && <Make accountId={accountId} onClose={() => setMaking(false)} />}
      {revoking && (
        <Revoke
          accountId={accountId}
          apiKey={revoking}
          onClose={() => setRevoking(null)}
          onRevoked={() => setRevoked(revoked + 1)}
        />
      )}
    </section>
  );
}

interface OfAccount {
  readonly accountId: number;
  readonly onClose: () => void;
}

function Make({ accountId, onClose }: OfAccount) {
  const make = useChange((options, key: CreateAccountKeyBody) =>
    admin.accounts.keys.create(accountId, key, options),
  );
  if (make.data) return <MadeKey made={make.data} onClose={onClose} />;
  return (
    <DialogBox title={text.make} onClose={onClose}>
      <KeyForm
        isTestOnly={false}
        isBusy={make.isPending}
        refusal={make.error && operatorProblem(make.error)}
        onSubmit={make.mutate}
      />
    </DialogBox>
  );
}

function Revoke({
  accountId,
  apiKey,
  onClose,
  onRevoked,
}: OfAccount & { readonly apiKey: Key; readonly onRevoked: () => void }) {
  const revoke = useChange(() => admin.accounts.keys.delete(accountId, apiKey.id));
  return (
    <Confirm
      title={text.revokeTitle(keyNameOf(apiKey))}
      confirm={text.revokeConfirm}
      change={revoke}
      onConfirm={() =>
        revoke.mutate(undefined, {
          onSuccess: () => {
            onClose();
            onRevoked();
          },
        })
      }
      onClose={onClose}
    >
      <p>{text.revokeMeaning}</p>
      <p className="soft mono">{apiKey.prefix}…</p>
    </Confirm>
  );
}
