// What a reply means for the question we asked, decided in this order: the stage (nothing before RCPT is about a
// mailbox), the provider's own wordings, the general ones, the enhanced code, the basic code. Pure: the same reply is
// always read the same way; readings are cached within a bound, since a host repeats the same sentence thousands of
// times.
//
//   2xx ───────────────────────────────────────────────▶ accepted
//   before RCPT ─▶ wording about us or the moment? ─no──▶ code at this stage
//   RCPT ────────▶ provider's wording? ─▶ general? ─no──▶ enhanced code ─▶ basic code
//   a 4xx that reads "no such mailbox" ────────────────▶ temporary: not a verdict
//   a 5xx that reads "receives too much mail" ─────────▶ rate_limited: not a deferral
//   a code's "no such mailbox", text about others ─────▶ unclear: not a verdict
import { MEANINGS } from '@mxproof/common/vocabulary/meanings';
import { SISTERS } from '../domain/provider.ts';
import type { Clarity, Detail, Meaning, Reply, ReplyReading, Stage } from '../types.ts';
import { hasShiftedText, legacyReadings } from './legacy-charsets.ts';
import { enhancedOf } from './parse-reply-text.ts';
import { type GoneKind, goneKind } from './patterns/gone-kinds.ts';
import { namesOwnersSpace } from './patterns/quota.ts';
import { PROVIDER_REPLY_ROWS, SAME_COMPANY } from './provider-reply-patterns.ts';
import { REPLY_TOPICS } from './reply-patterns.ts';
import type { ProviderReplyRow, ReplyRow } from './reply-row.ts';
import { type ReplyWords, replyWords } from './reply-words.ts';
import { retryAfterMs } from './retry-after.ts';
import { earlyStatusRule, rcptStatusRule } from './status-rules.ts';
import { isUninformative } from './uninformative-words.ts';
import { hasUnrelatedWords, withoutUnrelatedWords } from './unrelated-words.ts';

const MAX_KEPT_READINGS = 2_000;
/** A host that writes more says something else every time; its replies would only push others out. */
const MAX_KEPT_KEY_CHARS = 1_500;
const MAX_QUOTED_CHARS = 90;
const ACCEPTED: ReplyReading = {
  meaning: 'accepted',
  detail: 'accepted',
  clarity: 'plain',
  by: 'code',
  rule: 'code 2xx',
  retryAfterMs: null,
};

/** A wording that means one of these cannot be true before RCPT: no mailbox was named yet. */
const ONLY_AT_RCPT: ReadonlySet<Meaning> = new Set([
  'no_mailbox',
  'over_quota',
  'mailbox_busy',
  'relay_denied',
  'tenant_lapsed',
  'too_many_recipients',
]);
/** Before MAIL no message can have been judged: such words are about the client. */
const BEFORE_A_MESSAGE: ReadonlySet<Stage> = new Set(['connect', 'banner', 'ehlo', 'starttls']);
/** A 4xx may pass: whatever it says of the mailbox is asked again. */
const NO_VERDICT_AT_4XX: ReadonlySet<Meaning> = new Set(['no_mailbox', 'unclear']);
/** Equivalent to a verdict on the mailbox: words about something else do not count. */
const ABOUT_THE_MAILBOX: ReadonlySet<Meaning> = new Set(['no_mailbox', 'mailbox_busy']);
/** Meanings that ask for another try, where a named delay counts. */
const WAITS: ReadonlySet<Meaning> = new Set([
  'greylisted',
  'temporary',
  'rate_limited',
  'over_quota',
  'mailbox_busy',
  'blocked',
]);

/** A pasted bounce may name the command that was refused; what came before RCPT is not about a mailbox. */
const EARLIER_COMMANDS: readonly (readonly [RegExp, Stage])[] = [
  [/\bin reply to (?:the )?mail from\b|\[mail from\]/, 'mail'],
  [/\bin reply to (?:the )?(?:ehlo|helo)\b|\[(?:ehlo|helo)\]/, 'ehlo'],
  [/refused to talk to me:/, 'banner'],
];
const A_MESSAGE =
  /messag|\bmails?\b|e-?mails?\b|header|\bfile|attach|\bsize|spam|virus|nachricht|mensaje|mensagem|メッセージ|сообщени|письм|邮件|郵件/;
/** They answer AUTH: the user they do not know is ours. */
const LOGIN_CODES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** Courier's, of the domain of MAIL FROM: the domain that it does not know is ours. */
const SENDERS_DOMAIN_CODE = 517;
/** Bad sender address: the address they do not know is ours, too. */
const SENDER_STATUS: ReadonlySet<string> = new Set(['5.1.7', '5.1.8']);
/** Security and policy: a limit that is not said to be the mailbox's is one of theirs on us. */
const POLICY_STATUS = /^[45]\.7\./;

const providerRows = new Map<string, readonly ProviderReplyRow[]>();
for (const { provider } of PROVIDER_REPLY_ROWS) {
  if (providerRows.has(provider)) continue;
  const rowsOf = (word: string | undefined) => PROVIDER_REPLY_ROWS.filter((row) => row.provider === word);
  providerRows.set(provider, [...rowsOf(provider), ...rowsOf(SAME_COMPANY[provider])]);
}
for (const [provider, sister] of Object.entries(SISTERS))
  providerRows.set(provider, [...(providerRows.get(provider) ?? []), ...(providerRows.get(sister) ?? [])]);

