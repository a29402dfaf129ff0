// One SMTP session as a host sees it: text in, replies out, over any transport and any clock, so that sockets and
// the virtual world share every behaviour. Promise: commands are answered in order, a held reply holds all that
// follow it, and input is bounded.
//
//   connect ──banner──▶ open (commands) ──STARTTLS──▶ handshake ──secured──▶ open
//      │                  │
//      └─ 5xx banner ─▶ refused (only QUIT helps)
//   any of them ─▶ silent (hears, says nothing) · over (connection ended)
import type { Clock } from '@mxproof/engine';
import type { Host } from './host.ts';
import { HostDialogue, readRecipient } from './host-dialogue.ts';
import { ReplyPipe, type SessionPort } from './reply-pipe.ts';
import type { Fault, FaultStage, Mangling } from './spec.ts';

const INPUT_MAX_CHARS = 4 * 1024 * 1024;
const LINE_MAX_CHARS = 4096;

type State = 'connect' | 'open' | 'handshake' | 'refused' | 'silent' | 'over';

export class HostSession {
  readonly #host: Host;
  readonly #source: string;
  readonly #clock: Clock;
  readonly #pipe: ReplyPipe;
  readonly #dialogue: HostDialogue;
  readonly #uses: Record<FaultStage, number> = {
    banner: 0,
    ehlo: 0,
    starttls: 0,
    mail: 0,
    rcpt: 0,
    rset: 0,
    help: 0,
    quit: 0,
  };
  #state: State = 'connect';
  #input = '';
  #out = '';
  #waiting = false;
  #gone = false;
  #left = false;
  #errors = 0;
  #hold: unknown = null;
  #nowMs = 0;

  constructor(host: Host, source: string, clock: Clock, port: SessionPort) {
    this.#host = host;
    this.#source = source;
    this.#clock = clock;
    this.#pipe = new ReplyPipe(port, clock, host.spec);
    this.#dialogue = new HostDialogue(host, source);
  }

  open(): void {
    this.#nowMs = this.#clock.now();
    const admission = this.#host.enter(this.#source, this.#nowMs);
    const { speaks } = this.#host.spec;
    if (admission !== 'welcome') {
      const why = admission === 'too_fast' ? 'connection rate limit exceeded' : 'too many connections';
      this.#say(`421 4.7.0 ${this.#host.name} Error: ${why} from ${this.#source}\r\n`);
    } else if (speaks === 'garbage') {
      this.#state = 'silent';
      this.#pipe.sendGarbage(this.#host.random);
    } else if (speaks === 'endless_banner') {
      this.#state = 'silent';
      this.#pipe.sendEndlessly(this.#host.name);
    } else {
      this.#answer('banner', '', () => {
        this.#state = 'open';
        return this.#host.phrases.banner('', this.#source);
      });
    }
    this.#flush();
  }

  /** Bytes as Latin-1. */
  receive(chunk: string): void {
    if (this.#gone || this.#state === 'over' || this.#state === 'silent') return;
    if (this.#state === 'handshake' && this.#host.spec.tls === 'broken') {
      this.#out += 'this is no handshake\r\n';
      this.#end('drop');
      return;
    }
    if (this.#state === 'connect') this.#dialogue.count('outOfPlace');
    this.#input += this.#flight(chunk);
    if (this.#input.length > INPUT_MAX_CHARS) this.#end('reset');
    else this.#drain();
  }

  secured(): void {
    this.#dialogue.secured();
    // Nothing that came in the clear is read after the handshake.
    this.#input = '';
    this.#state = 'open';
  }

  /** The connection is gone; nothing is sent any more. */
  closed(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#state = 'over';
    this.#pipe.closed();
    this.#clock.clearTimeout(this.#hold);
    this.#leave();
  }

  /** Several commands in one chunk: what this host makes of them. */
  #flight(chunk: string): string {
    const end = chunk.indexOf('\n') + 1;
    if (end === 0 || end === chunk.length) return chunk;
    if (!this.#dialogue.pipelining) this.#dialogue.count('outOfPlace');
    else if (this.#host.spec.pipelining === 'loses_replies') return chunk.slice(0, end);
    return chunk;
  }

  #listening(): boolean {
    return !this.#waiting && (this.#state === 'open' || this.#state === 'refused');
  }

  #drain(): void {
    if (!this.#listening()) return;
    this.#nowMs = this.#clock.now();
    const input = this.#input;
    this.#input = '';
    let start = 0;
    while (this.#listening()) {
      const end = input.indexOf('\n', start);
      if (end < 0) break;
      const line = input.slice(start, end > start && input.charCodeAt(end - 1) === 13 ? end - 1 : end);
      start = end + 1;
      this.#command(line);
    }
    if (start < input.length) this.#input = input.slice(start);
    if (this.#listening() && this.#input.length > LINE_MAX_CHARS) {
      this.#input = '';
      this.#say('500 5.5.2 Error: line too long\r\n');
    }
    this.#flush();
  }

  #command(line: string): void {
    const dialogue = this.#dialogue;
    dialogue.count('commands');
    const verb = line.slice(0, 4).toUpperCase();
    if (this.#state === 'refused' && verb !== 'QUIT') {
      this.#say('503 5.0.0 Error: access denied\r\n');
      return;
    }
    switch (verb) {
      case 'RCPT':
        this.#answer('rcpt', line, () => dialogue.rcpt(line, this.#nowMs));
        break;
      case 'MAIL':
        this.#answer('mail', line, () => dialogue.mail(line));
        break;
      case 'RSET':
        this.#answer('rset', line, () => {
          dialogue.reset();
          return this.#host.phrases.reset('', this.#source);
        });
        break;
      case 'HELP':
        dialogue.count('helps');
        this.#answer('help', line, () => dialogue.help());
        break;
      case 'EHLO':
      case 'HELO':
        this.#answer('ehlo', line, () => dialogue.hello(verb, line));
        break;
      case 'STAR':
        this.#answer('starttls', line, () => dialogue.startTls());
        break;
      case 'QUIT':
        dialogue.count('quits');
        this.#answer('quit', line, () => '221 2.0.0 Bye\r\n');
        break;
      case 'NOOP':
        this.#say('250 2.0.0 Ok\r\n');
        break;
      case 'DATA':
        dialogue.count('data');
        this.#say('554 5.5.1 Error: no valid recipients\r\n');
        break;
      default:
        dialogue.count('outOfPlace');
        this.#say('502 5.5.2 Error: command not recognized\r\n');
    }
  }

  /** The usual answer of a stage, unless a fault strikes. */
  #answer(stage: FaultStage, line: string, usual: () => string): void {
    const fault =
      this.#host.spec.at === undefined ? null : this.#host.strike(stage, this.#uses[stage], this.#source);
    this.#uses[stage] += 1;
    if (fault === null) this.#give(stage, usual());
    else if (fault.delayMs === undefined) this.#suffer(stage, line, fault, usual);
    else this.#wait(fault.delayMs, () => this.#suffer(stage, line, fault, usual));
  }

  #suffer(stage: FaultStage, line: string, fault: Fault, usual: () => string): void {
    const next = fault.next ?? 'go_on';
    if (fault.mangle !== undefined) {
      this.#mangle(stage, fault, usual());
      return;
    }
    if (fault.reply === undefined && next === 'go_on') {
      this.#give(stage, usual());
      return;
    }
    const text = fault.reply === undefined ? '' : `${fault.reply.replaceAll('\n', '\r\n')}\r\n`;
    if (stage === 'banner') this.#state = /^[45]/.test(text) ? 'refused' : 'open';
    if (stage === 'mail') this.#dialogue.mailRefused();
    if (stage === 'rcpt') this.#dialogue.countRcpt(readRecipient(line), text, this.#nowMs);
    if (text !== '') this.#say(text);
    if (next !== 'go_on') this.#end(next);
  }

  /** The host acts on its usual answer; the fault changes only what reaches the client. */
  #mangle(stage: FaultStage, { mangle, copyAfterMs, next = 'go_on' }: Fault, text: string): void {
    const whole = this.#atLength(text);
    this.#give(stage, text, mangled(whole, mangle ?? 'twice', copyAfterMs !== undefined));
    if (copyAfterMs !== undefined)
      this.#clock.setTimeout(() => {
        if (!this.#gone && this.#state !== 'over') this.#pipe.send(whole);
      }, copyAfterMs);
    if (this.#state === 'over') return;
    if (next !== 'go_on') this.#end(next);
    else if (mangle === 'cut') this.#end('drop');
  }

  /** The usual answer, and what follows from it. */
  #give(stage: FaultStage, text: string, said?: string): void {
    const leads = stage === 'quit' || (stage === 'starttls' && text.startsWith('220'));
    if (!leads) {
      this.#say(text, said);
      return;
    }
    this.#out += said ?? text;
    if (stage === 'quit') {
      this.#end('drop');
      return;
    }
    this.#flush();
    this.#state = 'handshake';
    if (this.#host.spec.tls !== 'broken') this.#pipe.startTls();
  }

  /** Says it, held back once this session has made too many errors. */
  #say(text: string, said = this.#atLength(text)): void {
    const { limits, name } = this.#host;
    if (text.startsWith('421')) {
      this.#dialogue.count('given421');
      this.#out += said;
      this.#end('drop');
      return;
    }
    const first = text.charCodeAt(0);
    if ((first === 52 || first === 53) && this.#state !== 'connect') this.#errors += 1;
    if (this.#errors < limits.softErrors) {
      this.#out += said;
      return;
    }
    this.#dialogue.count('delays');
    this.#wait(limits.softErrorDelayMs, () => {
      this.#out += said;
      if (this.#errors >= limits.hardErrors) this.#say(`421 4.7.0 ${name} Error: too many errors\r\n`);
    });
  }

  #atLength(text: string): string {
    return this.#host.spec.multiline === true ? inManyLines(text) : text;
  }

  #end(how: 'drop' | 'reset' | 'silent'): void {
    this.#flush();
    this.#input = '';
    this.#state = how === 'silent' ? 'silent' : 'over';
    if (how !== 'silent') this.#pipe.end(how, () => this.#leave());
  }

  /** A server that has hung up has its slot back, whether or not the client has noticed. */
  #leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.#host.leave(this.#source);
  }

  /** Nothing more is read until the wait is over. */
  #wait(ms: number, then: () => void): void {
    this.#flush();
    this.#waiting = true;
    this.#hold = this.#clock.setTimeout(() => {
      if (this.#gone || this.#state === 'over' || this.#state === 'silent') return;
      this.#waiting = false;
      this.#nowMs = this.#clock.now();
      then();
      this.#flush();
      this.#drain();
    }, ms);
  }

  #flush(): void {
    if (this.#out === '') return;
    this.#pipe.send(this.#out);
    this.#out = '';
  }
}

/** What leaves of a reply at once. */
function mangled(text: string, how: Mangling, copyComesLater: boolean): string {
  switch (how) {
    case 'lost':
      return '';
    case 'twice':
      return copyComesLater ? text : text + text;
    case 'merged':
      return `${text.slice(0, -2)}\r`;
    case 'glued':
      return text.slice(0, -2);
    case 'cut':
      return text.slice(0, text.length / 2);
    default:
      return how satisfies never;
  }
}

/** `250 2.1.0 Ok` in three lines; replies of several lines are left alone. */
function inManyLines(text: string): string {
  if (text.charAt(3) !== ' ') return text;
  const status = /^\d{3} (\d\.\d{1,3}\.\d{1,3} )?/.exec(text)?.[1] ?? '';
  const head = `${text.slice(0, 3)}-${status}`;
  return `${head}This server says everything at length.\r\n${head}\r\n${text}`;
}
