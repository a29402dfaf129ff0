/** For rules, which people read: `at 2030-01-01 00:03:05 UTC`. */
export function timeWords(atMs: number): string {
  return `at ${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
