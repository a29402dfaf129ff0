// A world as plain data: domains, the MX hosts behind them, how those behave, who has a mailbox.
// Promise: everything here but `known` as a function survives JSON, so that a world can run in another process.

/** Where a host stands in the dialogue when a fault strikes. */
export type FaultStage = 'banner' | 'ehlo' | 'starttls' | 'mail' | 'rcpt' | 'rset' | 'help' | 'quit';

/**
 * What becomes of a reply on its way, whatever it says. `lost`: it never comes. `twice`: a copy follows it.
 * `merged`: a lone CR is all that parts it from the next one. `glued`: nothing is. `cut`: half of it, then the end.
 */
export type Mangling = 'lost' | 'twice' | 'merged' | 'glued' | 'cut';

/**
 * What a host does at a stage instead of answering as usual. Without `reply`, `mangle` and `next` the fault is a mere
 * delay and the usual answer follows.
 */
export interface Fault {
  readonly delayMs?: number;
  /** Sent in place of the usual answer, as it stands (CRLF added): `421 4.3.2 Come back later`. */
  readonly reply?: string;
  /** What becomes of the usual answer. */
  readonly mangle?: Mangling;
  /** With `twice`: the copy comes so much later, in a packet of its own. */
  readonly copyAfterMs?: number;
  /** After the reply, if any. `drop` ends the connection, `reset` does so with RST, `silent` says no more. */
  readonly next?: 'go_on' | 'drop' | 'reset' | 'silent';
  /** Strikes only after this many uses of the stage in the same session. */
  readonly after?: number;
  /** Strikes only after this many uses of the stage in all sessions of the host. */
  readonly afterAll?: number;
  /** Strikes so many times per host, then never again. */
  readonly times?: number;
  /** Chance of striking, from the world's seed. */
  readonly share?: number;
  /** Strikes only clients from these addresses: block by source. */
  readonly sources?: readonly string[];
}

export interface Limits {
  readonly connectionsPerHost: number;
  readonly connectionsPerSource: number;
  readonly recipientsPerTransaction: number;
  readonly recipientsPerConnection: number;
  /** From this error of a session on, replies are held back. */
  readonly softErrors: number;
  readonly softErrorDelayMs: number;
  /** At this error of a session: 421 and the end. */
  readonly hardErrors: number;
  readonly recipientsPerMinute: number;
  readonly connectionsPerMinute: number;
}

/** As Postfix does out of the box. */
export const POSTFIX_LIMITS: Limits = {
  connectionsPerHost: 100,
  connectionsPerSource: 50,
  recipientsPerTransaction: 1000,
  recipientsPerConnection: Number.MAX_SAFE_INTEGER,
  softErrors: 10,
  softErrorDelayMs: 1000,
  hardErrors: 20,
  recipientsPerMinute: Number.MAX_SAFE_INTEGER,
  connectionsPerMinute: Number.MAX_SAFE_INTEGER,
};

export type Wording =
  | 'postfix'
  | 'exim'
  | 'sendmail'
  | 'google'
  | 'microsoft'
  | 'outlook'
  | 'yahoo'
  | 'apple'
  | 'mailru'
  | 'yandex'
  | 'gmx'
  | 'german'
  | 'french'
  | 'spanish'
  | 'italian'
  | 'portuguese'
  | 'japanese'
  | 'russian'
  /** `250 OK` to MAIL, RCPT and RSET alike. */
  | 'bare'
  | VagueWording;

/** What these say to an unknown mailbox would be said of anything. */
export type VagueWording =
  | 'cannot_deliver'
  | 'relaying_denied'
  | 'relay_access'
  | 'not_our_user'
  | 'rejected_542'
  | 'security_bare'
  | 'access_denied'
  | 'transaction_failed'
  | 'go_away';

/** Why a host refuses a recipient, whichever it is: recipients are counted from 1. */
export type Whim =
  | { readonly by: 'chance'; readonly share: number }
  /** Every recipient in this share of sessions: one server behind a balancer is broken. */
  | { readonly by: 'session'; readonly share: number }
  /** So many in a minute; `steadily`: one comes back every (60 / perMinute) seconds, else all when the minute is over. */
  | { readonly by: 'rate'; readonly perMinute: number; readonly steadily: boolean }
  /** From this recipient on. */
  | { readonly by: 'count'; readonly of: 'transaction' | 'session' | 'host'; readonly from: number }
  /** Recipients whose number modulo `every` is `rest`. */
  | { readonly by: 'order'; readonly of: 'session' | 'host'; readonly every: number; readonly rest: number }
  | { readonly by: 'first'; readonly of: 'transaction' | 'session' | 'host'; readonly recipients: number };

