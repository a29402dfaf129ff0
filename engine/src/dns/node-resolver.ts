// Resolver over node:dns (c-ares). Promise: what a resolver said (there is no such name, there is no such record)
// is told apart from its failure to say anything; on a failure the next resolver is asked, each once around, the one
// that answered last before one that was silent; an alias is followed even where the resolver leaves that to us; an
// answer that is cut off even over TCP is none.
import { Resolver as CaresResolver, getServers } from 'node:dns';
import { isIP } from 'node:net';
import type { DnsAnswer, DnsFailure, MxRecord, Resolver } from '../ports.ts';
import { CutAnswers, type QuestionType } from './cut-answer.ts';

const QUESTION_TIMEOUT_MS = 2_500;
const TRIES_PER_RESOLVER = 2;
/** RFC 1034 wants chains short and loops found. */
const ALIASES_MAX = 8;

/** c-ares error → what it means to us. Not named here: no usable answer (`servfail`). */
const FAILURES: Readonly<Record<string, DnsFailure>> = {
  ENOTFOUND: 'nxdomain',
  ENODATA: 'nodata',
  ESERVFAIL: 'servfail',
  EREFUSED: 'refused',
  ETIMEOUT: 'timeout',
  ECONNREFUSED: 'timeout',
  ECANCELLED: 'timeout',
};

/**
 * c-ares gives up every question of a socket on which one malformed answer came: whose it was shows only when each
 * is asked again on a socket of its own.
 */
const GARBLED = 'garbled';

/** The name's owner has answered; another resolver would say the same. */
const DEFINITE: ReadonlySet<DnsFailure> = new Set(['nxdomain', 'nodata']);

export interface NodeResolverOptions {
  /** `host[:port]`, IPv6 with a port as `[::1]:53`. Unset: the system's. */
  readonly servers?: readonly string[] | undefined;
  readonly timeoutMs?: number;
}

export function createNodeResolver(options: NodeResolverOptions = {}): Resolver {
  const servers = options.servers ?? getServers();
  const open = (server: string): CaresResolver => {
    const resolver = new CaresResolver({
      timeout: options.timeoutMs ?? QUESTION_TIMEOUT_MS,
      tries: TRIES_PER_RESOLVER,
    });
    resolver.setServers([server]);
    return resolver;
  };
  const resolvers = servers.map((server) => ({ server, shared: open(server) }));

  const cutAnswers = new CutAnswers(options.timeoutMs ?? QUESTION_TIMEOUT_MS);
  let first = 0;

  /** `sure`: what was asked, where an empty answer must not be a piece of one. */
  async function ask<Row>(
    question: (resolver: CaresResolver) => Promise<DnsAnswer<Row> | typeof GARBLED>,
    sure: { readonly name: string; readonly type: QuestionType } | null,
  ): Promise<DnsAnswer<Row>> {
    const startedAt = first;
    let last: DnsAnswer<Row> = { kind: 'timeout' };
    let wasSilent = false;
    for (let i = 0; i < resolvers.length; i += 1) {
      const at = (startedAt + i) % resolvers.length;
      const one = resolvers[at];
      if (one === undefined) break;
      let said = await question(one.shared);
      if (said === GARBLED) said = await question(open(one.server));
      last = said === GARBLED ? { kind: 'servfail' } : said;
      if (
        last.kind === 'nodata' &&
        sure !== null &&
        (await cutAnswers.isCut(one.server, sure.name, sure.type))
      )
        last = { kind: 'servfail' };
      if (last.kind === 'records' || DEFINITE.has(last.kind)) {
        if (wasSilent) first = at;
        return last;
      }
      wasSilent ||= last.kind === 'timeout';
    }
    return last;
  }

  /** A server that is no full resolver answers with the alias alone, which reads as "no such record". */
  async function follow<Row>(
    name: string,
    type: QuestionType,
    askAbout: (resolver: CaresResolver, name: string) => Promise<DnsAnswer<Row> | typeof GARBLED>,
  ): Promise<DnsAnswer<Row>> {
    let at = name;
    for (let hops = 0; hops <= ALIASES_MAX; hops += 1) {
      const said = await ask((resolver) => askAbout(resolver, at), { name: at, type });
      if (said.kind !== 'nodata') return said;
      const alias = await ask((resolver) => askAlias(resolver, at), null);
      const target = alias.kind === 'records' ? alias.records[0] : undefined;
      if (target === undefined || target === '') return said;
      at = target;
    }
    return { kind: 'servfail' };
  }

  return {
    mx: (name) => follow(name, 'mx', askMx),
    a: (name) => follow(name, 'a', (resolver, at) => askAddress(resolver, 4, at)),
    // Nearly every exchanger has no such record: worth more questions only where it has nothing else.
    aaaa: (name, isOnlyHope = false) =>
      isOnlyHope
        ? follow(name, 'aaaa', (resolver, at) => askAddress(resolver, 6, at))
        : ask((resolver) => askAddress(resolver, 6, name), null),
  };
}

function askMx(resolver: CaresResolver, name: string): Promise<DnsAnswer<MxRecord> | typeof GARBLED> {
  return new Promise((done) => {
    resolver.resolveMx(name, (error, rows) => {
      if (error) return done(failureOf(error));
      const records = rows.map((row) => ({ preference: row.priority, exchange: hostName(row.exchange) }));
      done(records.length === 0 ? { kind: 'nodata' } : { kind: 'records', records, ttlSeconds: null });
    });
  });
}

function askAddress(
  resolver: CaresResolver,
  family: 4 | 6,
  name: string,
): Promise<DnsAnswer<string> | typeof GARBLED> {
  return new Promise((done) => {
    const answered = (error: NodeJS.ErrnoException | null, rows: { address: string; ttl: number }[]) => {
      if (error) return done(failureOf(error));
      const records = rows.map((row) => row.address).filter((ip) => isIP(ip) !== 0);
      if (records.length === 0) return done({ kind: 'nodata' });
      done({
        kind: 'records',
        records,
        ttlSeconds: rows.reduce((least, row) => Math.min(least, row.ttl), Infinity),
      });
    };
    if (family === 4) resolver.resolve4(name, { ttl: true }, answered);
    else resolver.resolve6(name, { ttl: true }, answered);
  });
}

function askAlias(resolver: CaresResolver, name: string): Promise<DnsAnswer<string> | typeof GARBLED> {
  return new Promise((done) => {
    resolver.resolveCname(name, (error, names) => {
      if (error) return done(failureOf(error));
      done({ kind: 'records', records: names.map(hostName), ttlSeconds: null });
    });
  });
}

function failureOf(error: NodeJS.ErrnoException): { kind: DnsFailure } | typeof GARBLED {
  if (error.code === 'EBADRESP') return GARBLED;
  return { kind: FAILURES[error.code ?? ''] ?? 'servfail' };
}

/** Lower case and without the trailing dot; `` is a null MX. */
function hostName(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}
