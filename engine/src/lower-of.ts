// The lower of two numbers, of which either may be missing.

export function lowerOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
