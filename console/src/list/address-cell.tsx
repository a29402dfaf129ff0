// An address in the table of results and, where it is misspelt, what was meant by it.
import './address-cell.css';
import { messages } from '../messages/messages.ts';
import { meantBy } from './corrections.ts';
import type { ShownRow } from './use-rows.ts';

const text = messages.results;

export function AddressCell({ row }: { readonly row: ShownRow }) {
  const meant = meantNote(row);
  return (
    <>
      <span title={row.email}>{row.email}</span>
      {meant !== null && (
        <span className="address-meant soft" title={meant}>
          {meant}
        </span>
      )}
    </>
  );
}

/** Null: it was checked as it is written, and nothing else is likelier. */
export function meantNote(row: ShownRow): string | null {
  if (row.checked_as != null) return text.checkedAs(row.checked_as);
  const meant = meantBy(row);
  return meant === null ? null : text.didYouMean(meant);
}
