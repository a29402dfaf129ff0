// The last known role of the signed-in person, so that the next page shows the right parts before the service has answered.
import type { OwnSession } from '@mxproof/client';

export type Role = OwnSession['role'];
const STORED_AS = 'mxproof-role';
/** Where storage is forbidden or full, it is known as long as the page. */
let known: Role | undefined;

/** Undefined: no role is known. */
export function rememberedRole(): Role | undefined {
  if (known !== undefined) return known;
  try {
    const stored = localStorage.getItem(STORED_AS);
    return stored === null ? undefined : ((stored || null) as Role);
  } catch {
    return undefined;
  }
}

/** Undefined: another may be signed in next. */
export function rememberRole(role: Role | undefined): void {
  known = role;
  try {
    if (role === undefined) localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, role ?? '');
  } catch {
    // Known by the page.
  }
}
