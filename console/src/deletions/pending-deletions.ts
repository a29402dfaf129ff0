// Deletions that this browser can still undo, and whose files it still keeps: a page that is reloaded, and every other
// tab, offers the undo too. The deletion itself is the service's, and needs no page.
import { useSyncExternalStore } from 'react';

const PLACE = 'mxproof-deletions';
export const UNDO_MS = 10_000;
/** More than are deleted at a time; a damaged store is cut here. */
const PENDING_MAX = 100;

export interface PendingDeletion {
  /** Of one list or several, each with its parts and what was made of it. */
  readonly listIds: readonly number[];
  readonly name: string;
  /** Another account may sign in next in this browser. */
  readonly account: string;
  readonly dueAtMs: number;
}

const listeners = new Set<() => void>();
let read: { readonly text: string; readonly deletions: readonly PendingDeletion[] } = {
  text: '',
  deletions: [],
};
/** Where the browser keeps nothing, this page does. */
let kept = '';

export function rememberDeletion(deletion: Omit<PendingDeletion, 'dueAtMs'>): void {
  write([...pendingDeletions(), { ...deletion, dueAtMs: Date.now() + UNDO_MS }]);
}

/** Undone, over, or refused. */
export function dropDeletion({ listIds }: Pick<PendingDeletion, 'listIds'>): void {
  write(pendingDeletions().filter((each) => each.listIds[0] !== listIds[0]));
}

function pendingDeletions(): readonly PendingDeletion[] {
  const text = stored();
  if (text !== read.text) read = { text, deletions: parseDeletions(text) };
  return read.deletions;
}

export function usePendingDeletions(): readonly PendingDeletion[] {
  return useSyncExternalStore(subscribe, pendingDeletions);
}

export function parseDeletions(text: string): readonly PendingDeletion[] {
  try {
    const found: unknown = JSON.parse(text || '[]');
    return Array.isArray(found) ? found.filter(isDeletion).slice(0, PENDING_MAX) : [];
  } catch {
    return [];
  }
}

function isDeletion(value: unknown): value is PendingDeletion {
  const { listIds, name, account, dueAtMs } = (value ?? {}) as Record<string, unknown>;
  return (
    Array.isArray(listIds) &&
    listIds.length > 0 &&
    listIds.every((id) => Number.isSafeInteger(id) && id > 0) &&
    typeof name === 'string' &&
    typeof account === 'string' &&
    typeof dueAtMs === 'number'
  );
}

function stored(): string {
  try {
    return localStorage.getItem(PLACE) ?? '';
  } catch {
    return kept;
  }
}

function write(deletions: readonly PendingDeletion[]): void {
  kept = JSON.stringify(deletions);
  try {
    if (deletions.length === 0) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, kept);
  } catch {
    // Then it is kept as long as the page is.
  }
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  // Another tab's.
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', changed);
  };
}
