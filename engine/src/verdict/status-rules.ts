// What the codes mean if no wording decided: the enhanced code (RFC 3463, 5248, 7372, 7505), then the basic code (RFC
// 5321 4.2.3), for a reply to RCPT; and for the earlier stages, where nothing is about a mailbox.
import type { Clarity, Meaning, Stage } from '../types.ts';
import type { GoneKind } from './patterns/gone-kinds.ts';

/** For 5.x.x at RCPT. The longest key that fits decides: `5.1.1`, else `5.1`. */
const PERMANENT: Readonly<Record<string, Meaning>> = {
  '5.0': 'unclear',
  '5.1': 'unclear',
  '5.1.0': 'no_mailbox',
  '5.1.1': 'no_mailbox',
  '5.1.2': 'relay_denied', // bad destination system: this host does not serve the domain
  '5.1.3': 'no_mailbox', // bad syntax of a mailbox that RFC 5321 allows: this host can have none of that name
  '5.1.6': 'no_mailbox', // has moved
  '5.1.7': 'sender_refused',
  '5.1.8': 'sender_refused',
  '5.1.10': 'no_mailbox', // null MX; Microsoft's recipient not found
  '5.2': 'unclear',
  '5.2.1': 'no_mailbox', // disabled, not accepting messages
  '5.2.2': 'over_quota',
  '5.2.3': 'content',
  '5.3': 'unclear',
  '5.3.1': 'temporary', // the system's disk, not the mailbox's
  '5.3.4': 'content',
  '5.4': 'unclear',
  '5.4.4': 'relay_denied',
  '5.5': 'protocol',
  '5.5.0': 'unclear',
  '5.5.3': 'too_many_recipients',
  '5.6': 'content',
  '5.6.7': 'protocol', // SMTPUTF8 missing
  '5.7': 'blocked', // security and policy: who may write to whom
  '5.7.7': 'content',
  '5.7.10': 'tls_required',
  '5.7.11': 'tls_required',
  '5.7.27': 'sender_refused', // null MX
  '5.7.28': 'rate_limited', // mail flood
  '5.7.30': 'tls_required', // REQUIRETLS
  '5.7.64': 'relay_denied', // Microsoft's TenantAttribution
  '5.7.508': 'rate_limited', // Microsoft's limit for a range of addresses
  '5.7.512': 'content', // Microsoft's for a message without a From
  '5.7.750': 'sender_refused', // Microsoft's for a domain that is not registered
};

/** Numbers that say how a mailbox is gone. */
const GONE: Readonly<Record<string, GoneKind>> = {
  '5.1.6': 'mailbox_moved',
  '5.2.1': 'mailbox_disabled',
  '551': 'mailbox_moved', // RFC 5321: user not local, and where it may be
};

/** For 4.x.x at RCPT: never a verdict, but the reason to wait differs. */
const TRANSIENT: Readonly<Record<string, Meaning>> = {
  '4.2.2': 'over_quota',
  '4.5.3': 'too_many_recipients',
  '4.7': 'rate_limited',
};

/** For the basic code at RCPT, where there is no enhanced one that says more. */
const BASIC: Readonly<Record<number, Meaning>> = {
  421: 'temporary',
  500: 'protocol',
  501: 'protocol',
  502: 'protocol',
  503: 'protocol',
  504: 'protocol',
  511: 'no_mailbox', // qmail's and Courier's number for an unknown mailbox
  517: 'sender_refused', // Courier's, of the domain of MAIL FROM
  521: 'blocked', // RFC 7504: the host takes no mail at all
  523: 'tls_required',
  530: 'tls_required',
  535: 'blocked',
  538: 'tls_required',
  550: 'no_mailbox',
  551: 'no_mailbox', // user not local
  552: 'over_quota',
  553: 'no_mailbox', // mailbox name not allowed
  554: 'unclear', // "transaction failed": says nothing
  555: 'protocol',
  556: 'relay_denied', // RFC 7504
  571: 'blocked',
};
/** RFC 5321 gives 550 to policy as well: with unrecognized text it is not a verdict, without text it is. */
const MAILBOX_ONLY_WHEN_BARE = new Set([550, 551, 552, 553]);

/** "Delivery not authorized", said of anything. */
const VAGUE_SECURITY: ReadonlySet<string> = new Set(['5.7.0', '5.7.1']);
/**
 * The numbers that name our address, its name or its authentication (RFC 7372, 8617; Microsoft's bans and its DMARC).
 * Every other 5.7.x is a rule of the recipient's: lists, groups, organizations (Microsoft: 5.7.12, 5.7.51, 5.7.57, 5.7.1xx,
 * 5.7.9xx), or of a service that we do not use.
 */
