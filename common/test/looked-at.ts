// How many characters this thread looks at during some work: those that indexOf, lastIndexOf and includes pass over on their way
// to what they find or to the end, which is where a reader that searches its text again and again spends its time.
// A number of steps, the same on every machine. Regular expressions are not seen: engine/test/linear-bounces.test.ts holds them.

export async function charsLookedAt(work: () => unknown): Promise<number> {
  const { indexOf, lastIndexOf, includes } = String.prototype;
  let looked = 0;
  const forward = (text: string, sought: string, from = 0) => {
    const at = indexOf.call(text, sought, from);
    looked += Math.max(0, (at < 0 ? text.length : at) - from);
    return at;
  };
  Object.assign(String.prototype, {
    indexOf(this: string, sought: string, from?: number) {
      return forward(this, sought, from);
    },
    lastIndexOf(this: string, sought: string, from = this.length) {
      const at = lastIndexOf.call(this, sought, from);
      looked += Math.max(0, Math.min(from, this.length) - Math.max(at, 0));
      return at;
    },
    includes(this: string, sought: string, from?: number) {
      return forward(this, sought, from) >= 0;
    },
  });
  try {
    await work();
  } finally {
    Object.assign(String.prototype, { indexOf, lastIndexOf, includes });
  }
  return looked;
}
