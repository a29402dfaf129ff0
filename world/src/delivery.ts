// What becomes of mail that is sent into the world, and what the sending service then tells. Pure.
//
//   const post = createPost(compileWorld(spec, { seed }))     or `world.post` of startWorld
//   post('p1@all.example', '2026-11-02')                 → { fate: 'bounced', events: [delivered, bounced hours later] }
//
// The sender is a known one that tries for five days: greylisting, limits and faults of the dialogue do not keep its mail away; who
// blocks every recipient, is down, or answers no question of DNS does.
// Promise: the same world, address and day give the same; no host is asked, and nothing is counted as seen.
import { domainToASCII } from 'node:url';
import type { CompiledDomain, CompiledWorld, PlacedHost } from './compile-world.ts';
import type { Phrase } from './host.ts';
import { LAPSED } from './host-dialogue.ts';
import { type MailboxKind, refusesSender } from './mailboxes.ts';
import { shareOf } from './random.ts';
import type { MailSpec, Wording } from './spec.ts';

/** What is true of the mail, whatever is read in its reply. `unclear`: no server said anything about mailbox or message. */
export type Fate = 'delivered' | 'complained' | 'bounced' | 'full' | 'blocked' | 'unclear';

export interface MailEvent {
  /** The sending service's own, one for each event. */
  readonly id: string;
  readonly email: string;
  readonly outcome: 'delivered' | 'bounced' | 'complained';
  /** What the mail server said, in one line. Where none was reached, the sending service's own words. */
  readonly reply: string;
  /** Which command was answered so; null: none. */
  readonly command: 'RCPT TO' | 'end of DATA command' | null;
  /** The MX host and its address; null: none was reached. */
  readonly relay: { readonly host: string; readonly address: string } | null;
  readonly atSeconds: number;
}

export interface SentMail {
  readonly fate: Fate;
  /** In the order of time: one, or a delivery and what came of it. */
  readonly events: readonly MailEvent[];
}

/** Null: no sending service takes that for an address. `day`: `2026-11-02`, in UTC. */
export type Post = (email: string, day: string) => SentMail | null;

const ALIAS_HOPS_MAX = 10;
const HOUR_SECONDS = 3_600;
/** A sending service gives up after so long. */
const TRIED_SECONDS = 5 * 24 * HOUR_SECONDS;
/** Of the source of the mail, as far as block lists name it. */
const SENDER_ADDRESS = '198.51.100.25';
const ADDRESS = /^[^@\s]{1,64}@([^@\s]{1,255})$/;

/** A message that is refused for what it is, after DATA: only what differs from most. */
const UNWANTED: Readonly<Partial<Record<Wording, string>>> = {
  google:
    '550-5.7.1 [{source}] Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked. - gsmtp',
  microsoft: '550 5.7.1 Service unavailable, Client host [{source}] blocked using Spamhaus. [{host}]',
  outlook:
    "550 5.7.1 Unfortunately, messages from [{source}] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
  yahoo: '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes',
  gmx: '554 Transaction failed Reject due to policy restrictions.',
  mailru: '550 spam message rejected. Please visit https://help.mail.ru/notspam-support/',
  yandex: '554 5.7.1 Message rejected under suspicion of SPAM',
};
const UNWANTED_ELSEWHERE = '554 5.7.1 Message rejected as spam by content filtering';
const TAKEN = { reply: '250 2.0.0 Ok: queued', command: 'end of DATA command' } as const;
const FATES = {
  unknown: 'bounced',
  disabled: 'bounced',
  overQuota: 'full',
  fullForNow: 'full',
} as const satisfies Partial<Record<MailboxKind, Fate>>;

export const SENDER = 'news@shop.example';

interface Message {
  readonly email: string;
  readonly local: string;
  /** Of the recipient. */
  readonly name: string;
  readonly day: string;
}

interface Answer {
  /** `delivered` where the message was taken; of one that comes back later, `bounced`. */
  readonly fate: Fate;
  readonly reply: string;
  readonly command: MailEvent['command'];
  readonly isLater?: true;
}

