// The time that other processes read.
import type { Clock } from './types.ts';

export function wallNow(clock: Clock): number {
  return clock.wallNow?.() ?? clock.now();
}
