// What a sending system writes of its mail: Postfix in its log, SendGrid in its events. Pure.
import { type MailEvent, SENDER } from './delivery.ts';
import { hash32 } from './random.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
/** The world is on loopback; the log of a machine that sends into the internet has other addresses. */
const PUBLIC_NET = '203.0.113';

/** The lines of one message; none for what Postfix never hears of: complaints, and reports that come later. */
export function postfixLines(event: MailEvent): string {
  const { email, outcome, relay, reply, command } = event;
  if (outcome === 'complained' || (outcome === 'bounced' && relay !== null && command === null)) return '';
  const at = new Date(event.atSeconds * 1_000);
  const time = `${MONTHS[at.getUTCMonth()]} ${`${at.getUTCDate()}`.padStart(2)} ${at.toISOString().slice(11, 19)}`;
  const id = hash32(event.id, 0).toString(16).toUpperCase().padStart(8, '0');
  const head = (program: string) => `${time} out postfix/${program}[4711]: ${id}:`;
  const where = relay === null ? 'none' : `${relay.host}[${PUBLIC_NET}.${hash32(relay.host, 0) % 250}]:25`;
  const isQuoted = relay !== null && outcome === 'bounced';
  const said = isQuoted ? `host ${where.slice(0, -3)} said: ${reply} (in reply to ${command})` : reply;
  const status = outcome === 'delivered' ? 'sent' : 'bounced';
  return `${head('qmgr')} from=<${SENDER}>, size=18422, nrcpt=1 (queue active)
${head('smtp')} to=<${email}>, relay=${where}, delay=1.2, delays=0.1/0/0.6/0.5, dsn=${dsnOf(outcome, reply)}, status=${status} (${said})
${head('qmgr')} removed
`;
}

function dsnOf(outcome: MailEvent['outcome'], reply: string): string {
  return /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(reply)?.[0] ?? (outcome === 'delivered' ? '2.0.0' : '5.0.0');
}

/** As its event webhook posts it. */
export function sendgridEvent({ id, email, outcome, reply, atSeconds }: MailEvent): object {
  const told = { email, timestamp: atSeconds, sg_event_id: id, sg_message_id: `${id}.filter` };
  switch (outcome) {
    case 'delivered':
      return { ...told, event: 'delivered', response: reply };
    case 'bounced':
      return { ...told, event: 'bounce', type: 'bounce', reason: reply };
    case 'complained':
      return { ...told, event: 'spamreport' };
  }
}
