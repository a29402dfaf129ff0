// The keys of an account: made for it, told apart, revoked.
import type { CreateAccountKeyBody, Deleted, Key, KeyPage, NewKey } from '@mxproof/client/admin';
import { useState } from 'react';
import { KeyForm, MadeKey } from '../account/key-form.tsx';
import { keyNameOf } from '../account/key-name.ts';
import { KeyRow } from '../account/key-row.tsx';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { apiKeys as text } from '../messages/en-account.ts';
import { account as words } from '../messages/en-operator-accounts.ts';
import { Confirm } from './confirm.tsx';
import { useOperatorQuery } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { useMayChange } from './operator-session.ts';
import { ReadingState } from './page-head.tsx';
import { useChange } from './use-change.ts';

export function AccountKeys({ accountId }: { readonly accountId: number }) {
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const mayChange = useMayChange();
  const path = `/accounts/${accountId}/keys`;
  const keys = useOperatorQuery<KeyPage>(path);
  return (
    <section className="card stack" aria-labelledby="keys">
      <div className="row">
        <h2 id="keys">{text.title}</h2>
        {mayChange && (
          <div className="push">
            <Button onPress={() => setMaking(true)}>{text.make}</Button>
          </div>
        )}
      </div>
      <ReadingState of={keys} />
      {keys.data?.keys.length === 0 && <p className="soft">{words.keys.none}</p>}
      {keys.data && keys.data.keys.length > 0 && (
        <ul className="entries">
          {keys.data.keys.toReversed().map((key) => (
            <KeyRow key={key.id} apiKey={key} {...(mayChange && { onRevoke: () => setRevoking(key) })} />
          ))}
        </ul>
      )}
      {isMaking && <Make path={path} onClose={() => setMaking(false)} />}
      {revoking && <Revoke path={path} apiKey={revoking} onClose={() => setRevoking(null)} />}
    </section>
  );
}

interface OfPath {
  readonly path: string;
  readonly onClose: () => void;
}

function Make({ path, onClose }: OfPath) {
  const make = useChange<CreateAccountKeyBody, NewKey>((body) => ({ method: 'POST', path, body }));
  if (make.data) return <MadeKey made={make.data} onClose={onClose} />;
  return (
    <DialogBox title={text.make} onClose={onClose}>
      <KeyForm
        isTestOnly={false}
        isBusy={make.isPending}
        refusal={make.isError ? operatorProblem(make.error) : null}
        onSubmit={make.mutate}
      />
    </DialogBox>
  );
}

function Revoke({ path, apiKey, onClose }: OfPath & { readonly apiKey: Key }) {
  const revoke = useChange<void, Deleted>(() => ({ method: 'DELETE', path: `${path}/${apiKey.id}` }));
  return (
    <Confirm
      title={text.revokeTitle(keyNameOf(apiKey))}
      confirm={text.revokeConfirm}
      isDangerous
      change={revoke}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{text.revokeMeaning}</p>
      <p className="soft mono">{apiKey.prefix}…</p>
    </Confirm>
  );
}
