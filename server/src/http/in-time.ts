/** The result of `work`; null if it takes longer. The work itself continues, and its result is dropped. */
export function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
