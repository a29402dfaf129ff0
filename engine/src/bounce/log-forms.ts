// A line of a mail server's log → the replies it tells of. Postfix, Sendmail, Exim, OpenSMTPD, qmail, PowerMTA.
// Pure. Promises: linear; what is not such a line gives nothing.
import { addressesIn } from './find-addresses.ts';
import type { FoundReply } from './found-reply.ts';
import { hostIn, saidIn, stageIn } from './said-in.ts';

/** Of one line: a mail server writes one for each, or a few that share an answer. */
const MAX_RECIPIENTS_OF_A_LINE = 100;
const TO = /\b(?:to|rcpt)=(<[^<>\s]{1,320}>(?:,<[^<>\s]{1,320}>){0,99}|[^\s,<>"]{1,320})/;

type Outcome = FoundReply['outcome'];

/** Null: not a line of a log. */
export function readLogLine(text: string): readonly FoundReply[] | null {
  const found = postfix(text) ?? openSmtpd(text) ?? sendmail(text) ?? exim(text) ?? powerMta(text);
  return found?.map((one) => ({ ...one, said: saidIn(one.said) ?? one.said })) ?? null;
}

const POSTFIX: Readonly<Record<string, Outcome>> = {
  sent: 'delivered',
  deliverable: 'delivered',
  bounced: 'failed',
  undeliverable: 'failed',
  expired: 'failed',
  deferred: 'delayed',
};

function postfix(text: string): readonly FoundReply[] | null {
  const status = /\bstatus=([a-z-]{4,20}) \((.*)$/s.exec(text);
  const outcome = POSTFIX[status?.[1] ?? ''];
  if (status === null || outcome === undefined) return null;
  const said = (status[2] ?? '').replace(/\)\s{0,8}$/, '');
  return toEach(text, said, outcome);
}

const OPENSMTPD: Readonly<Record<string, Outcome>> = {
  ok: 'delivered',
  tempfail: 'delayed',
  permfail: 'failed',
};

function openSmtpd(text: string): readonly FoundReply[] | null {
  const result = /\bresult="?([a-z]{2,16})"?/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const said = /\bstat="([^"]{1,4096})/.exec(text)?.[1];
  const outcome = OPENSMTPD[result];
  return said === undefined || outcome === undefined ? null : toEach(text, said, outcome);
}

function sendmail(text: string): readonly FoundReply[] | null {
  const stat = /\bstat=(.*)$/s.exec(text)?.[1];
  const status = /\bdsn=([245]\.\d{1,3}\.\d{1,3})/.exec(text)?.[1];
  if (stat === undefined || status === undefined) return null;
  const outcome = status.startsWith('2') ? 'delivered' : status.startsWith('4') ? 'delayed' : 'failed';
  return toEach(text, saidIn(stat) === null ? `${status} ${stat}` : stat, outcome);
}

const EXIM: Readonly<Record<string, Outcome>> = {
  '**': 'failed',
  '==': 'delayed',
  '=>': 'delivered',
  '->': 'delivered',
};

function exim(text: string): readonly FoundReply[] | null {
  const line = /(?:^|\s)(\*\*|==|=>|->) <?([^\s<>@]{1,64}@[^\s<>@:]{1,255})>?/.exec(text);
  const outcome = EXIM[line?.[1] ?? ''];
  if (line === null || outcome === undefined || !/\s[RT]=|SMTP error|: retry time/.test(text)) return null;
  const said = text.slice(line.index + line[0].length);
  return [
    { recipient: (line[2] ?? '').toLowerCase(), said, stage: stageIn(said), host: hostIn(said), outcome },
  ];
}

/** An accounting file: comma-separated cells, among them the recipient and then `smtp;550 5.1.1 …`. */
function powerMta(text: string): readonly FoundReply[] | null {
  const cell = /,(?:"smtp;((?:[^"]|""){1,4096})"|smtp;([^,]{1,4096}))(?:,|$)/i.exec(text);
  const said = cell?.[1] ?? cell?.[2];
  if (cell === null || said === undefined) return null;
  const before = text.slice(0, cell.index);
  const recipient = addressesIn(before, MAX_RECIPIENTS_OF_A_LINE).at(-1);
  if (recipient === undefined) return null;
  const outcome = /^\s{0,4}2/.test(said) ? 'delivered' : /,delayed,/i.test(before) ? 'delayed' : 'failed';
  return [{ recipient, said: said.replaceAll('""', '"'), stage: stageIn(said), host: '', outcome }];
}

function toEach(text: string, said: string, outcome: Outcome): readonly FoundReply[] {
  const recipients = addressesIn(TO.exec(text)?.[1] ?? '', MAX_RECIPIENTS_OF_A_LINE);
  const found = { said, stage: stageIn(said), host: hostIn(text), outcome };
  return (recipients.length === 0 ? [''] : recipients).map((recipient) => ({ ...found, recipient }));
}

const QMAIL_START = /\bstarting delivery (\d{1,12}): msg \d{1,20} to (?:remote|local) (\S{1,320})/;
const QMAIL_END = /\bdelivery (\d{1,12}): (success|failure|deferral): (.*)$/s;
const QMAIL: Readonly<Record<string, Outcome>> = {
  success: 'delivered',
  failure: 'failed',
  deferral: 'delayed',
};
const MAX_DELIVERIES = 1_000;

/** qmail names the recipient when a delivery begins, and the answer when it ends. */
export class QmailLog {
  readonly #recipients = new Map<string, string>();

  /** Null: not a line of qmail's. */
  read(text: string): readonly FoundReply[] | null {
    const begun = QMAIL_START.exec(text);
    if (begun !== null) {
      if (this.#recipients.size < MAX_DELIVERIES)
        this.#recipients.set(begun[1] ?? '', (begun[2] ?? '').toLowerCase());
      return [];
    }
    const ended = QMAIL_END.exec(text);
    const outcome = QMAIL[ended?.[2] ?? ''];
    if (ended === null || outcome === undefined) return null;
    // Blanks are written as underscores, line ends as slashes.
    const words = (ended[3] ?? '').replaceAll('_', ' ').replaceAll('/', ' ');
    const recipient = this.#recipients.get(ended[1] ?? '') ?? '';
    const said = saidIn(words) ?? words;
    return [{ recipient, said, stage: stageIn(words), host: '', outcome }];
  }
}
