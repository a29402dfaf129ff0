// What the mail servers of large providers said to each source: learnt once in a run of the doctor, used by several checks.
// Promise: over within FINDINGS_MS of its beginning, whichever check began it.
import { isPublicAddress } from '@mxproof/common/public-address';
import type { DoctorContext } from './doctor-check.ts';
import { seenAddress } from './ehlo-address.ts';
import { orElse } from './in-time.ts';
import { type ProbeTarget, probeTargets } from './probed-providers.ts';
import { type Greeting, greet } from './source-greeting.ts';
import { type DoctorSource, familyOf, sourcesOf } from './sources.ts';

export interface Probe {
  readonly target: ProbeTarget;
  readonly greeting: Greeting;
}

export interface SourceFindings {
  readonly source: DoctorSource;
  /** Empty: no provider's address is known. */
  readonly probes: readonly Probe[];
  /** Addresses that the world sees, each once, by who said it. */
  readonly seen: ReadonlyMap<string, readonly string[]>;
  /** What names, SPF and block lists are asked about: what the world sees, else the address that was set, unless private. */
  readonly outward: readonly string[];
}

/** Of all names and dialogues together: what other checks look up afterwards has its time, too. */
const FINDINGS_MS = 13_000;
/** Servers that make strangers wait for the banner do so for seconds. */
const DIALOGUE_MS = 8_000;
/** Where there is no address to find the proxy at; the engine has words for the rest. */
export const NO_PROXY = 'EPROXYNAME';
/** The machine has no such address family. */
const NO_ROUTE: ReadonlySet<string> = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

export type FindSources = (context: DoctorContext) => Promise<readonly SourceFindings[]>;

export function createFindSources(dialogueMs = DIALOGUE_MS): FindSources {
  // A run has a resolver of its own, and each check a context of its own.
  const known = new WeakMap<DoctorContext['resolver'], Promise<readonly SourceFindings[]>>();
  return (context) => {
    const before = known.get(context.resolver);
    if (before !== undefined) return before;
    const found = findAll(context, dialogueMs);
    known.set(context.resolver, found);
    return found;
  };
}

async function findAll(context: DoctorContext, dialogueMs: number): Promise<readonly SourceFindings[]> {
  const signal = AbortSignal.timeout(FINDINGS_MS);
  const sources = await sourcesOf(context.config);
  const targets = new Map<4 | 6, Promise<readonly ProbeTarget[]>>();
  const targetsOf = (family: 4 | 6) => {
    const own = targets.get(family) ?? orElse(probeTargets(context, family), [], signal);
    targets.set(family, own);
    return own;
  };
  const probe = async (source: DoctorSource, family: 4 | 6): Promise<readonly Probe[]> => {
    const { connect, config } = context;
    const [targetsFound, route] = await Promise.all([
      targetsOf(family),
      orElse(source.route(), null, signal),
    ]);
    return Promise.all(
      targetsFound.map(async (target): Promise<Probe> => {
        if (route === null) return { target, greeting: { kind: 'unreached', error: NO_PROXY } };
        const { ip, hostName } = target;
        const to = { ip, hostName, port: config.smtpPort, ...route };
        const how = { connect, target: to, helo: source.helo, timeoutMs: dialogueMs, signal };
        return { target, greeting: await greet(how) };
      }),
    );
  };
  return Promise.all(
    sources.map(async (source) => {
      const first = await probe(source, familyOf(source));
      // A machine that has IPv6 only.
      const isWithoutV4 = source.name === null && first.length > 0 && first.every(hasNoRoute);
      const second = isWithoutV4 ? await probe(source, 6) : [];
      const probes = second.length > 0 && !second.every(hasNoRoute) ? second : first;
      const seen = seenBy(probes, source.helo);
      const { ip } = source;
      const isOwn = ip !== null && (context.config.allowPrivateTargets || isPublicAddress(ip));
      return { source, probes, seen, outward: seen.size > 0 ? [...seen.keys()] : isOwn ? [ip] : [] };
    }),
  );
}

function hasNoRoute({ greeting }: Probe): boolean {
  return greeting.kind === 'unreached' && NO_ROUTE.has(greeting.error);
}

function seenBy(probes: readonly Probe[], helo: string): Map<string, string[]> {
  const seen = new Map<string, string[]>();
  for (const { target, greeting } of probes) {
    if (greeting.kind !== 'answered' || greeting.hello === null) continue;
    const address = seenAddress(greeting.hello.lines[0] ?? '', helo);
    if (address === null) continue;
    seen.set(address, [...(seen.get(address) ?? []), target.provider.title]);
  }
  return seen;
}
