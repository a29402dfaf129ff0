// Whether there is room for a table.
import { useSyncExternalStore } from 'react';

/** As the shell's own styles have it. */
const query = window.matchMedia('(width < 40rem)');

export function useIsNarrow(): boolean {
  return useSyncExternalStore(onChange, () => query.matches);
}

function onChange(listener: () => void): () => void {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
