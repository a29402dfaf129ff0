// A pasted text (one reply, lines of a log, a whole bounce message) → the replies of mail servers in it, one for each
// recipient, in the order of their first appearance. Pure.
// Promises: hostile texts are read in time linear in their length, cut at MAX_BOUNCE_CHARS; at most MAX_RECIPIENTS are told;
// the same recipient in several places is one; never throws.
import { bounceRecords, withoutQuoteMarks } from './bounce-records.ts';
import { linesOf } from './decode-part.ts';
import { addressesIn } from './find-addresses.ts';
import type { FoundReply } from './found-reply.ts';
import { htmlLines } from './html-text.ts';
import { readJsonRecord } from './json-forms.ts';
import { QmailLog, readLogLine } from './log-forms.ts';
import { parseMessage } from './mime-parts.ts';
import { readNoReply } from './no-reply.ts';
import { hostIn, saidIn, stageIn } from './said-in.ts';
import { StatusFields } from './status-fields.ts';

export const MAX_BOUNCE_CHARS = 256 * 1_024;
export const MAX_RECIPIENTS = 1_000;
/** Places that tell of one recipient: the text, its transcript, the status fields. */
const MAX_PLACES = 4;
/** Of a record that tells of none: more are not a name that the next record is about. */
const CONTEXT_ADDRESSES = 2;

/** What one recipient was answered, as each place tells it: the surest first. */
export type RecipientReplies = readonly FoundReply[];

