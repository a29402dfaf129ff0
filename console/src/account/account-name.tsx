// The account's name, and changing it in its place. A session of test mode shows it and may not change it.
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../design/button.tsx';
import { RenameForm, useRenaming } from '../design/rename-form.tsx';
import { account } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { useAccount } from '../shell/session.ts';

const text = account;

export function AccountName() {
  const { data: account } = useAccount();
  const may = useMay();
  const { isRenaming, button, begin, end } = useRenaming();
  if (!account) return null;
  if (isRenaming) return <RenameAccount name={account.name} onEnd={end} />;
  return (
    <div className="row account-name">
      <p className="soft">{account.name}</p>
      {may.manage && !account.isTest && (
        <Button ref={button} variant="quiet" aria-label={text.rename} onPress={begin}>
          {messages.lists.renameShort}
        </Button>
      )}
    </div>
  );
}

function RenameAccount({ name, onEnd }: { readonly name: string; readonly onEnd: () => void }) {
  const queries = useQueryClient();
  const rename = async (changed: string) => {
    await mx.account.rename(changed);
    await queries.invalidateQueries({ queryKey: keys.account, exact: true });
  };
  return (
    <RenameForm className="account-name" label={text.newName} name={name} rename={rename} onEnd={onEnd} />
  );
}
