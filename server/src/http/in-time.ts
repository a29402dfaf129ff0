/** What `work` resolves with; null where that takes longer. The work itself goes on, and nobody hears of it any more. */
export function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
