// A file of more than 100,000 addresses is several lists, its parts; this is what they are together. Pure.
import type { ListSummary } from '@mxproof/client';

/** At least one part, in the order of the file. */
export function wholeOf(parts: readonly ListSummary[], name?: string): ListSummary {
  const [first] = parts;
  if (first === undefined) throw new TypeError('A whole has at least one part.');
  if (parts.length === 1) return name === undefined ? first : { ...first, name };
  const sum = (of: (part: ListSummary) => number) => parts.reduce((all, part) => all + of(part), 0);
  const running = parts.filter(({ finished_at }) => finished_at === null);
  const isFinished = running.length === 0;
  const pauses = running.flatMap(({ paused_at }) => paused_at ?? []);
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
    // While a part of it is checked, it is not paused.
    paused_at: !isFinished && pauses.length === running.length ? Math.min(...pauses) : null,
    finished_at: isFinished ? Math.max(...parts.map(({ finished_at }) => finished_at ?? 0)) : null,
  };
}
