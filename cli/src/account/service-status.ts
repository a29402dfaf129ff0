// What keeps the service from checking, in its own words.
// Promise: of a list that stands still it is said once, without holding anything up; a service that does not know its
// status is as good as one that checks.

import type { MXProof, ServiceStatus } from '@mxproof/client';
import { plain } from '../shared/print.ts';

const NO_NODE =
  'No process of this service checks addresses at the moment: start "mxproof work", or "mxproof serve" without --no-checks.';
/** A shorter pause without results is normal. */
const STILL_MS = 5_000;
const ASKED_EVERY_MS = 10_000;
const ASK_LIMIT_MS = 10_000;

/** Empty: nothing does, as far as the service says. */
export async function statusLines(mx: Pick<MXProof, 'status'>): Promise<string[]> {
  const status = await mx.status({ maxRetries: 0, deadlineMs: ASK_LIMIT_MS }).catch(() => null);
  return status === null ? [] : linesOf(status);
}

function linesOf({ checking, reasons }: ServiceStatus): string[] {
  if (checking === 'waiting' && reasons.length === 0) return [NO_NODE];
  return reasons.map(({ advice }) => plain(advice));
}

export interface Standstill {
  /** More of it is checked. */
  moved(): void;
  stop(): void;
}

/** `say`: gets each line once. */
export function watchStandstill(mx: Pick<MXProof, 'status'>, say: (line: string) => void): Standstill {
  const said = new Set<string>();
  let isOver = false;
  const ask = async () => {
    for (const line of await statusLines(mx)) {
      if (isOver || said.has(line)) continue;
      said.add(line);
      say(line);
    }
    if (!isOver) askIn(ASKED_EVERY_MS);
  };
  const askIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(ask, ms).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  askIn(STILL_MS);
  return {
    moved: () => askIn(STILL_MS),
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
