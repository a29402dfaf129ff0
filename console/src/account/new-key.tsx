// Making a key of the account that is signed in.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DialogBox } from '../design/dialog-box.tsx';
import { apiKeys as text } from '../messages/en-account.ts';
import { keys, mx } from '../shell/api.ts';
import { accountProblem } from './account-problem.ts';
import { KeyForm, type KeyWishes, MadeKey } from './key-form.tsx';

export function NewKey({
  isTestOnly,
  onClose,
}: {
  /** Signed in with a test key. */
  readonly isTestOnly: boolean;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: (wanted: KeyWishes) => mx.account.keys.create(wanted),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.apiKeys }),
  });
  if (make.data) return <MadeKey made={make.data} onClose={onClose} />;
  return (
    <DialogBox title={text.make} onClose={onClose}>
      <KeyForm
        isTestOnly={isTestOnly}
        isBusy={make.isPending}
        refusal={make.isError ? accountProblem(make.error) : null}
        onSubmit={make.mutate}
      />
    </DialogBox>
  );
}
