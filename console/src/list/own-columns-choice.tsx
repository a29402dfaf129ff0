// Which columns of the user's own file stand beside the addresses.
import { listMessages } from '../messages/en-list.ts';
import { MAX_OWN_COLUMNS } from '../own-file/own-columns-limit.ts';
import type { useOwnColumns } from './use-own-columns.ts';

const text = listMessages.results.own;

export function OwnColumnsChoice({
  own: { offered, chosen, choose },
}: {
  readonly own: ReturnType<typeof useOwnColumns>;
}) {
  if (offered.length === 0) return null;
  const toggle = (column: number) =>
    choose(chosen.includes(column) ? chosen.filter((each) => each !== column) : [...chosen, column]);
  return (
    <details className="own-columns">
      <summary>{text.title}</summary>
      <p className="small soft">{text.hint}</p>
      <ul>
        {offered.map(({ column, name }) => (
          <li key={column}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(column)}
                disabled={!chosen.includes(column) && chosen.length >= MAX_OWN_COLUMNS}
                onChange={() => toggle(column)}
              />
              {name || text.column(column + 1)}
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
