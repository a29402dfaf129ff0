// Resolver with DNS messages of our own. Promise: what a resolver said (there is no such name, there is no such record)
// is told apart from its failure to say anything; on a failure the next resolver is asked, each once around, the one
// that answered last before one that was silent; an alias is followed even where the resolver leaves that to us; an
// answer that is cut off even over TCP, or malformed, is none.
//
//   ask a server ─ records, no such name, no such record ─▶ told
//     ▲  ▲       ├ an alias and nothing about its target ─▶ ask for the target, from the first server on
//     │  └───────┘ (at most 8 aliases in all)
//     └ the next ─ servfail, refused, timeout ─ none left ─▶ told
import { getServers } from 'node:dns';
import type { DnsAnswer, DnsFailure, Resolver } from '../ports.ts';
import { A, AAAA, MX, type QuestionType } from './dns-message.ts';
import { type Asking, NameServer, type ServerReading } from './name-server.ts';
import { parseServerAddress } from './server-address.ts';

const QUESTION_TIMEOUT_MS = 2_500;
/** RFC 1034 wants chains short and loops found. */
const ALIASES_MAX = 8;

export interface WireResolverOptions {
  /** `host[:port]`, IPv6 with a port as `[::1]:53`. Unset: the system's. */
  readonly servers?: readonly string[] | undefined;
  /** Of one try; each resolver is tried twice. */
  readonly timeoutMs?: number;
}

export interface WireResolver extends Resolver {
  /** Ends every question, with `timeout` for whoever waits. */
  close(): void;
}

export function createWireResolver(options: WireResolverOptions = {}): WireResolver {
  const timeoutMs = options.timeoutMs ?? QUESTION_TIMEOUT_MS;
  const addresses = (options.servers ?? getServers()).map(parseServerAddress);
  const servers: Servers = { all: addresses.map((address) => new NameServer(address, timeoutMs)), first: 0 };
  return {
    mx: (name) => look(servers, name, MX),
    a: (name) => look(servers, name, A),
    aaaa: (name) => look(servers, name, AAAA),
    close() {
      for (const server of servers.all) server.close();
    },
  };
}

interface Servers {
  readonly all: readonly NameServer[];
  /** Who is asked first. */
  first: number;
}

function look<Row>(servers: Servers, name: string, type: QuestionType<Row>): Promise<DnsAnswer<Row>> {
  return new Promise((done) => {
    new Search(servers, name, type, done).ask();
  });
}

class Search<Row> implements Asking<Row> {
  name: string;
  readonly type: QuestionType<Row>;
  aliasesMax = ALIASES_MAX;
  readonly #servers: Servers;
  readonly #done: (answer: DnsAnswer<Row>) => void;
  #ttlSeconds = Number.POSITIVE_INFINITY;
  #startedAt: number;
  #failed = 0;
  #wasSilent = false;

  constructor(
    servers: Servers,
    name: string,
    type: QuestionType<Row>,
    done: (answer: DnsAnswer<Row>) => void,
  ) {
    this.#servers = servers;
    this.name = name;
    this.type = type;
    this.#done = done;
    this.#startedAt = servers.first;
  }

  ask(): void {
    const server = this.#servers.all[this.#at()];
    if (server === undefined) this.#done({ kind: 'timeout' });
    else server.ask(this, this.#heard);
  }

  /** The place of the server whose turn it is. */
  #at(): number {
    return (this.#startedAt + this.#failed) % this.#servers.all.length;
  }

  readonly #heard = (said: ServerReading<Row>): void => {
    switch (said.kind) {
      case 'records':
        this.#prefer();
        if (this.#ttlSeconds >= said.ttlSeconds) this.#done(said);
        else this.#done({ ...said, ttlSeconds: this.#ttlSeconds });
        break;
      case 'alias':
        this.#prefer();
        this.#follow(said);
        break;
      // The name's owner has answered; another resolver would say the same.
      case 'nxdomain':
      case 'nodata':
        this.#prefer();
        this.#done(said);
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
    this.#failed += 1;
    if (this.#failed < this.#servers.all.length) this.ask();
    else this.#done({ kind: failure });
  }

  /** Who answered is asked before who was silent. */
  #prefer(): void {
    if (this.#wasSilent) this.#servers.first = this.#at();
  }
}
