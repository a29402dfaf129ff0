// A clock for tests against real servers: the engine's pauses are seconds, so its time runs faster than theirs.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Clock } from '../../src/types.ts';

const SPEED = 5;
const startedAtMs = steadyNow();

export const fastClock: Clock = {
  now: () => startedAtMs + (steadyNow() - startedAtMs) * SPEED,
  setTimeout: (callback, ms) => setTimeout(callback, ms / SPEED),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
