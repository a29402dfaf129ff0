// Time as the machine has it.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Clock } from './types.ts';

export const systemClock: Clock = {
  now: steadyNow,
  wallNow: () => Date.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
