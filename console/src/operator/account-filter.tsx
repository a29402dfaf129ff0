// Narrows a table to one account, by its number.
import { anyLists as text } from '../messages/en-operator-service.ts';
import { TypedFilter } from './filter-fields.tsx';

export function AccountFilter({
  account,
  onChange,
}: {
  readonly account: number | undefined;
  readonly onChange: (account: number | undefined) => void;
}) {
  return (
    <TypedFilter
      name={text.account}
      value={account === undefined ? '' : String(account)}
      placeholder={text.allAccounts}
      inputMode="numeric"
      onChange={(typed) => onChange(/^[1-9]\d{0,14}$/.test(typed) ? Number(typed) : undefined)}
    />
  );
}
