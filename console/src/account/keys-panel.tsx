// The account's API keys: made, told apart, revoked.
import type { Key } from '@mxproof/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { apiKeys } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { keys as cached, mx } from '../shell/api.ts';
import { useAccount } from '../shell/session.ts';
import { accountProblem, mayNotManage } from './account-problem.ts';
import { keyNameOf } from './key-name.ts';
import { KeyRow } from './key-row.tsx';
import { NewKey } from './new-key.tsx';

const text = apiKeys;

export function KeysPanel() {
  const { data: account } = useAccount();
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [revoked, setRevoked] = useState(0);
  useEffect(() => {
    // The button that had the focus is gone with its key.
    if (revoked > 0) title.current?.focus();
  }, [revoked]);
  const keys = useQuery({
    queryKey: cached.apiKeys,
    queryFn: ({ signal }) => mx.account.keys.list({ signal }),
  });
  return (
    <section className="card stack" aria-labelledby="keys-title">
      <div className="row">
        <h2 id="keys-title" ref={title} tabIndex={-1}>
          {text.title}
        </h2>
        {keys.isSuccess && (
          <div className="push">
            <Button variant="primary" onPress={() => setMaking(true)}>
              {text.make}
            </Button>
          </div>
        )}
      </div>
      <p className="soft">{text.intro}</p>
      {keys.isError &&
        (mayNotManage(keys.error) ? (
          <Notice>{text.mayNotManage}</Notice>
        ) : (
          <ProblemNotice>{accountProblem(keys.error)}</ProblemNotice>
        ))}
      {keys.data?.length === 0 && (
        <div>
          <h3>{text.none}</h3>
          <p className="soft">{text.noneHint}</p>
        </div>
      )}
      {keys.data && keys.data.length > 0 && (
        <ul className="entries">
          {keys.data.toReversed().map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      )}
      {isMaking && <NewKey isTestOnly={account?.isTest ?? false} onClose={() => setMaking(false)} />}
      {revoking && (
        <Revoke
          apiKey={revoking}
          onClose={() => setRevoking(null)}
          onRevoked={() => {
            setRevoking(null);
            setRevoked((count) => count + 1);
          }}
        />
      )}
    </section>
  );
}

function Revoke({
  apiKey,
  onClose,
  onRevoked,
}: {
  readonly apiKey: Key;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => mx.account.keys.delete(apiKey.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: cached.apiKeys });
      onRevoked();
    },
  });
  return (
    <DialogBox title={text.revokeTitle(keyNameOf(apiKey))} isQuestion onClose={onClose}>
      <p>{text.revokeMeaning}</p>
      <p className="soft mono">{apiKey.prefix}…</p>
      {revoke.isError && <ProblemNotice>{accountProblem(revoke.error)}</ProblemNotice>}
      <div className="row">
        <Button variant="danger" isDisabled={revoke.isPending} onPress={() => revoke.mutate()}>
          {text.revokeConfirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
