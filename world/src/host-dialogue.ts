// What a host answers to HELO, MAIL, RCPT and HELP: the transaction of one session. Promise: touches neither connection nor clock;
// a command in, the text of its reply out, counted.
import type { Host } from './host.ts';
import { refusesSender } from './mailboxes.ts';
import type { Counters } from './traffic.ts';

/** What Exchange Online Protection says to every recipient of a tenant without a mail licence. */
export const LAPSED =
  '451 4.4.4 Mail received as unauthenticated, incoming to a recipient domain configured in a hosted tenant which has no mail-enabled subscriptions. ATTR5\r\n';

export class HostDialogue {
  readonly #host: Host;
  readonly #source: string;
  #greeted = false;
  #tls = false;
  #pipelining = false;
  #sender: string | null = null;
  #mailTried = false;
  #smtpUtf8 = false;
  #rcptsInTransaction = 0;
  #rcptsInSession = 0;
  /** For whims that strike whole sessions. */
  readonly #luck: number;

  constructor(host: Host, source: string) {
    this.#host = host;
    this.#source = source;
    this.#luck = host.whims === null ? 1 : host.random.next();
  }

  /** The client has been told that it may send several commands at once. */
  get pipelining(): boolean {
    return this.#pipelining;
  }

  count(what: keyof Counters): void {
    this.#host.counters[what] += 1;
    this.#host.share.total[what] += 1;
  }

