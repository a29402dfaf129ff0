// How long the account keeps what.
import type { Account } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { Fact } from '../design/fact.tsx';
import { kept as text } from '../messages/en-account.ts';
import { keys, mx } from '../shell/api.ts';

type Kept = NonNullable<Account['retention']>;
const KINDS = Object.keys(text.names) as (keyof Kept)[];

export function KeptCard() {
  const { data } = useQuery({
    queryKey: keys.kept,
    queryFn: ({ signal }) => mx.account.get({ include: ['retention'], signal }),
  });
  const kept = data?.retention;
  if (!kept) return null;
  return (
    <section className="card stack" aria-label={text.title}>
      <h2>{text.title}</h2>
      <dl className="facts">
        {KINDS.map((kind) => (
          <Fact key={kind} name={text.names[kind]}>
            {daysText(kept[kind])}
          </Fact>
        ))}
      </dl>
      <p className="small soft">{text.explained}</p>
    </section>
  );
}

function daysText(days: number | null): string {
  if (days === null) return text.forEver;
  return days === 0 ? text.never : text.days(days);
}
