// The second half of this browser's session. The cookie, the first, goes to every port of the host; storage belongs to
// this origin alone.

/** `storedAs`: as the page behind a sign-in link has it, and, of an account's session, /docs. */
export function proofKept(storedAs: string) {
  /** Where storage is forbidden or full, a session lasts as long as the page. Workers have none: they are told. */
  let kept: string | null = null;
  return {
    read(): string | null {
      try {
        return localStorage.getItem(storedAs) ?? kept;
      } catch {
        return kept;
      }
    },
    /** Null: signed out. */
    keep(proof: string | null): void {
      kept = proof;
      try {
        if (proof === null) localStorage.removeItem(storedAs);
        else localStorage.setItem(storedAs, proof);
      } catch {
        // Kept by the page.
      }
    },
  };
}

export const accountProof = proofKept('mxproof-session-proof');
export const sessionProof = accountProof.read;
export const keepSessionProof = accountProof.keep;
