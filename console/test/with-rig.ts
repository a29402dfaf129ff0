// One file of tests: a browser and a service of its own for all its suites.
import { afterAll, beforeAll, describe } from 'vitest';
import type { Env } from '../../cli/test/run-mxproof.ts';
import { isSkipped, type Rig, startRig } from './rig.ts';

const START_LIMIT_MS = 180_000;

export type Suite = (rig: () => Rig) => void;

/** `settings`: of its service, known when it starts. */
export function withRig(suites: Readonly<Record<string, Suite>>, settings: () => Env = () => ({})): void {
  describe.skipIf(isSkipped)('the console', () => {
    let rig: Rig;
    beforeAll(async () => {
      rig = await startRig(undefined, { settings: settings() });
    }, START_LIMIT_MS);
    afterAll(() => rig?.close());
    for (const [name, suite] of Object.entries(suites)) describe(name, () => suite(() => rig));
  });
}
