// A local part nobody has, that looks like one somebody might. Promise: unguessable (over 60 bits of chance), plain
// ASCII letters and digits, not a word a server may know.
const CONSONANTS = 'bcdfghjklmnprstvwz';
const VOWELS = 'aeiou';
const SYLLABLES = 6;
const DIGITS = 1_000_000;

/** `random`: 0 ≤ n < 1, unpredictable in production. */
export function impossibleLocal(random: () => number): string {
  const pick = (from: string) => from.charAt(Math.floor(random() * from.length));
  let name = '';
  for (let i = 0; i < SYLLABLES; i += 1) name += pick(CONSONANTS) + pick(VOWELS);
  const digits = Math.floor(random() * DIGITS)
    .toString()
    .padStart(6, '0');
  return `${name.slice(0, 6)}.${name.slice(6)}${digits}`;
}
