// How much a deployment needs for so many addresses a day. Pure arithmetic over named assumptions, so that
// docs/guide/scaling.md cannot say one thing and compute another.

export interface Assumptions {
  /** Busiest hour against the day's mean. */
  readonly peakFactor: number;
  /** Of all addresses, at the largest provider. */
  readonly largestProviderShare: number;
  /** Recipients a second that one source address may ask the largest provider about without standing out. */
  readonly providerPerSource: number;
  /** The same for a day, as the careful have it. */
  readonly providerPerSourceAndDay: number;
  /** Of all addresses, at domains of their own, with so many of them a session. */
  readonly smallDomainShare: number;
  readonly addressesPerSmallSession: number;
  readonly sessionSeconds: number;
  /** Of small domains' hosts, those that never answer, and how long each is waited for. */
  readonly unresponsiveShare: number;
  readonly unresponsiveSeconds: number;
  readonly sessionsPerNode: number;
  /** Measured: addresses a second of one core of a node, all of the service included. */
  readonly perCore: number;
  /** Measured: bytes of write-ahead log, of chunks and of evidence for an address. */
  readonly walBytes: number;
  readonly chunkBytes: number;
  readonly evidenceBytes: number;
  readonly evidenceDays: number;
  /** Measured: commits for a thousand addresses of lists. */
  readonly commitsPerThousand: number;
  /** Measured, for POST /verify under load: a second and node of 2 cores, commits and log bytes each. */
  readonly singlesPerNode: number;
  readonly commitsPerSingle: number;
  readonly walBytesPerSingle: number;
  readonly dnsQuestionsPerSmallDomain: number;
}

/** Measured ones from bench/results (2 cores, embedded store), doubled where real addresses are longer than made-up ones. */
export const ASSUMPTIONS: Assumptions = {
  peakFactor: 3,
  largestProviderShare: 0.3,
  providerPerSource: 10,
  providerPerSourceAndDay: 10_000,
  smallDomainShare: 0.4,
  addressesPerSmallSession: 1.3,
  sessionSeconds: 2,
  unresponsiveShare: 0.01,
  unresponsiveSeconds: 180,
  sessionsPerNode: 6_000,
  perCore: 10_000,
  walBytes: 150,
  chunkBytes: 50,
  evidenceBytes: 90,
  evidenceDays: 30,
  commitsPerThousand: 2.5,
  singlesPerNode: 500,
  commitsPerSingle: 1,
  walBytesPerSingle: 2_700,
  dnsQuestionsPerSmallDomain: 3,
};

export interface Capacity {
  readonly peakPerSecond: number;
  readonly sources: number;
  /** With the limit of a day. */
  readonly sourcesByDay: number;
  readonly openSessions: number;
  readonly cores: number;
  readonly nodes: number;
  readonly dnsPerSecond: number;
  readonly commitsPerSecond: number;
  /** Were every address a single check. */
  readonly singleNodes: number;
  readonly singleCommitsPerSecond: number;
  readonly singleWalGigabytesPerDay: number;
  readonly walGigabytesPerDay: number;
  readonly chunkGigabytesPerYear: number;
  readonly evidenceGigabytes: number;
  readonly chunkRowsPerDay: number;
}

const SECONDS_PER_DAY = 86_400;
const GIGABYTE = 1e9;
const CHUNK_ADDRESSES = 250;

export function capacity(perDay: number, given: Assumptions = ASSUMPTIONS): Capacity {
  const peakPerSecond = (perDay / SECONDS_PER_DAY) * given.peakFactor;
  const small = peakPerSecond * given.smallDomainShare;
  const sessionsPerSecond = small / given.addressesPerSmallSession;
  const answering = sessionsPerSecond * given.sessionSeconds;
  const silent = sessionsPerSecond * given.unresponsiveShare * given.unresponsiveSeconds;
  const openSessions = answering + silent;
  const cores = peakPerSecond / given.perCore;
  return {
    peakPerSecond,
    sources: Math.ceil((peakPerSecond * given.largestProviderShare) / given.providerPerSource),
    sourcesByDay: Math.ceil((perDay * given.largestProviderShare) / given.providerPerSourceAndDay),
    openSessions,
    cores,
    nodes: Math.ceil(Math.max(cores, openSessions / given.sessionsPerNode)),
    dnsPerSecond: sessionsPerSecond * given.dnsQuestionsPerSmallDomain,
    commitsPerSecond: (peakPerSecond / 1000) * given.commitsPerThousand,
    singleNodes: Math.ceil(peakPerSecond / given.singlesPerNode),
    singleCommitsPerSecond: peakPerSecond * given.commitsPerSingle,
    singleWalGigabytesPerDay: (perDay * given.walBytesPerSingle) / GIGABYTE,
    walGigabytesPerDay: (perDay * given.walBytes) / GIGABYTE,
    chunkGigabytesPerYear: (perDay * given.chunkBytes * 365) / GIGABYTE,
    evidenceGigabytes: (perDay * given.evidenceBytes * given.evidenceDays) / GIGABYTE,
    chunkRowsPerDay: perDay / CHUNK_ADDRESSES,
  };
}
