// How fast a list is checked, from what was seen of it lately, and how long the rest will take.
import type { ListSummary } from '@mxproof/client';
import { useEffect, useRef, useState } from 'react';

/** The averaging window: short enough to follow a change, long enough to be steady. */
const WINDOW_MS = 20_000;
const SAMPLES_MAX = 100;
const SAMPLE_MS = 1_000;
/** A shorter pause without results is normal. */
const STILL_MS = 5_000;

export interface Pace {
  readonly perSecond: number;
  /** Null: nothing moved lately. */
  readonly secondsLeft: number | null;
}

export function paceOf(
  samples: readonly { readonly atMs: number; readonly checked: number }[],
  total: number,
): Pace | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return null;
  const spanMs = last.atMs - first.atMs;
  if (spanMs < (last.checked === first.checked ? STILL_MS : 500)) return null;
  const perSecond = ((last.checked - first.checked) * 1_000) / spanMs;
  return { perSecond, secondsLeft: perSecond === 0 ? null : (total - last.checked) / perSecond };
}

export function usePace({ checked, total }: ListSummary): Pace | null {
  const samples = useRef<{ atMs: number; checked: number }[]>([]);
  const [pace, setPace] = useState<Pace | null>(null);
  useEffect(() => {
    const sample = () => {
      const atMs = performance.now();
      samples.current = [...samples.current, { atMs, checked }]
        .filter((sample) => atMs - sample.atMs < WINDOW_MS)
        .slice(-SAMPLES_MAX);
      setPace(paceOf(samples.current, total));
    };
    sample();
    // Also while nothing changes: otherwise the last rate would be shown for as long as slow servers take.
    const timer = setInterval(sample, SAMPLE_MS);
    return () => clearInterval(timer);
  }, [checked, total]);
  return pace;
}
