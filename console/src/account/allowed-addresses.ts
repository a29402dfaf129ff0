// The addresses a key may be used from, as a person writes them: separated by commas, spaces or lines. What is plainly no
// address is named here, so that it can be found among many; whether a range is right is for the service to say.

const MAYBE_ADDRESS = /^(?:[\d.]+|[\da-f]*:[\da-f:.]*)(?:\/\d+)?$/i;

/** Null: from anywhere. */
export function readAllowed(text: string): { readonly ranges: string[] | null } | { readonly wrong: string } {
  const ranges = text.split(/[\s,;]+/).filter((each) => each !== '');
  const wrong = ranges.find((each) => !MAYBE_ADDRESS.test(each));
  if (wrong !== undefined) return { wrong };
  return { ranges: ranges.length === 0 ? null : ranges };
}
