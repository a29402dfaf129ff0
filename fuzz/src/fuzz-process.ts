// A target in a process of its own: it can be ended where it hangs, its heap has a bound, and where an input brings down
// Node itself, its parent is there to say which.
import { readCorpus } from './corpus.ts';
import { Coverage } from './coverage.ts';
import { fuzzTarget } from './fuzz-target.ts';
import { InputFile } from './input-file.ts';

const [name = '', inputs = '', seed = '', path = ''] = process.argv.slice(2);
// Before the targets and what they import are compiled.
const coverage = new Coverage();
const { TARGETS } = await import('./targets/index.ts');
const target = TARGETS.find((one) => one.name === name);
if (target === undefined) throw new Error(`There is no target ${name}.`);
const file = new InputFile(path, 'r+');
const report = await fuzzTarget(target, {
  inputs: Number(inputs),
  seed: Number(seed),
  coverage,
  corpus: readCorpus(name),
  onInput: (input) => file.put(input),
});
coverage.close();
process.send?.(report, () => process.disconnect());
