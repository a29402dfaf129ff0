// A list's name as it is stored: a JSON string, since PostgreSQL's text takes neither NUL nor a lone surrogate.
import { ERASED } from './erased-text.ts';

export function storedName(name: string): string {
  return JSON.stringify(name);
}

/** Erasures up to 0.2 could leave names that are not JSON: such a list is read with an erased name, and can be renamed. */
export function nameOf(stored: string): string {
  try {
    const name: unknown = JSON.parse(stored);
    if (typeof name === 'string') return name;
  } catch {
    // Not JSON: as if it were no string.
  }
  return ERASED;
}