/** What becomes of mail that is sent: after RCPT, and after the day on which an address was checked. No session tells. */
export interface MailSpec {
  /**
   * Of the names that RCPT accepts and that have no mailbox of their own, this share comes back. Unset: none at a catch-all, which
   * keeps them; all where the host accepts every recipient, and looks afterwards.
   */
  readonly returnedShare?: number;
  /** How they come back: the message is refused after DATA, or it is taken and a report follows hours later. */
  readonly returned?: 'after_data' | 'later';
  /** Of the mailboxes that exist, this share was closed since. */
  readonly closedShare?: number;
  /** Of the names that do not exist, this share has got a mailbox since. */
  readonly openedShare?: number;
  /** Of the messages, this share is refused for what they are, whoever gets them. */
  readonly refusedShare?: number;
  /** Of the messages that are delivered, this share is called spam. */
  readonly complaintShare?: number;
}

export interface HostSpec {
  /** Fixed addresses; by default one of its own in 127.0.0.0/8. `[]`: the name has no address record. */
  readonly addresses?: readonly string[];
  /** Answers on ::1 as well; one host of a world may. */
  readonly ipv6?: boolean;
  /** Resolves, but nothing listens: connections are refused; `silent` (virtual worlds only) leaves them hanging. */
  readonly down?: boolean | 'silent';
  /** What DNS does with the MX host's own name. */
  readonly dns?: DnsFault;
  /** Latency of every reply (a flight of pipelined commands is answered together, this much later). */
  readonly replyDelayMs?: number;
  readonly at?: Readonly<Partial<Record<FaultStage, Fault>>>;
  readonly limits?: Readonly<Partial<Limits>>;
  /** `offered` by default false: plain. `broken`: STARTTLS is offered, then bytes that are no TLS. */
  readonly tls?: 'none' | 'offered' | 'required' | 'broken';
  /** First line of its answer to EHLO, by default `{host}`: `{host} at your service, [{source}]`. */
  readonly hello?: string;
  /** In place of the banner of its wording: `220 {host} ESMTP ready`. */
  readonly banner?: string;
  /** EHLO is not known to it. */
  readonly heloOnly?: boolean;
  /** `loses_replies`: offered, but all of a flight except its first command is thrown away. */
  readonly pipelining?: 'offered' | 'none' | 'loses_replies';
  readonly smtpUtf8?: boolean;
  /** By default HELP is not implemented, and asking for it an error. */
  readonly help?: 'not_implemented' | 'answered';
  /** `not_null` refuses `<>`, `null_only` refuses everything else. */
  readonly senders?: 'any' | 'not_null' | 'null_only';
  /** Keyed on source, sender and recipient, as Postgrey. */
  readonly greylist?: { readonly delayMs: number; readonly text?: string };
  /** Every RCPT, for every domain, gets this. */
  readonly everyRcpt?: 'accept' | 'refuse' | 'tempfail' | 'blocked';
  /** Replies leave in pieces of so many bytes. */
  readonly fragment?: { readonly bytes: number; readonly gapMs: number };
  readonly multiline?: boolean;
  readonly wording?: Wording;
  /** Refuses known mailboxes, too, in the sentence that `whimWording` (else `wording`) has for unknown ones. */
  readonly whims?: readonly Whim[];
  readonly whimWording?: VagueWording;
  /** Instead of a banner: bytes that are no SMTP, or a banner that never ends. */
  readonly speaks?: 'smtp' | 'garbage' | 'endless_banner';
  readonly mail?: MailSpec;
}

