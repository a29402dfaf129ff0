// `Prefer: wait=N` (RFC 7240): how long the client wants to wait for a single check.
const WAIT = /^wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/** Null: no such wish, or none that shortens anything. What is malformed is ignored, as the RFC wants. */
export function preferredWaitSeconds(prefer: string | string[] | undefined, longest: number): number | null {
  if (prefer === undefined) return null;
  for (const preference of String(prefer).split(',')) {
    const match = WAIT.exec(preference.trim());
    // Of several the first counts.
    if (match) return Number(match[1]) <= longest ? Number(match[1]) : null;
  }
  return null;
}