const kept = new Map<string, ReplyReading>();

export type ReadReply = typeof readReply;

/** `mailbox`: what the reply is about, where known; the cache key leaves it out, since a host says the same of thousands. */
export function readReply(stage: Stage, reply: Reply, provider: string, mailbox = ''): ReplyReading {
  if (reply.code >= 200 && reply.code < 300) return ACCEPTED;
  const sentence = sentenceAbout(reply.lines, mailbox);
  if (sentence === null) return readWords(stage, reply, provider);
  const key = `\n${stage} ${provider} ${reply.code} ${reply.enhanced} ${sentence}`;
  return kept.get(key) ?? keep(key, readWords(stage, reply, provider));
}

function readWords(stage: Stage, reply: Reply, provider: string): ReplyReading {
  const said = replyWords(reply.lines);
  const enhanced = reply.enhanced ?? enhancedOf(reply.lines);
  const key = `${stage} ${provider} ${reply.code} ${enhanced} ${said.words} ${said.links}`;
  return kept.get(key) ?? keep(key, decide(stage, reply, enhanced, provider, said));
}

function keep(key: string, reading: ReplyReading): ReplyReading {
  if (key.length > MAX_KEPT_KEY_CHARS) return reading;
  if (kept.size >= MAX_KEPT_READINGS) kept.delete(kept.keys().next().value ?? key);
  kept.set(key, reading);
  return reading;
}

/** Removing such an address always leaves the same words (reply-words.ts); one with `www.` would be a link. */
const PLAIN_MAILBOX = /^(?!.*www\.)[a-z0-9._+-]{1,60}@[a-z0-9.-]{1,255}$/;

/** The reply without its mailbox; null where the rest may depend on the mailbox. */
function sentenceAbout(lines: readonly string[], mailbox: string): string | null {
  const text = lines.length === 1 ? (lines[0] ?? '') : lines.join('\n');
  const at = mailbox === '' ? -1 : text.indexOf(mailbox);
  if (at < 0) return text;
  const after = at + mailbox.length;
  const isBracketed = text[at - 1] === '<' && text[after] === '>';
  if (!isBracketed || text.includes('@', after) || !PLAIN_MAILBOX.test(mailbox)) return null;
  return `${text.slice(0, at)}\0${text.slice(after)}`;
}

interface Decision {
  readonly meaning: Meaning;
  /** null: the meaning's own. */
  readonly detail: Detail | null;
  readonly clarity: Clarity;
  readonly rule: string;
  /** What it means in a 4xx; unset: the same. */
  readonly deferred?: Meaning | undefined;
}

function decide(
  asked: Stage,
  reply: Reply,
  enhanced: string | null,
  provider: string,
  said: ReplyWords,
): ReplyReading {
  const stage = asked === 'rcpt' ? quotedStage(said) : asked;
  const wording = worded(stage, reply, enhanced, provider, said);
  const found = wording ?? byStatus(stage, reply, enhanced, said);
  const { meaning, detail, rule } = atCode(found, isTransient(reply.code, enhanced));
  const isRefused = stage === 'rcpt' && reply.code >= 500 && !LOGIN_CODES.has(reply.code);
  const isVague = meaning === 'no_mailbox' || (isRefused && isUninformative(said));
  const clarity = isVague ? found.clarity : 'plain';
  return {
    meaning,
    detail: detail ?? MEANINGS[meaning].detail,
    clarity,
    by: wording === null ? 'code' : 'wording',
    rule,
    retryAfterMs: WAITS.has(meaning) ? retryAfterMs(said.words) : null,
  };
}

/** What the words say; null: none are known, or the mailbox they do not know or the quota they speak of is not the recipient's. */
function worded(
  stage: Stage,
  reply: Reply,
  enhanced: string | null,
  provider: string,
  said: ReplyWords,
): Decision | null {
  if (reply.code === SENDERS_DOMAIN_CODE) return null;
  const first = firstReply(reply.lines);
  const read =
    (first === null ? null : byWording(stage, first, provider)) ??
    byWording(stage, said, provider) ??
    legacyWording(stage, reply.lines, provider);
  const status = enhanced ?? '';
  const isOurs =
    (read?.meaning === 'no_mailbox' && (LOGIN_CODES.has(reply.code) || SENDER_STATUS.has(status))) ||
    (read?.meaning === 'over_quota' && POLICY_STATUS.test(status) && !namesOwnersSpace(said.words));
  return isOurs ? null : read;
}

/** What some words mean depends on whether they defer or refuse. */
function atCode(
  { meaning, detail, rule, deferred }: Decision,
  transient: boolean,
): Omit<Decision, 'clarity'> {
  if (transient && deferred !== undefined) return { meaning: deferred, detail: null, rule };
  if (transient && NO_VERDICT_AT_4XX.has(meaning))
    return { meaning: 'temporary', detail: null, rule: `${rule} (4xx: not a verdict)` };
  if (!transient && meaning === 'mailbox_busy')
    return { meaning: 'rate_limited', detail: null, rule: `${rule} (5xx: not a deferral)` };
  return { meaning, detail, rule };
}

