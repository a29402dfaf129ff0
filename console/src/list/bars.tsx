// A bar for each name, with its number written out.
import { formatCount } from '../design/format.ts';
import { messages } from '../messages/messages.ts';

export function Bars({ rows }: { readonly rows: readonly (readonly [string, number])[] }) {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  if (rows.length === 0) return <p className="soft">{messages.lists.nothingYet}</p>;
  return (
    <dl className="bars">
      {rows.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <svg viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" aria-hidden="true">
              <rect width={count} height="1" />
            </svg>
            {formatCount(count)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
