import type { WireEvents } from '../src/ports.ts';

/** What a connection tells, with some of it told differently. Not a copy: events may be an object of a class. */
export function overhear(events: WireEvents, own: Partial<WireEvents>): WireEvents {
  return {
    connected: () => events.connected(),
    data: (chunk) => events.data(chunk),
    secured: () => events.secured(),
    closed: (error) => events.closed(error),
    ...own,
  };
}
