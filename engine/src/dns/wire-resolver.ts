// Resolver with our own DNS messages. Promise: an answer (no such name, no such record) is distinguished from a failure
// to answer; after a failure the next resolver is queried, each once, the last one that answered before one that was
// silent; an alias is followed even if the resolver leaves that to us; an answer that is truncated even over TCP, or
// malformed, does not count; one that is slow to read ends the search.
//
//   ask a server ─ records, no such name, no such record ─▶ told
//     ▲  ▲       ├ an alias and nothing about its target ─▶ ask for the target, from the first server on
//     │  └───────┘ (at most 8 aliases in all, and within the budget)
//     └ the next ─ servfail, refused, timeout ─ none left ─▶ told
import { getServers } from 'node:dns';
import { type ReadingWatch, UNWATCHED } from '@mxproof/common/watchdog';
import type {
  DnsAnswer,
  DnsFailure,
  NamedServer,
  NameLookups,
  PassedOver,
  QuestionBudget,
  Resolver,
} from '../ports.ts';
import { A, AAAA, MX, PTR, type QuestionType, TXT } from './dns-message.ts';
import { NameServer, type ServerQuery, type ServerReading } from './name-server.ts';
import { parseServerAddress } from './server-address.ts';

const QUESTION_TIMEOUT_MS = 2_500;
/** RFC 1034 wants chains short and loops found. */
const ALIASES_MAX = 8;

export interface WireResolverOptions {
  /** `host[:port]`, IPv6 with a port as `[::1]:53`. Unset: the system's. */
  readonly servers?: readonly string[] | undefined;
  /** Of one try; each resolver is tried twice. */
  readonly timeoutMs?: number;
  readonly watchdog?: ReadingWatch | undefined;
}

export interface WireResolver extends Resolver, NameLookups {
  readonly servers: readonly NamedServer[];
  readonly txt: NameLookups['txt'];
  /** Ends every query; waiting callers get `timeout`. */
  close(): void;
}

export function createWireResolver(options: WireResolverOptions = {}): WireResolver {
  const timeoutMs = options.timeoutMs ?? QUESTION_TIMEOUT_MS;
  const watchdog = options.watchdog ?? UNWATCHED;
  const addresses = (options.servers ?? getServers()).map(parseServerAddress);
  const all = addresses.map((address) => new NameServer(address, timeoutMs, watchdog));
  const servers: Servers = { all, first: 0 };
  return {
    mx: (name, passedOver = null, budget) => look(servers, name, MX, passedOver, budget),
    a: (name, passedOver = null, budget) => look(servers, name, A, passedOver, budget),
    aaaa: (name, passedOver = null, budget) => look(servers, name, AAAA, passedOver, budget),
    ptr: (name, passedOver = null, budget) => look(servers, name, PTR, passedOver, budget),
    txt: (name, passedOver = null, budget) => look(servers, name, TXT, passedOver, budget),
    servers: all.map((server) => {
      const alone: Servers = { all: [server], first: 0 };
      return {
        name: `DNS server ${server.name}`,
        mx: (name) => look(alone, name, MX, null),
        a: (name) => look(alone, name, A, null),
      };
    }),
    close() {
      for (const server of all) server.close();
    },
  };
}

interface Servers {
  readonly all: readonly NameServer[];
  /** Index of the server that is asked first. */
  first: number;
}

function look<Row>(
  servers: Servers,
  name: string,
  type: QuestionType<Row>,
  passedOver: PassedOver,
  budget?: QuestionBudget,
): Promise<DnsAnswer<Row>> {
  return new Promise((done) => {
    new Search(servers, name, type, passedOver, budget, done).ask();
  });
}

class Search<Row> implements ServerQuery<Row> {
  name: string;
  readonly type: QuestionType<Row>;
  aliasesMax = ALIASES_MAX;
  readonly #asked: string;
  readonly #servers: Servers;
  readonly #passedOver: PassedOver;
  readonly #budget: QuestionBudget | undefined;
  readonly #done: (answer: DnsAnswer<Row>) => void;
  #ttlSeconds = Number.POSITIVE_INFINITY;
  #startedAt: number;
  #failed = 0;
  #wasSilent = false;
  /** How the last server that was asked failed. */
  #failure: DnsFailure = 'timeout';

  constructor(
    servers: Servers,
    name: string,
    type: QuestionType<Row>,
    passedOver: PassedOver,
    budget: QuestionBudget | undefined,
    done: (answer: DnsAnswer<Row>) => void,
  ) {
    this.#servers = servers;
    this.name = name;
    this.#asked = name;
    this.type = type;
    this.#passedOver = passedOver;
    this.#budget = budget;
    this.#done = done;
    this.#startedAt = servers.first;
  }

  ask(): void {
    const { all } = this.#servers;
    while (this.#failed < all.length && this.#passedOver?.has(this.#at())) this.#failed += 1;
    const server = this.#failed < all.length ? all[this.#at()] : undefined;
    if (server === undefined) this.#fail({ kind: this.#failure });
    else server.ask(this, this.#heard);
  }

  #tell(answer: DnsAnswer<Row>): void {
    const at = this.#at();
    this.#done(at > 0 ? { ...answer, server: at } : answer);
  }

  /** About the name itself, or the last that its aliases led to. */
  #fail({ kind, about = this.name }: { readonly kind: DnsFailure; readonly about?: string }): void {
    this.#tell(about === this.#asked ? { kind } : { kind, about });
  }

  /** The place of the server whose turn it is. */
  #at(): number {
    return (this.#startedAt + this.#failed) % this.#servers.all.length;
  }

  readonly #heard = (said: ServerReading<Row>): void => {
    switch (said.kind) {
      // Another server's copy would take as long.
      case 'slow':
        this.#tell({ kind: 'servfail' });
        break;
      case 'records':
        this.#prefer();
        if (this.#ttlSeconds >= said.ttlSeconds) this.#tell(said);
        else this.#tell({ ...said, ttlSeconds: this.#ttlSeconds });
        break;
      case 'alias':
        this.#prefer();
        this.#follow(said);
        break;
      // The name's owner has answered; another resolver that can be believed would say the same.
      case 'nxdomain':
      case 'nodata':
        this.#prefer();
        this.#fail(said);
        break;
      case 'servfail':
      case 'refused':
      case 'timeout':
        this.#next(said.kind);
        break;
      default:
        said satisfies never;
    }
  };

  #follow(alias: { readonly name: string; readonly aliases: number; readonly ttlSeconds: number }): void {
    if (this.#budget?.questionsLeft === 0) {
      this.#tell({ kind: 'servfail' });
      return;
    }
    if (this.#budget !== undefined) this.#budget.questionsLeft -= 1;
    this.#ttlSeconds = Math.min(this.#ttlSeconds, alias.ttlSeconds);
    this.aliasesMax -= alias.aliases;
    this.name = alias.name;
    this.#startedAt = this.#servers.first;
    this.#failed = 0;
    this.#wasSilent = false;
    this.ask();
  }

  #next(failure: DnsFailure): void {
    this.#wasSilent ||= failure === 'timeout';
    this.#failure = failure;
    this.#failed += 1;
    this.ask();
  }

  /** A server that answered is asked before one that was silent. */
  #prefer(): void {
    if (this.#wasSilent) this.#servers.first = this.#at();
  }
}
