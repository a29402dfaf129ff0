// The account's API keys: made, told apart, revoked.
import type { Key } from '@mxproof/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keys as cached, mx } from '../shell/api.ts';
import { useAccount } from '../shell/session.ts';
import { accountProblem, mayNotManage } from './account-problem.ts';
import { KeyRow } from './key-row.tsx';
import { NewKey } from './new-key.tsx';

const text = messages.apiKeys;

export function KeysPanel() {
  const { data: account } = useAccount();
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const keys = useQuery({
    queryKey: cached.apiKeys,
    queryFn: ({ signal }) => mx.account.keys.list({ signal }),
  });
  return (
    <section className="card stack" aria-labelledby="keys-title">
      <div className="row">
        <h2 id="keys-title">{text.title}</h2>
        {keys.isSuccess && (
          <div className="push">
            <Button look="primary" onPress={() => setMaking(true)}>
              {text.make}
            </Button>
          </div>
        )}
      </div>
      <p className="soft">{text.intro}</p>
      {keys.isError &&
        (mayNotManage(keys.error) ? (
          <div className="notice" role="status">
            <span>
              {text.mayNotManage} <code>mxproof account link</code>
            </span>
          </div>
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
      {revoking && <Revoke apiKey={revoking} onClose={() => setRevoking(null)} />}
    </section>
  );
}

function Revoke({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => mx.account.keys.delete(apiKey.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: cached.apiKeys });
      onClose();
    },
  });
  return (
    <DialogBox title={text.revokeTitle(apiKey.label)} isQuestion onClose={onClose}>
      <p>{text.revokeMeaning}</p>
      <p className="soft mono">{apiKey.prefix}…</p>
      {revoke.isError && <ProblemNotice>{accountProblem(revoke.error)}</ProblemNotice>}
      <div className="row">
        <Button look="danger" isDisabled={revoke.isPending} onPress={() => revoke.mutate()}>
          {text.revokeConfirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
