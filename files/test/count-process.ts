// Counts, in a process of its own, the steps that hostile files take: nothing of what is counted was loaded before.
// Prints a line of JSON for each shape: its name, the lengths of its files, and the steps for them.
import { countSteps, startCounting } from './count-steps.ts';

/** An honest file takes some tens for each character. */
const GIVEN_UP_AFTER = 1_000;

startCounting();
const { clean } = await import('./in-memory.ts');
const { pastedFile } = await import('../src/pasted-text.ts');
const { FileError } = await import('../src/file-error.ts');
const { HOSTILE, generatedShapes } = await import('./hostile-files.ts');

const [sizes = '', generatedSizes = '', generated = ''] = process.argv.slice(2);

async function count(shape: (typeof HOSTILE)[string], size: number, keep?: string) {
  const { bytes, length, named, chunkBytes, words, pasted } = shape(size);
  if (pasted !== undefined)
    return { length, steps: await countSteps(async () => pastedFile(pasted), GIVEN_UP_AFTER * length) };
  const options = {
    ...(keep !== undefined && { keep }),
    ...(chunkBytes !== undefined && { chunkBytes }),
    ...(words !== undefined && { words }),
  };
  const cleaned = () =>
    clean(bytes, named, options).catch((error: unknown) => {
      if (!(error instanceof FileError)) throw error;
    });
  return { length, steps: await countSteps(cleaned, GIVEN_UP_AFTER * length) };
}

async function print(name: string, shape: (typeof HOSTILE)[string], list: string): Promise<void> {
  for (const keep of [undefined, 'deliverable']) {
    const counts = [];
    for (const size of list.split(',')) counts.push(await count(shape, Number(size), keep));
    const whole = keep === undefined ? name : `${name}, some rows left out`;
    console.log(JSON.stringify({ name: whole, counts }));
  }
}

// The first of all compiles and caches.
await count(HOSTILE['empty rows']!, 1_000);
for (const [name, shape] of Object.entries(HOSTILE)) await print(name, shape, sizes);
for (const [name, shape] of generatedShapes(Number(generated))) await print(name, shape, generatedSizes);
