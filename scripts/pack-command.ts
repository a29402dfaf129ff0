// Packs what is published, or one bundle for a machine without internet.
//   npm run pack -- [folder]               prints the path of each tarball, and of the Python client's packages
//   npm run pack -- --offline [folder]     prints the path of the bundle, which is for machines like this one
import { parseArgs } from 'node:util';
import { packOffline } from './offline-bundle.ts';
import { pack } from './pack.ts';
import { printPython } from './pack-python.ts';

const { values, positionals } = parseArgs({
  options: { offline: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder = '.'] = positionals;
if (values.offline) console.log(await packOffline(folder));
else {
  for (const path of await pack(folder)) console.log(path);
  printPython(folder);
}
