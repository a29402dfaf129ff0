// The local part of a catch-all probe: plausible, and certain not to exist. Promise: unguessable (58 bits of randomness),
// ASCII letters and digits only, not a word a server may know.
const CONSONANTS = 'bcdfghjklmnprstvwz';
const VOWELS = 'aeiou';
const SYLLABLES = 6;
const SYLLABLE_CHOICES = CONSONANTS.length * VOWELS.length;
const NAMES = SYLLABLE_CHOICES ** SYLLABLES;
const DIGITS = 1_000_000;

/** `random`: 0 ≤ n < 1, unpredictable in production. */
export function probeLocal(random: () => number): string {
  let choice = Math.floor(random() * NAMES);
  let name = '';
  for (let i = 0; i < SYLLABLES; i += 1) {
    const syllable = choice % SYLLABLE_CHOICES;
    choice = Math.floor(choice / SYLLABLE_CHOICES);
    name += CONSONANTS.charAt(syllable % CONSONANTS.length);
    name += VOWELS.charAt(Math.floor(syllable / CONSONANTS.length));
  }
  const digits = Math.floor(random() * DIGITS)
    .toString()
    .padStart(6, '0');
  return `${name.slice(0, 6)}.${name.slice(6)}${digits}`;
}
