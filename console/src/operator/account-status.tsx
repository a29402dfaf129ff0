// Whether an account is active, as a shape, a colour and a word.
import type { AdminAccount } from '@mxproof/client/admin';
import { StateShape } from '../design/state-mark.tsx';
import { accounts } from '../messages/en-operator-accounts.ts';

const SHAPES = { active: 'deliverable', suspended: 'undeliverable' } as const;

export function AccountStatus({ status }: Pick<AdminAccount, 'status'>) {
  return (
    <span className="state-mark" data-state={SHAPES[status]}>
      <StateShape state={SHAPES[status]} />
      {accounts.statuses[status]}
    </span>
  );
}
