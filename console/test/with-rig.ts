// One file of tests: a browser and a service of its own for all its suites.
import { afterAll, beforeAll, describe } from 'vitest';
import { isSkipped, type Rig, startRig } from './rig.ts';

const START_LIMIT_MS = 180_000;

export type Suite = (rig: () => Rig) => void;

export function withRig(suites: Readonly<Record<string, Suite>>): void {
  describe.skipIf(isSkipped)('the console', () => {
    let rig: Rig;
    beforeAll(async () => {
      rig = await startRig();
    }, START_LIMIT_MS);
    afterAll(() => rig?.close());
    for (const [name, suite] of Object.entries(suites)) describe(name, () => suite(() => rig));
  });
}
