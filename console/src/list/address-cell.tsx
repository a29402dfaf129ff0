// An address in the table of results and, where it is misspelt, what was meant by it.
import './address-cell.css';
import { atDomain, domainText } from '@mxproof/files/address-text';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { meantBy } from './corrections.ts';
import type { ShownRow } from './use-rows.ts';

const text = listMessages.results;

export function AddressCell({ row }: { readonly row: ShownRow }) {
  return (
    <>
      {row.email === '' ? (
        <em className="soft">{messages.check.erased}</em>
      ) : (
        <span title={row.email}>{row.email}</span>
      )}
      <MeantNote row={row} />
    </>
  );
}

/** Nothing where it was checked as it is written and nothing else is likelier. */
export function MeantNote({ row }: { readonly row: ShownRow }) {
  const meant = row.checked_as ?? meantBy(row);
  if (meant === null) return null;
  const [before, after] = row.checked_as != null ? text.checkedAs : text.didYouMean;
  return (
    <span className="address-meant soft" title={`${before}${meant}${after}`}>
      <span className="address-words">
        {before}
        {atDomain(meant, '')}
      </span>
      {domainText(meant)}
      {after}
    </span>
  );
}
