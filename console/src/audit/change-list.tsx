// What an entry of the audit trail changed: before and after of numbers and words, of texts only that they changed.
import './change-list.css';
import { auditWords as words } from '../messages/en-audit.ts';
import { type Change, changesOf, type Entry } from './audit-words.ts';

export function ChangeList({ entry }: { readonly entry: Entry }) {
  const changes = changesOf(entry);
  if (changes.length === 0) return null;
  return (
    <ul className="changes small">
      {changes.map((change) => (
        <li key={change.field}>
          <ChangeText change={change} />
        </li>
      ))}
    </ul>
  );
}

function ChangeText({ change: { field, values } }: { readonly change: Change }) {
  if (values === null) return <span className="soft">{words.changed(field)}</span>;
  return (
    <>
      <span className="soft">{field}</span>{' '}
      {values.before !== null && (
        <>
          <del>{values.before}</del> <span aria-hidden="true">→</span>
          <span className="visually-hidden"> {words.became} </span>{' '}
        </>
      )}
      <ins>{values.after}</ins>
    </>
  );
}