const NAMES_US = /^5\.7\.(?:2[0-69]|50[12369]|511|515|6\d\d|708)$/;

export interface StatusRule {
  readonly meaning: Meaning;
  /** null: the meaning's own. `unclear`: a rule of the recipient's. */
  readonly detail: GoneKind | 'unclear' | null;
  readonly clarity: Clarity;
  readonly rule: string;
}

export function rcptStatusRule(code: number, enhanced: string | null, bare: boolean): StatusRule {
  // RFC 7504: the domain takes no mail; its 5.1.10 is not Microsoft's for a missing recipient.
  if (code === 556) return plain('relay_denied', 'code 556');
  // RFC 7504: the host takes no mail from us; AOL's 5.2.1 beside it is not a closed mailbox.
  if (code === 521) return plain('blocked', 'code 521');
  if (enhanced !== null) {
    const table = enhanced.startsWith('4') ? TRANSIENT : PERMANENT;
    const [key, meaning] = longest(table, enhanced);
    if (VAGUE_SECURITY.has(enhanced)) return vague('blocked', `enhanced code ${key}`);
    if (meaning === 'blocked' && !NAMES_US.test(enhanced))
      return { ...plain(meaning, `enhanced code ${key}`), detail: 'unclear' };
    if (meaning !== undefined && meaning !== 'unclear') return plain(meaning, `enhanced code ${key}`, key);
    if (enhanced.startsWith('4')) return plain('temporary', 'enhanced code 4.x.x');
    // 5.0.0, 5.3.0, 5.4.x …: the server had a better number at hand and did not take it.
    if (meaning === 'unclear' && !/^5\.[05]\.0$/.test(enhanced))
      return vague(meaning, `enhanced code ${key}`);
  }
  if (code >= 400 && code < 500) return plain(BASIC[code] ?? 'temporary', `code ${code}`);
  const meaning = BASIC[code] ?? 'unclear';
  if (MAILBOX_ONLY_WHEN_BARE.has(code) && !bare) return vague('unclear', `code ${code}, unrecognized text`);
  const isVague = meaning === 'unclear' || meaning === 'no_mailbox';
  return isVague ? vague(meaning, `code ${code}`, `${code}`) : plain(meaning, `code ${code}`);
}

/** `number`: the one that decided, where it may say how a mailbox is gone. */
function plain(meaning: Meaning, rule: string, number = ''): StatusRule {
  return { meaning, detail: goneBy(meaning, number), clarity: 'plain', rule };
}

function vague(meaning: Meaning, rule: string, number = ''): StatusRule {
  return { meaning, detail: goneBy(meaning, number), clarity: 'vague', rule };
}

function goneBy(meaning: Meaning, number: string): GoneKind | null {
  return meaning === 'no_mailbox' ? (GONE[number] ?? null) : null;
}

function longest(table: Readonly<Record<string, Meaning>>, enhanced: string): [string, Meaning | undefined] {
  const exact = table[enhanced];
  if (exact !== undefined) return [enhanced, exact];
  const subject = enhanced.slice(0, enhanced.lastIndexOf('.'));
  return [subject, table[subject]];
}

/** Before RCPT no number is about a mailbox: a refusal is about us, our sender, or the moment. */
export function earlyStatusRule(
  stage: Exclude<Stage, 'rcpt'>,
  code: number,
  enhanced: string | null,
): StatusRule {
  const rule = `code ${code} at ${stage}`;
  if (enhanced?.startsWith('4.7')) return plain('rate_limited', `enhanced code 4.7 at ${stage}`);
  if (code < 500) return plain('temporary', rule);
  if (code === 530 || code === 523 || code === 538) return plain('tls_required', rule);
  if (code <= 504 || code === 555) return plain('protocol', rule);
  switch (stage) {
    case 'connect':
    case 'banner':
    case 'ehlo':
      return plain('blocked', rule);
    case 'mail':
      return enhanced !== null && (VAGUE_SECURITY.has(enhanced) || NAMES_US.test(enhanced))
        ? plain('blocked', `enhanced code 5.7 at ${stage}`)
        : plain('sender_refused', rule);
    case 'starttls':
    case 'rset':
      return plain('protocol', rule);
    default: {
      const never: never = stage;
      return never;
    }
  }
}
