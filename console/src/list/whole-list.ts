// A file of more than 100,000 addresses is several lists, its parts; this is what they are together. Pure.
import type { Breakdown, ListSummary } from '@mxproof/client';

/** At least one part, in the order of the file. */
export function wholeOf(parts: readonly ListSummary[], name?: string): ListSummary {
  const [first] = parts;
  if (first === undefined) throw new TypeError('A whole has at least one part.');
  if (parts.length === 1) return name === undefined ? first : { ...first, name };
  const sum = (of: (part: ListSummary) => number) => parts.reduce((all, part) => all + of(part), 0);
  const isFinished = parts.every(({ finished_at }) => finished_at !== null);
  return {
    ...first,
    name: name ?? first.name,
    status: !isFinished ? 'checking' : parts.some(({ status }) => status === 'failed') ? 'failed' : 'done',
    total: sum(({ total }) => total),
    duplicates_removed: sum((part) => part.duplicates_removed),
    checked: sum(({ checked }) => checked),
    counts: {
      deliverable: sum(({ counts }) => counts.deliverable),
      risky: sum(({ counts }) => counts.risky),
      undeliverable: sum(({ counts }) => counts.undeliverable),
      unknown: sum(({ counts }) => counts.unknown),
    },
    created_at: Math.min(...parts.map(({ created_at }) => created_at)),
    finished_at: isFinished ? Math.max(...parts.map(({ finished_at }) => finished_at ?? 0)) : null,
  };
}

/** What is charted and counted; the largest domains of parts are not those of the whole, and are left out. */
export type WholeBreakdown = Pick<Breakdown, 'reasons' | 'providers' | 'details'>;

export function breakdownOf(parts: readonly WholeBreakdown[]): WholeBreakdown {
  return {
    reasons: added(parts.map(({ reasons }) => reasons)) as Breakdown['reasons'],
    providers: added(parts.map(({ providers }) => providers)),
    details: added(parts.map(({ details }) => details)),
  };
}

function added(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((each) => Object.entries(each)))
    sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
