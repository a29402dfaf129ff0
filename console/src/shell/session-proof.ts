// The second half of this browser's session. The cookie, the first, goes to every port of the host; storage belongs to
// this origin alone.

/** As the page behind a sign-in link and /docs have it. */
const STORED_AS = 'mxproof-session-proof';

/** Where storage is forbidden or full, a session lasts as long as the page. Workers have none: they are told. */
let kept: string | null = null;

export function sessionProof(): string | null {
  try {
    return localStorage.getItem(STORED_AS) ?? kept;
  } catch {
    return kept;
  }
}

/** Null: signed out. */
export function keepSessionProof(proof: string | null): void {
  kept = proof;
  try {
    if (proof === null) localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, proof);
  } catch {
    // Kept by the page.
  }
}