export function findReplies(text: string): readonly RecipientReplies[] {
  const bounded = text.slice(0, MAX_BOUNCE_CHARS);
  const given = linesOf(bounded.startsWith('\ufeff') ? bounded.slice(1) : bounded);
  // Quoted as a whole: marks before each line.
  const lines = given.find((line) => line.trim() !== '')?.startsWith('> ')
    ? given.map(withoutQuoteMarks)
    : given;
  const gathering = new Gathering();
  const json = /^[{[]/.test(bounded.trimStart()) ? readJsonRecord(bounded) : null;
  const message = json === null ? parseMessage(lines) : null;
  if (json !== null) for (const found of json) gathering.add(found, 'log');
  else if (message === null) scan(lines, gathering, '');
  else {
    const [only = '', another] = addressesIn(message.failedRecipients, 2);
    const context = another === undefined ? only : '';
    for (const part of message.parts) if (part.type !== 'text/html') scan(part.lines, gathering, context);
    const html = gathering.isEmpty ? message.parts.filter(({ type }) => type === 'text/html') : [];
    for (const part of html) scan(htmlLines(part.lines), gathering, context);
  }
  return gathering.end(message !== null);
}

type Source = 'status' | 'log' | 'text';

interface Place extends FoundReply {
  readonly source: Source;
  readonly order: number;
}

/** Puts together what several places say of one recipient. */
class Gathering {
  readonly #known = new Map<string, Place[]>();
  /** By what was said. */
  readonly #unnamed = new Map<string, Place>();
  #order = 0;

  get isEmpty(): boolean {
    return this.#known.size === 0 && this.#unnamed.size === 0;
  }

  add(found: FoundReply, source: Source): void {
    const place = { ...found, source, order: this.#order++ };
    if (found.recipient === '') {
      if (this.#unnamed.size < MAX_RECIPIENTS && !this.#unnamed.has(found.said))
        this.#unnamed.set(found.said, place);
      return;
    }
    const places = this.#known.get(found.recipient);
    if (places === undefined) {
      if (this.#known.size < MAX_RECIPIENTS) this.#known.set(found.recipient, [place]);
    } else if (source === 'log') {
      // A later line of a log tells what came of it since.
      places.splice(0, places.length, { ...place, order: places[0]?.order ?? place.order });
    } else if (places.length < MAX_PLACES) places.push(place);
  }

  /** In a message, a reply without a recipient is about the recipients that the message names elsewhere. */
  end(isMessage: boolean): readonly RecipientReplies[] {
    const known = [...this.#known.values()];
    const said = new Set(known.flat().map((place) => place.said));
    const unnamed = [...this.#unnamed.values()].filter((place) => !said.has(place.said));
    const [only, another] = known;
    if (isMessage && only !== undefined) {
      if (another === undefined) only.push(...unnamed.slice(0, MAX_PLACES));
      unnamed.length = 0;
    }
    return [...known, ...unnamed.map((place) => [place])]
      .sort(([a], [b]) => (a?.order ?? 0) - (b?.order ?? 0))
      .slice(0, MAX_RECIPIENTS)
      .map(surestFirst);
  }
}

/** The stage that one place names holds for what the others quote. */
function surestFirst(places: readonly Place[]): RecipientReplies {
  const stage = places.find((place) => place.stage !== '')?.stage ?? '';
  const host = places.find((place) => place.host !== '')?.host ?? '';
  return places
    .toSorted((a, b) => Number(b.source === 'status') - Number(a.source === 'status'))
    .map(({ source: _source, order: _order, ...found }) => ({
      ...found,
      stage: found.stage || stage,
      host: found.host || host,
    }));
}

/** Behind such a line stands the message that was sent. */
const RETURNED =
  /^-{2,}\s?(?:below this line is a copy|this is a copy of|original message|original headers|returned message|message header follows|enclosed is a copy|included is a copy)|^original message headers:|^the body of the message is /i;
/** Records that name others than the recipient. */
const NOT_A_RECIPIENT =
  /^(?:from|return-path|sender|reply-to|message-id|references|in-reply-to|received|cc|date|subject|x-[a-z-]+|generating server|reporting-mta)\b|\bfrom=|\bpostmaster@|\bmailer-daemon@|\bcontact\b/i;
const TRANSCRIPT_COMMAND = /^>>> ([A-Za-z]{4,8})\b(.*)$/s;
const SENT_BACK = /^<<< /;

interface Context {
  /** Named last, by a record that had no reply; empty: none. */
  recipient: string;
  host: string;
  /** Of the transcript's last command; empty: not in a transcript. */
  stage: string;
}

function scan(lines: readonly string[], gathering: Gathering, recipient: string): void {
  const fields = new StatusFields();
  const qmail = new QmailLog();
  const context: Context = { recipient, host: '', stage: '' };
  const endFields = () => {
    const found = fields.end();
    if (found !== null) gathering.add(found, 'status');
  };
  for (const record of bounceRecords(lines)) {
    if (record === '') {
      endFields();
      continue;
    }
    if (RETURNED.test(record) && !gathering.isEmpty) break;
    if (fields.take(record)) continue;
    endFields();
    const logged = readLogRecord(record, qmail);
    if (logged !== null) for (const found of logged) gathering.add(found, 'log');
    else readSentence(record, context, gathering);
  }
  endFields();
}

function readLogRecord(record: string, qmail: QmailLog): readonly FoundReply[] | null {
  const at = record.startsWith('{') ? 0 : record.indexOf(' {"');
  const json = at >= 0 && record.endsWith('}') ? readJsonRecord(record.slice(at)) : null;
  return json ?? readLogLine(record) ?? qmail.read(record);
}

/** A record of no known form: it quotes a reply, tells of a failure, or names whom the next is about. */
function readSentence(record: string, context: Context, gathering: Gathering): void {
  const command = TRANSCRIPT_COMMAND.exec(record);
  if (command !== null) {
    context.stage = (command[1] ?? '').toLowerCase();
    context.recipient =
      (context.stage === 'rcpt' && addressesIn(command[2] ?? '', 1)[0]) || context.recipient;
    return;
  }
  const said = saidIn(record) ?? (readNoReply(record, false) === null ? null : record);
  if (said !== null) {
    const stage = stageIn(record) || (SENT_BACK.test(record) ? context.stage : '');
    const host = hostIn(record) || context.host;
    const isTransient = /^4|^\(?#?4\./.test(said) || /\bwill (?:re)?try|temporar|delay/i.test(record);
    const outcome = isTransient ? 'delayed' : 'failed';
    gathering.add(
      { recipient: recipientOf(record, said, stage, context), said, stage, host, outcome },
      'text',
    );
    return;
  }
  context.host = hostIn(record) || context.host;
  const [address, another] = addressesIn(record, CONTEXT_ADDRESSES);
  if (address !== undefined && another === undefined && !NOT_A_RECIPIENT.test(record))
    context.recipient = address;
}

const LEADING = /^<?([^\s<>:]{1,64}@[^\s<>:]{1,255})>?(?=[\s:(]|$)/;
const RCPT = /\brcpt to:\s?<([^<>\s]{1,320})>/i;

/** Whom a reply is about: the command it answers, the name before it, the name in it, or the name above it. */
function recipientOf(record: string, said: string, stage: string, context: Context): string {
  const named = RCPT.exec(record)?.[1] ?? LEADING.exec(record)?.[1];
  if (named !== undefined) return addressesIn(named, 1)[0] ?? named.toLowerCase();
  // Before RCPT the address that a server quotes is the sender's.
  const isAboutSender =
    stage === 'mail' || stage === 'ehlo' || stage === 'banner' || /\bsender\b/i.test(said);
  const quoted = isAboutSender ? undefined : addressesIn(said, 1)[0];
  return quoted ?? context.recipient;
}