function quotedStage(said: ReplyWords): Stage {
  return EARLIER_COMMANDS.find(([command]) => command.test(said.words))?.[1] ?? 'rcpt';
}

/** The basic code has the word: a 550 with a 4.x.x is a refusal, and a 450 with a 5.x.x may pass. */
function isTransient(code: number, enhanced: string | null): boolean {
  return code === 0 ? (enhanced?.startsWith('4') ?? false) : code < 500;
}

interface MailboxWords extends ReplyWords {
  /** The words without those about something else: for rows that lead to a verdict on the mailbox. */
  readonly mailbox: string;
}

function byWording(stage: Stage, reply: ReplyWords, provider: string): Decision | null {
  const said: MailboxWords = { ...reply, mailbox: withoutUnrelatedWords(reply.words) };
  // If the provider is not known, the general rows go first: a provider's row may be too specific.
  if (provider === '' || provider === 'other') {
    return byTopics(stage, said) ?? byProviderRows(stage, said, PROVIDER_REPLY_ROWS);
  }
  return byProviderRows(stage, said, providerRows.get(provider) ?? []) ?? byTopics(stage, said);
}

function byProviderRows(
  stage: Stage,
  said: MailboxWords,
  rows: readonly ProviderReplyRow[],
): Decision | null {
  for (const row of rows) {
    if (applies(stage, row, said)) return decided(row.provider, row, said, null);
  }
  return null;
}

function byTopics(stage: Stage, said: MailboxWords): Decision | null {
  for (const topic of REPLY_TOPICS) {
    for (const row of topic.rows) {
      if (applies(stage, row, said)) return decided(topic.name, row, said, topic.gone ?? null);
    }
  }
  return null;
}

/** `gone`: the table's. */
function decided(table: string, row: ReplyRow, said: MailboxWords, gone: GoneKind | null): Decision {
  const isGone = row.means === 'no_mailbox';
  const detail = row.detail ?? (isGone ? (gone ?? goneKind(said.mailbox)) : null);
  return {
    meaning: row.means,
    detail,
    clarity: row.clarity ?? 'plain',
    rule: named(table, row),
    deferred: row.deferred,
  };
}

function applies(stage: Stage, row: ReplyRow, said: MailboxWords): boolean {
  if (stage !== 'rcpt' && ONLY_AT_RCPT.has(row.means)) return false;
  if (row.means === 'content' && BEFORE_A_MESSAGE.has(stage)) return false;
  if (row.in === 'links') return row.match.test(said.links);
  return row.match.test(ABOUT_THE_MAILBOX.has(row.means) ? said.mailbox : said.words);
}

/** `block, like "554 5.7.1 Service unavailable; …"`: people know a reply better than a pattern. */
function named(table: string, row: ReplyRow): string {
  // Evidence never carries an address, not even a made-up one.
  const seen = row.seen.replace(/<?[^\s<>()]+@[^\s<>()]+>?(?:\.\.\.)?/g, '…');
  return `${table}, like "${seen.length > MAX_QUOTED_CHARS ? `${seen.slice(0, MAX_QUOTED_CHARS)}…` : seen}"`;
}

/** A pasted bounce may quote a second recipient's reply after the first: the first is the one asked about. */
function firstReply(lines: readonly string[]): ReplyWords | null {
  if (lines.length !== 1) return null;
  const line = lines[0] ?? '';
  const second = line.search(/\s[45]\d\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\b/);
  // What another host said is the reason, and not a second recipient's (Postfix's address verification).
  if (second <= 0 || line.slice(0, second).trimEnd().endsWith('said:')) return null;
  return replyWords([line.slice(0, second)]);
}

function legacyWording(stage: Stage, lines: readonly string[], provider: string): Decision | null {
  for (const reading of legacyReadings(lines)) {
    const found = byWording(stage, replyWords([reading]), provider);
    if (found !== null) return found;
  }
  return null;
}

function byStatus(stage: Stage, reply: Reply, enhanced: string | null, said: ReplyWords): Decision {
  if (stage !== 'rcpt') return earlyStatusRule(stage, reply.code, enhanced);
  // 552 at RCPT is the owner's space, whatever its words, unless they name a message: none was sent yet.
  const bare = reply.code === 552 ? !A_MESSAGE.test(said.words) : isBare(said);
  const found = rcptStatusRule(reply.code, enhanced, bare && !hasShiftedText(reply.lines));
  if (found.meaning !== 'no_mailbox' || isBare(said) || !hasUnrelatedWords(said.words)) return found;
  return {
    meaning: 'unclear',
    detail: null,
    clarity: 'plain',
    rule: `${found.rule}, but the text is about something else`,
  };
}

/** Nothing but the name of what was asked: no words that might have said why, unreadable ones included. */
function isBare(said: ReplyWords): boolean {
  return said.links === '' && !/[a-z]{2}|[^\x00-\x7f]/.test(said.words);
}