  hello(verb: 'EHLO' | 'HELO', line: string): string {
    const { spec, name } = this.#host;
    if (line.length < 6) return `501 Syntax: ${verb} hostname\r\n`;
    if (verb === 'EHLO' && spec.heloOnly === true) return '502 5.5.1 Command not implemented\r\n';
    this.reset();
    this.#greeted = true;
    if (verb === 'HELO') return `250 ${name}\r\n`;
    this.#pipelining = spec.pipelining !== 'none';
    const words = [helloOf(spec.hello ?? '{host}', name, this.#source)];
    if (this.#pipelining) words.push('PIPELINING');
    words.push('SIZE 10240000', 'VRFY');
    if (!this.#tls && spec.tls !== undefined && spec.tls !== 'none') words.push('STARTTLS');
    words.push('ENHANCEDSTATUSCODES', '8BITMIME');
    if (spec.smtpUtf8 !== false) words.push('SMTPUTF8');
    const last = words.length - 1;
    return words.map((word, i) => `250${i === last ? ' ' : '-'}${word}\r\n`).join('');
  }

  startTls(): string {
    const tls = this.#host.spec.tls ?? 'none';
    if (tls === 'none' || this.#tls) return '502 5.5.1 Error: command not implemented\r\n';
    this.reset();
    return '220 2.0.0 Ready to start TLS\r\n';
  }

  /** The handshake is done: everything said before is forgotten (RFC 3207). */
  secured(): void {
    this.#tls = true;
    this.#greeted = false;
    this.#pipelining = false;
    this.count('tlsSessions');
  }

  mail(line: string): string {
    const { spec } = this.#host;
    if (!this.#greeted) return this.#misplaced('503 5.5.1 Error: send HELO/EHLO first\r\n');
    if (this.#sender !== null) return this.#misplaced('503 5.5.1 Error: nested MAIL command\r\n');
    this.#mailTried = true;
    if (spec.tls === 'required' && !this.#tls) return '530 5.7.0 Must issue a STARTTLS command first\r\n';
    const open = line.indexOf('<');
    const close = line.indexOf('>', open);
    if (open < 0 || close < 0) return '501 5.5.4 Syntax: MAIL FROM:<address>\r\n';
    const sender = line.slice(open + 1, close);
    const wantsUtf8 = line.length > close + 1 && / SMTPUTF8\b/i.test(line.slice(close));
    if (wantsUtf8 && spec.smtpUtf8 === false) return '555 5.5.4 Unsupported option: SMTPUTF8\r\n';
    if (refusesSender(spec.senders, sender))
      return sender === ''
        ? '550 5.7.1 <>: Sender address rejected: null sender not accepted here\r\n'
        : `553 5.1.8 <${sender}>: Sender address rejected: Domain not found\r\n`;
    this.#sender = sender;
    this.#smtpUtf8 = wantsUtf8;
    return this.#host.phrases.sender('', this.#source);
  }

  help(): string {
    return this.#host.spec.help === 'answered'
      ? '214 2.0.0 MAIL RCPT RSET QUIT\r\n'
      : '502 5.5.1 Error: command not implemented\r\n';
  }

  /** A MAIL that a fault answered in our place. */
  mailRefused(): void {
    this.#mailTried = true;
  }

  rcpt(line: string, nowMs: number): string {
    if (this.#sender === null) {
      // After a refused MAIL in the same flight the RCPT is not out of place.
      const text = '503 5.5.1 Error: need MAIL command\r\n';
      return this.#mailTried ? text : this.#misplaced(text);
    }
    const rcpt = readRecipient(line);
    const text = this.#decide(rcpt, this.#sender, nowMs);
    this.countRcpt(rcpt, text, nowMs);
    return text;
  }

  /** Also for the RCPTs that a fault answered, `text` empty where it said nothing. */
  countRcpt(rcpt: string, text: string, atMs: number): void {
    this.count('rcpts');
    const first = text.charCodeAt(0) - 48;
    if (first === 2) this.count('accepted');
    else if (first === 5) this.count('refusals');
    else if (first === 4) this.count('deferrals');
    const { asks } = this.#host.share;
    if (asks === null) return;
    const code = first < 0 ? 0 : Number.parseInt(text, 10) || 0;
    const ask = { atMs, source: this.#source, host: this.#host.name, sender: this.#sender ?? '', code };
    const key = rcpt.toLowerCase();
    const before = asks.get(key);
    if (before === undefined) asks.set(key, [ask]);
    else before.push(ask);
  }

  reset(): void {
    this.#sender = null;
    this.#mailTried = false;
    this.#smtpUtf8 = false;
    this.#rcptsInTransaction = 0;
  }

  #misplaced(text: string): string {
    this.count('outOfPlace');
    return text;
  }

  #decide(rcpt: string, sender: string, nowMs: number): string {
    const host = this.#host;
    const at = rcpt.lastIndexOf('@');
    if (at < 1) return '501 5.1.3 Bad recipient address syntax\r\n';
    this.#rcptsInTransaction += 1;
    this.#rcptsInSession += 1;
    if (this.#rcptsInSession > host.limits.recipientsPerConnection)
      return `421 4.7.0 ${host.name} Error: too many recipients in this session\r\n`;
    if (this.#rcptsInTransaction > host.limits.recipientsPerTransaction)
      return '452 4.5.3 Error: too many recipients\r\n';
    if (!host.mayAsk(this.#source, nowMs))
      return `450 4.7.1 Error: too many recipients from ${this.#source}\r\n`;
    if (!this.#smtpUtf8 && !isAscii(rcpt))
      return '553 5.6.7 Must declare SMTPUTF8 to send to internationalized address\r\n';
    if (host.greylists(this.#source, sender, rcpt, nowMs)) return host.phrases.greylisted(rcpt, this.#source);
    const inTransaction = this.#rcptsInTransaction;
    const place = { inTransaction, inSession: this.#rcptsInSession, luck: this.#luck };
    if (host.whims?.refuse(place, nowMs) === true) return host.whimPhrase(rcpt, this.#source);
    const domain = rcpt.slice(at + 1).toLowerCase();
    const rule = host.ruleOf(domain);
    if (rule?.lapsed === true) return LAPSED;
    if (rule?.everyRcpt != null) return `${rule.everyRcpt}\r\n`;
    if (rule?.refusesSender(sender) === true)
      return `550 5.7.1 <${sender}>: Sender address rejected: not accepted by ${domain}\r\n`;
    const kind = host.mailbox(rcpt.slice(0, at), domain);
    if (kind === 'relay') return `554 5.7.1 <${rcpt}>: Relay access denied\r\n`;
    return host.phrases[kind](rcpt, this.#source);
  }
}

function helloOf(sentence: string, host: string, source: string): string {
  return sentence.replaceAll('{host}', host).replaceAll('{source}', source);
}

/** Between the angle brackets; the wire was read as Latin-1, an internationalised address is UTF-8. */
export function readRecipient(line: string): string {
  const latin1 = line.slice(line.indexOf('<') + 1, line.lastIndexOf('>'));
  return isAscii(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8');
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 127) return false;
  return true;
}
