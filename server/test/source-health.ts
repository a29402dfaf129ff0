// How sources fare, for tests that show it.
import type { SourceCounts, SourceHealth } from '../src/features/sources/source-health.ts';

export const noCounts: SourceCounts = {
  asked: 0,
  accepted: 0,
  unknownRecipients: 0,
  deferred: 0,
  refused: { block: 0, rate: 0, ptr: 0, policy: 0 },
};

export function healthOf(source: string, provider: string, more: Partial<SourceHealth> = {}): SourceHealth {
  return {
    source,
    provider,
    today: noCounts,
    lastWeek: noCounts,
    refusal: null,
    rest: null,
    warmUp: null,
    ...more,
  };
}
