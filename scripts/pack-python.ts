// Packs the Python client as a wheel and a source distribution, where there is a Python that can.
//   node scripts/pack-python.ts [folder]      prints the path of each; `npm run pack` does it too
// Promise: two runs give the same bytes, and nothing of the workspace is changed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROJECT = join(import.meta.dirname, '../clients/python');
const CAN_BUILD = 'import sys, hatchling; sys.exit(sys.version_info < (3, 10))';
/** The date of every file, for zip has no earlier one: 1980-01-01. */
const SOURCE_DATE_EPOCH = '315532800';

/** @returns the path of each package; none where Python 3.10 or its hatchling is missing */
export function packPython(folder: string): string[] {
  // Another Python than the first of the PATH, as the one of a virtual environment.
  const python = process.env.MXPROOF_PYTHON || 'python3';
  try {
    execFileSync(python, ['-c', CAN_BUILD], { stdio: 'ignore' });
  } catch {
    return [];
  }
  mkdirSync(folder, { recursive: true });
  // Beside its goal, so that it is moved there at once or not at all.
  const stage = mkdtempSync(join(resolve(folder), '.python-'));
  try {
    execFileSync(python, ['-m', 'hatchling', 'build', '-t', 'sdist', '-t', 'wheel', '-d', stage], {
      cwd: PROJECT,
      env: { ...process.env, SOURCE_DATE_EPOCH },
      // What it says of a failure is in the error.
      stdio: 'pipe',
    });
    return readdirSync(stage)
      .sort()
      .map((name) => {
        const path = join(resolve(folder), name);
        renameSync(join(stage, name), path);
        return path;
      });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** For people: what was packed, or why nothing was. */
export function printPython(folder: string): void {
  const packed = packPython(folder);
  for (const path of packed) console.log(path);
  if (packed.length === 0)
    console.error(
      'The Python client is not packed: that needs Python 3.10 or newer with hatchling (pip install hatchling).',
    );
}

if (import.meta.main) {
  printPython(process.argv[2] ?? '.');
}
