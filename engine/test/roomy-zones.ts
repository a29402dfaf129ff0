// Zones that are never full. For tests of something else.
import { ZoneTurns } from '../src/dns/zone-turns.ts';

const clock = {
  now: () => 0,
  setTimeout: (callback: () => void, ms: number) => setTimeout(callback, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
};

export function roomyZones(): ZoneTurns {
  return new ZoneTurns({ clock, nodes: { count: 1 }, questionsPerMinute: 1_000_000 });
}
