// What the engine needs from outside, as four ports: time (types.ts), DNS, connections, and what its sources may still ask.
// Production uses node:dgram, node:net and node:tls, the service its database; the virtual world uses memory.

export interface MxRecord {
  readonly preference: number;
  /** As DNS gave it, lower case, no trailing dot; `` for a null MX. */
  readonly exchange: string;
}

export type DnsFailure = 'nxdomain' | 'nodata' | 'servfail' | 'refused' | 'timeout';

/** Which of the resolver's servers said it, by its place among them; unset: the first. */
interface AnswerSource {
  readonly server?: number;
}

/** ttlSeconds is null where a resolver does not tell (node:dns, for one, hides it for MX; our own tells). */
export type DnsAnswer<Record> = AnswerSource &
  (
    | { readonly kind: 'records'; readonly records: readonly Record[]; readonly ttlSeconds: number | null }
    /** `about`: the name that aliases led to, where they did. */
    | { readonly kind: DnsFailure; readonly about?: string }
  );

/** One server, asked by itself. */
export interface NamedServer {
  /** For people: `DNS server 192.0.2.53:53`. */
  readonly name: string;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  a(name: string): Promise<DnsAnswer<string>>;
}

/** Servers that are not to be asked. */
export type PassedOver = ReadonlySet<number> | null;

/** What a lookup may still ask; every further query (an alias's target) is taken from it. */
export interface QuestionBudget {
  questionsLeft: number;
}

type RecordQuery<Row> = (
  name: string,
  passedOver?: PassedOver,
  budget?: QuestionBudget,
) => Promise<DnsAnswer<Row>>;

/** One question to one server or the next, no cache: caching, in-flight caps and belief are the engine's. */
export interface Resolver {
  readonly mx: RecordQuery<MxRecord>;
  readonly a: RecordQuery<string>;
  readonly aaaa: RecordQuery<string>;
  /** One text for each record, its strings joined, one character an octet. Unset: no text is known of any name. */
  readonly txt?: RecordQuery<string>;
  /** Unset: the resolver counts as one server. */
  readonly servers?: readonly NamedServer[];
}

/** A SOCKS5 proxy to connect through. */
export interface SocksProxy {
  /** `host:port` as the operator wrote it: what it is known by, in the store and to people. */
  readonly name: string;
  /** A literal address, which may be private. */
  readonly ip: string;
  readonly port: number;
  /** Null: it asks for none. Never logged. */
  readonly login: SocksLogin | null;
}

/** Each from 1 to 255 bytes of UTF-8. */
export interface SocksLogin {
  readonly user: string;
  readonly password: string;
}

/** What the doctor asks besides; the engine itself needs none of it. */
export interface NameLookups {
  /** Names, as MX hosts are written. */
  readonly ptr: RecordQuery<string>;
  /** One text for each record, its strings joined, one character an octet. */
  readonly txt: RecordQuery<string>;
}

export interface ConnectTarget {
  /** A literal address, already found to be allowed. */
  readonly ip: string;
  readonly port: number;
  /** Local address to connect from; null leaves it to the system. */
  readonly source: string | null;
  /** MX host's name, for TLS SNI. */
  readonly hostName: string;
  /** Connected through it, and never without it; `source` is null. Unset: directly. */
  readonly proxy?: SocksProxy | undefined;
}

/**
 * How a connect through a proxy ends that says nothing about the mail host. Of the proxy as a whole: `EPROXYDOWN` (it does not
 * answer), `EPROXYPROTO` (what it says is not SOCKS5), `EPROXYLOGIN` (it refuses the login). Of this mail host:
 * `EPROXYREFUSED` (it does not connect there), `EPROXYNOROUTE` (it cannot).
 */
export type ProxyError = 'EPROXYDOWN' | 'EPROXYPROTO' | 'EPROXYLOGIN' | 'EPROXYREFUSED' | 'EPROXYNOROUTE';

export interface WireEvents {
  connected(): void;
  data(chunk: Uint8Array): void;
  /** After startTls(): the handshake is done. */
  secured(): void;
  /** Once, last. Null: the other side ended it; else an errno word such as ECONNREFUSED, ETIMEDOUT, EPROTO, or a ProxyError. */
  closed(error: string | null): void;
}

export interface Wire {
  write(text: string): void;
  startTls(): void;
  /** Ends at once; `closed` still follows. */
  destroy(): void;
}

/** Begins to connect; never throws: a failure is a `closed` event on a later turn. Time-outs are the session's. */
export type Connect = (target: ConnectTarget, events: WireEvents) => Wire;

/** A limit per day that begins small and grows by itself, of one source at one provider. */
export interface WarmUp {
  /** On the first day. */
  readonly perDay: number;
  /** From one day to the next. */
  readonly growth: number;
  /** A limit that would reach this number is lifted. */
  readonly until: number;
  /** Of the recipients of a day: more unknown ones than this, and the next day does not grow. */
  readonly unknownPercent: number;
}

