// The account's name, and changing it in its place. A session of test mode shows it and may not change it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { account } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { useAccount } from '../shell/session.ts';

const text = account;
/** As the service takes it. */
const NAME_MAX = 200;

export function AccountName() {
  const { data: account } = useAccount();
  const [isRenaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!account) return null;
  const end = () => {
    setRenaming(false);
    // Once the button is there again.
    requestAnimationFrame(() => button.current?.focus());
  };
  if (isRenaming) return <RenameAccount name={account.name} onEnd={end} />;
  return (
    <div className="row account-name">
      <p className="soft">{account.name}</p>
      {!account.isTest && (
        <Button ref={button} variant="quiet" aria-label={text.rename} onPress={() => setRenaming(true)}>
          {messages.lists.renameShort}
        </Button>
      )}
    </div>
  );
}

function RenameAccount({ name: given, onEnd }: { readonly name: string; readonly onEnd: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(given);
  const rename = useMutation({
    mutationFn: () => mx.account.rename(name),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.account, exact: true });
      onEnd();
    },
  });
  return (
    <form
      className="row account-name"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') rename.mutate();
      }}
    >
      <TextField
        aria-label={text.newName}
        value={name}
        onChange={setName}
        maxLength={NAME_MAX}
        autoFocus
        onKeyDown={(event) => event.key === 'Escape' && onEnd()}
      >
        <Input className="input" onFocus={({ currentTarget }) => currentTarget.select()} />
      </TextField>
      <Button type="submit" isDisabled={rename.isPending || name.trim() === ''}>
        {messages.lists.save}
      </Button>
      <Button variant="quiet" onPress={onEnd}>
        {messages.cancel}
      </Button>
      {rename.isError && <ProblemNotice>{problemText(rename.error)}</ProblemNotice>}
    </form>
  );
}
