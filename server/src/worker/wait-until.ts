// Polls a condition in memory, for stops that give what is under way some time.

import { setTimeout as sleep } from 'node:timers/promises';
import { steadyNow } from '@mxproof/common/steady-now';

const POLL_MS = 20;

/** Resolves when the condition holds, at the latest after `limitMs`. */
export async function waitUntil(holds: () => boolean, limitMs: number): Promise<void> {
  const deadlineMs = steadyNow() + limitMs;
  while (!holds() && steadyNow() < deadlineMs) await sleep(POLL_MS);
}
