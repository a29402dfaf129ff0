// Identifies a file by its size and a hash of its bytes. The hash is not cryptographic: users do not forge their own files,
// and a page without https has no crypto.subtle.

const OFFSETS = [0x811c9dc5, 0x01000193] as const;
const PRIMES = [0x01000193, 0x85ebca6b] as const;

/** 64 bits: a person would need billions of files of one size before two of them were taken for one. */
export async function contentMark(file: Blob): Promise<string> {
  let [a, b]: number[] = [...OFFSETS] as [number, number];
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const byte of value) {
      a = Math.imul(a! ^ byte, PRIMES[0]);
      b = Math.imul((b! << 5) ^ (b! >>> 27) ^ byte, PRIMES[1]);
    }
  }
  return `${file.size}-${hex(a!)}${hex(b!)}`;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