export function createPost(world: CompiledWorld): Post {
  const drawn = (what: string) => shareOf(what, world.seed);
  const isDrawn = (what: string, share = 0) => drawn(what) < share;

  function answerOf(message: Message, domain: CompiledDomain, { host }: PlacedHost): Answer {
    const { email, local, name, day } = message;
    const { rule } = domain;
    const mail: MailSpec = { ...host.spec.mail, ...domain.spec.mail };
    const say = (fate: Fate, phrase: Phrase, command: MailEvent['command'] = 'RCPT TO'): Answer => ({
      fate,
      command,
      reply: oneLine(phrase(email, SENDER_ADDRESS)),
    });
    const sorry = (kind: keyof typeof FATES, command?: MailEvent['command']) =>
      say(FATES[kind], host.phrases[kind], command);
    if (rule.lapsed) return say('unclear', () => LAPSED);
    if (rule.everyRcpt !== null) return { fate: 'blocked', command: 'RCPT TO', reply: rule.everyRcpt };
    if (refusesSender(host.spec.senders, SENDER) || rule.refusesSender(SENDER))
      return say('blocked', host.phrases.blocked);
    const asked = host.mailbox(local, name);
    const acceptsAll = host.spec.everyRcpt === 'accept';
    // What the host finds when it looks.
    const found = acceptsAll ? rule.kind(local) : asked;
    const command = acceptsAll ? 'end of DATA command' : 'RCPT TO';
    switch (found) {
      case 'blocked':
        return say('blocked', host.phrases.blocked);
      case 'relay':
      case 'tempfail':
        return say('unclear', host.phrases.tempfail);
      case 'disabled':
      case 'overQuota':
      case 'fullForNow':
        return sorry(found, command);
      case 'unknown':
      case 'busy':
      case 'accepted':
    }
    if (found === 'busy' || rule.exists(local)) {
      if (isDrawn(`closed ${email}`, mail.closedShare)) return sorry('unknown', command);
    } else if (!isDrawn(`opened ${email}`, mail.openedShare)) {
      if (asked === 'unknown') return sorry('unknown');
      if (isDrawn(`returned ${email}`, mail.returnedShare ?? (rule.catchAll ? 0 : 1))) {
        const back = sorry('unknown', 'end of DATA command');
        return mail.returned === 'later' ? { ...back, command: null, isLater: true } : back;
      }
    }
    if (isDrawn(`refused ${email} ${day}`, mail.refusedShare)) {
      const words = UNWANTED[host.spec.wording ?? 'postfix'] ?? UNWANTED_ELSEWHERE;
      const reply = words.replace('{source}', SENDER_ADDRESS).replace('{host}', host.name);
      return { fate: 'blocked', command: 'end of DATA command', reply };
    }
    const fate = isDrawn(`complained ${email} ${day}`, mail.complaintShare) ? 'complained' : 'delivered';
    return { fate, ...TAKEN };
  }

  return (email, day) => {
    const name = domainToASCII(ADDRESS.exec(email)?.[1] ?? '');
    if (name === '') return null;
    const sentAt = Date.parse(day) / 1_000 + Math.floor((8 + 4 * drawn(`at ${email} ${day}`)) * HOUR_SECONDS);
    const laterAt = sentAt + Math.floor((1 + 20 * drawn(`later ${email} ${day}`)) * HOUR_SECONDS);
    const event = (
      outcome: MailEvent['outcome'],
      told: Pick<MailEvent, 'reply' | 'command' | 'relay'>,
      atSeconds: number,
    ): MailEvent => ({ id: `${outcome} ${email} ${day}`, email, outcome, ...told, atSeconds });

    const route = routeTo(world, name);
    if ('reply' in route) {
      const told = { reply: route.reply, command: null, relay: null };
      return {
        fate: 'unclear',
        events: [event('bounced', told, sentAt + (route.isTried ? TRIED_SECONDS : 0))],
      };
    }
    const { domain, placed } = route;
    const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
    const { fate, isLater, ...said } = answerOf({ email, local, name, day }, domain, placed);
    const relay = { host: placed.host.name, address: placed.addresses[0]! };
    const taken = event('delivered', { ...TAKEN, relay }, sentAt);
    if (fate === 'delivered') return { fate, events: [taken] };
    if (fate === 'complained') {
      const complaint = event('complained', { reply: '', command: null, relay }, laterAt);
      return { fate, events: [taken, complaint] };
    }
    if (isLater) return { fate, events: [taken, event('bounced', { ...said, relay }, laterAt)] };
    const endedAt = /^4/.test(said.reply) ? sentAt + TRIED_SECONDS : sentAt;
    return { fate, events: [event('bounced', { ...said, relay }, endedAt)] };
  };
}

/** The host that takes the mail, or why none does, in the words of a sending service. */
function routeTo(
  world: CompiledWorld,
  name: string,
):
  | { readonly domain: CompiledDomain; readonly placed: PlacedHost }
  | { readonly reply: string; readonly isTried: boolean } {
  const isDead = (dns: unknown) => dns === 'nxdomain' || dns === 'nodata';
  const isSilent = (dns: unknown) => dns === 'servfail' || dns === 'refused' || dns === 'timeout';
  const unknown = {
    reply: `Host or domain name not found. Name service error for name=${name} type=MX: Host not found`,
    isTried: false,
  };
  const unanswered = {
    reply: `Host or domain name not found. Name service error for name=${name} type=MX: Host not found, try again`,
    isTried: true,
  };
  const domain = world.domains.get(name);
  let served = domain;
  for (let hop = 0; hop < ALIAS_HOPS_MAX && served?.spec.cname !== undefined; hop += 1)
    served = world.domains.get(served.spec.cname);
  if (domain === undefined || served === undefined || isDead(served.spec.dns)) return unknown;
  if (isSilent(served.spec.dns)) return unanswered;
  const named = served.mxHosts
    .map((host) => world.hosts.get(host)!)
    .filter(({ host, addresses }) => addresses.length > 0 && !isDead(host.spec.dns));
  if (named.length === 0) return unknown;
  const reached = named.filter(({ host }) => !isSilent(host.spec.dns));
  if (reached.length === 0) return unanswered;
  const up = reached.find(({ host }) => !host.spec.down && (host.spec.speaks ?? 'smtp') === 'smtp');
  if (up !== undefined) return { domain, placed: up };
  const [{ host, addresses }] = reached as [PlacedHost];
  return { reply: `connect to ${host.name}[${addresses[0]}]:25: Connection timed out`, isTried: true };
}

/** As services pass on what was said in several. */
function oneLine(said: string): string {
  return said.trim().replace(/\r\n/g, ' ');
}
