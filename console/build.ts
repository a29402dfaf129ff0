// Builds the console into a folder:
//   node console/build.ts FOLDER
// Promise: it runs at a lower priority than the service that started it, and ends with it, however that ends.
import { constants, setPriority } from 'node:os';
import { build } from 'vite';

const [outDir] = process.argv.slice(2);
if (outDir === undefined) throw new Error('usage: node console/build.ts FOLDER');
// Or React's development version is built wherever the environment says so, with paths of this machine in it.
process.env.NODE_ENV = 'production';
setPriority(constants.priority.PRIORITY_LOW);
process.once('disconnect', () => process.exit(1));
await build({
  root: import.meta.dirname,
  // The other loaders write next to the file, which a read-only checkout does not allow.
  configLoader: 'native',
  logLevel: 'error',
  build: { outDir, emptyOutDir: true },
});
process.exit(0);