/** Local parts by what becomes of them; whatever is named nowhere does not exist, but for `postmaster`. */
export interface Mailboxes {
  readonly known?: readonly string[] | ((local: string) => boolean);
  /** This share of the local parts `p<number>` exists, by seed; no other does unless named. */
  readonly share?: number;
  readonly catchAll?: boolean;
  /** Even known ones are refused, with the text of a missing mailbox. */
  readonly refuseAll?: boolean;
  /** 5.2.2 at once. */
  readonly overQuota?: readonly string[];
  /** 4.2.2 however often asked. */
  readonly fullForNow?: readonly string[];
  /** 4.2.1 however often asked: it is there, and gets too much mail. */
  readonly busy?: readonly string[];
  /** 4.3.0 however often asked. */
  readonly tempfail?: readonly string[];
  /** 5.2.1: closed for good. */
  readonly disabled?: readonly string[];
}

export type DnsFault =
  | 'nxdomain'
  | 'nodata'
  | 'servfail'
  | 'refused'
  | 'timeout'
  | 'truncate'
  /** The first `times` questions of each type fail so, the later ones are answered. */
  | { readonly first: 'servfail' | 'refused' | 'timeout'; readonly times: number };

/** How a name server as a whole is not to be believed. */
export type DnsLieKind =
  /** Nothing exists. */
  | 'nxdomain'
  | 'servfail'
  | 'silent'
  /** A filter that drops the type. */
  | 'no_mx'
  /** Every name has the address of the world's first host, and no MX. */
  | 'one_address'
  /** MX as they are, but every host has that address. */
  | 'one_host'
  /** Every name has the world's first host as its MX host. */
  | 'one_mx'
  /** What does not exist has that address. */
  | 'rewrites'
  /** Nothing exists under `de`. */
  | 'no_de';

export interface DnsLie {
  readonly kind: DnsLieKind;
  /** Honest for so many questions at first. */
  readonly from?: number;
  /** Honest again after so many questions in all. */
  readonly until?: number;
}

export interface DomainSpec {
  /** MX hosts by name, all of preference 10 unless told. `null`: null MX. Absent: see `host`, `implicit`. */
  readonly mx?: readonly (string | { readonly host: string; readonly preference: number })[] | null;
  /** Short for an MX host `mx.<domain>` of its own. */
  readonly host?: HostSpec;
  /** No MX: the domain itself is the host. */
  readonly implicit?: HostSpec;
  /** The domain is an alias. */
  readonly cname?: string;
  readonly dns?: DnsFault;
  readonly ttlSeconds?: number;
  /** On the lists of disposable domains; only the truth looks at it. */
  readonly disposable?: boolean;
  /** As `HostSpec.senders`, said to RCPT: at a shared host a domain's own policy. */
  readonly senders?: HostSpec['senders'];
  /** Its mail licence has lapsed: every RCPT is deferred for good, in Microsoft's words. */
  readonly lapsed?: boolean;
  /** Said to every RCPT: at a shared host a domain's own block list. */
  readonly everyRcpt?: string;
  readonly mailboxes?: readonly string[] | Mailboxes;
  /** What it says counts before what its host says. */
  readonly mail?: MailSpec;
}

/** Records of a name, beside those that domains and hosts have. */
export interface NameSpec {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
  /** A record of several strings is an array. */
  readonly txt?: readonly (string | readonly string[])[];
  readonly dns?: DnsFault;
}

/** A DNS block list (RFC 5782): 127.0.0.2 is listed, as its test entry, and 127.0.0.1 is not. */
export interface BlockListSpec {
  /** By address, IPv4 or IPv6: what the zone answers for it, and why. */
  readonly listed?: Readonly<Record<string, { readonly a?: readonly string[]; readonly txt?: string }>>;
  /** False: even the test entries are not listed, as in a zone that was given up. */
  readonly hasTestEntries?: boolean;
}

export interface WorldSpec {
  readonly domains: Readonly<Record<string, DomainSpec>>;
  /** MX hosts shared by several domains, by name. */
  readonly hosts?: Readonly<Record<string, HostSpec>>;
  readonly names?: Readonly<Record<string, NameSpec>>;
  /** Names of addresses: `{ '192.0.2.1': ['mx.a.example'] }`. */
  readonly ptr?: Readonly<Record<string, readonly string[]>>;
  /** By zone. */
  readonly blockLists?: Readonly<Record<string, BlockListSpec>>;
  /** A host that answers every connection to any of the others. */
  readonly interceptedBy?: string;
  readonly dns?: {
    readonly latencyMs?: number;
    readonly lossShare?: number;
    readonly ttlSeconds?: number;
    readonly lie?: DnsLie;
  };
}
