// The least time that round trips and the policy in force allow, whatever the program: no CPU, no gentle start, every
// connection busy all the time, flights as large as the refusals still allowed. Pure.

export interface FloorLimits {
  readonly connections: number;
  readonly recipientsPerTransaction: number;
  readonly recipientsPerConnection: number;
  readonly refusalsPerConnection: number;
}

export interface FloorHost {
  readonly addresses: number;
  readonly refusalShare: number;
}

/** Before the first recipient: banner, EHLO. The connect itself takes no time on loopback; in simulated time it does. */
const OPENING_ON_LOOPBACK = 2;
export const OPENING_IN_SIMULATION = 3;
const FLIGHTS_MAX = 1_000;

/** Seconds for the busiest host; the hosts work side by side. */
export function floorSeconds(
  hosts: readonly FloorHost[],
  limits: FloorLimits,
  roundTripMs: number,
  opening = OPENING_ON_LOOPBACK,
): number {
  return Math.max(...hosts.map((host) => hostSeconds(host, limits, roundTripMs, opening)));
}

function hostSeconds(host: FloorHost, limits: FloorLimits, roundTripMs: number, opening: number): number {
  const perRoundTrip = bestRecipientsPerRoundTrip(host.refusalShare, limits, opening);
  const roundTrips = host.addresses / (perRoundTrip * limits.connections);
  return (Math.max(opening + 1, roundTrips) * roundTripMs) / 1000;
}

/** Sessions are ended where their average is best: late flights are small, new sessions cost an opening. */
function bestRecipientsPerRoundTrip(refusalShare: number, limits: FloorLimits, opening: number): number {
  let asked = 0;
  let best = 0;
  for (let flights = 1; flights <= FLIGHTS_MAX; flights += 1) {
    // What is in flight counts as refused until it is answered.
    const bearable = limits.refusalsPerConnection - asked * refusalShare;
    const flight = Math.floor(Math.min(bearable, limits.recipientsPerConnection - asked));
    if (flight < 1) break;
    asked += flight;
    best = Math.max(best, asked / (opening + flights));
  }
  return best;
}