export interface ProviderWarmUp extends WarmUp {
  /** `other`: all hosts of no known provider together. */
  readonly provider: string;
}

/** Recipients that one source may ask about in an hour and a day, and what they are counted for. */
export interface Budget {
  /** A provider, the name in a row of the policy, one address, or a provider with a warm-up. */
  readonly key: string;
  readonly perHour: number | null;
  readonly perDay: number | null;
  /** The limit per day is kept where permits are counted, since it grows; `perDay` is null then. */
  readonly warmUp?: ProviderWarmUp;
}

/** Recipients that a source wants to ask about. */
export interface PermitRequest extends Budget {
  /** Null: the machine's own address. */
  readonly source: string | null;
  /** Who has a share of the limits; empty: there is no other, and the limits are its own. */
  readonly payer: string;
  /** At least 1. */
  readonly wanted: number;
}

export interface PermitGrant {
  /** At most as many as were wanted. */
  readonly granted: number;
  /** What they are counted in: hours and days since the epoch, in UTC. */
  readonly hour: number;
  readonly day: number;
  /** They hold for so long after they were asked for. */
  readonly validMs: number;
  /** When there may be more, where fewer were granted than wanted. */
  readonly moreInMs: number;
}

export interface Permits {
  readonly source: string | null;
  readonly key: string;
  readonly payer: string;
  /** Of the grant. */
  readonly hour: number;
  readonly day: number;
  readonly count: number;
}

/** Counts what sources have asked in an hour and a day, for all processes that share them. */
export interface PermitStore {
  take(request: PermitRequest): Promise<PermitGrant>;
  /** They were not used. */
  giveBack(permits: Permits): Promise<void>;
}

/** Where something was asked from, and of whom. */
export interface AskedPlace {
  /** Its address, `host:port` of a proxy; null: the machine's own. */
  readonly source: string | null;
  readonly provider: string;
}

/**
 * `unknown`: there is no such recipient, in the server's words; one of our own making (a catch-all probe) is `other`.
 * `refused`: for what we are. `other`: read as none of these.
 */
export type RecipientOutcome = 'accepted' | 'unknown' | 'deferred' | 'refused' | 'other';

/** Refused for what we are: listed, too fast, without a name, or by the rules of the server. */
export type RefusalKind = 'block' | 'rate' | 'ptr' | 'policy';

/**
 * Told of what happens on the wire, for counting it. `payer`: on whose behalf; empty: there is no other payer.
 * Promise: no recipient is named. Must not throw.
 */
export interface WireObserver {
  /**
   * It has ended. `answered`: it was answered about a recipient, or had nothing to ask any more; `refused`: it or its sender
   * was turned away before that; `failed`: not connected, or broken off.
   */
  session(at: AskedPlace, end: 'answered' | 'refused' | 'failed'): void;
  /** The server's reply to RCPT counts: a real recipient's, or a probe's. Asked twice, a recipient is told twice. */
  recipient(at: AskedPlace, outcome: RecipientOutcome, payer: string): void;
  /** A session, a sender or a recipient was refused for what we are. `reply`: the server's, addresses left out, bounded. */
  refusal(at: AskedPlace, kind: RefusalKind, reply: string, payer: string): void;
}

/** A rest of a source at a whole provider, as it is kept for all processes that share the source. Durations are from now. */
export interface KeptRest extends AskedPlace {
  readonly by: 'refusals' | 'operator';
  /** How long ago the first of several in a row began. */
  readonly agoMs: number;
  /** Not above 0: it is over, and one session may try. Null: until an operator resumes it. */
  readonly leftMs: number | null;
  /** How long the latest was that refusals began, which the next one doubles; 0: none was. */
  readonly restMs: number;
  /** In a row. */
  readonly refusals: number;
  /** How long the session that tries is still waited for; not above 0: none tries. */
  readonly trialLeftMs: number;
}

export interface KeptRests {
  /** All there are; a source that is not among them rests nowhere. */
  readonly rests: readonly KeptRest[];
  /** Where an operator has resumed it since the last time: what single hosts have shown is forgotten as well. */
  readonly resumed: readonly AskedPlace[];
}

/** Keeps where sources rest, for all processes that share them and over restarts. `Checker.learnRests` tells what it has. */
export interface RestStore {
  /** A rest has begun, for so long. Must not throw. */
  began(at: AskedPlace, restMs: number, refusals: number): void;
  /** A recipient was answered: it is over. Must not throw. */
  ended(at: AskedPlace): void;
  /** After a rest one session tries, over all processes: whether it is this one's, for so long. Rejects: it cannot be told. */
  claimTrial(at: AskedPlace, forMs: number): Promise<boolean>;
}

/** Told of what every question to the resolver came to, for counting it. Promise: no name is named. Must not throw. */
export interface DnsObserver {
  answered(type: 'mx' | 'a' | 'aaaa', outcome: DnsAnswer<unknown>['kind'], tookMs: number): void;
}
