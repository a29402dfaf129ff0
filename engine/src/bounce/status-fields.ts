// The fields of a delivery status notification (RFC 3464, 6533), as records → the reply about each recipient. Pure.
// Promise: the same whether they stand in their own part of a message or were pasted without one.
import { addressesIn } from './find-addresses.ts';
import type { FoundReply } from './found-reply.ts';
import { saidIn, stageIn } from './said-in.ts';

const FIELD =
  /^(original-recipient|final-recipient|action|status|remote-mta|diagnostic-code|reporting-mta|received-from-mta|arrival-date|last-attempt-date|final-log-id|will-retry-until|localized-diagnostic|x-[a-z-]{1,60}):\s{0,16}(.*)$/is;
/** `smtp;`, `X-Postfix;`, `rfc822;`, `dns;`: what kind of value follows. */
const KIND = /^([a-z0-9-]{1,40});\s{0,16}/i;

const OUTCOMES: Readonly<Record<string, FoundReply['outcome']>> = {
  failed: 'failed',
  delayed: 'delayed',
  delivered: 'delivered',
  relayed: 'delivered',
  expanded: 'delivered',
};

export class StatusFields {
  readonly #fields = new Map<string, string>();
  readonly #first: 'final' | 'original';

  /** Which recipient counts where both are named: the one that failed, or the one that was written to. */
  constructor(first: 'final' | 'original' = 'final') {
    this.#first = first;
  }

  /** False: the record is no such field. */
  take(record: string): boolean {
    const field = FIELD.exec(record);
    if (field === null) return false;
    const name = (field[1] ?? '').toLowerCase();
    if (!this.#fields.has(name)) this.#fields.set(name, field[2] ?? '');
    return true;
  }

  /** The end of a group: null if it is about no recipient. */
  end(): FoundReply | null {
    if (this.#fields.size === 0) return null;
    const of = (name: string) => this.#fields.get(name)?.replace(KIND, '').trim() ?? '';
    const other = this.#first === 'final' ? 'original' : 'final';
    const recipients = [of(`${this.#first}-recipient`), of(`${other}-recipient`)].map(
      // `utf-8` addresses may be written in escapes; they tell recipients apart all the same.
      (value) => addressesIn(value, 1)[0] ?? value.toLowerCase().slice(0, 320),
    );
    const diagnostic = of('diagnostic-code');
    const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(of('status'))?.[0] ?? '';
    const action =
      OUTCOMES[
        of('action')
          .toLowerCase()
          .split(/[^a-z]/, 1)[0] ?? ''
      ];
    const host = /^[a-z0-9.-]{1,255}/i.exec(of('remote-mta'))?.[0] ?? '';
    const isGroup = recipients.some(Boolean) ? action !== undefined || status !== '' : diagnostic !== '';
    this.#fields.clear();
    if (!isGroup) return null;
    const isDelivered = action === undefined && status.startsWith('2');
    return {
      recipient: recipients.find(Boolean) ?? '',
      said: saidIn(diagnostic) ?? `${status} ${diagnostic}`.trim(),
      stage: stageIn(diagnostic),
      host,
      outcome: action ?? (isDelivered ? 'delivered' : status.startsWith('4') ? 'delayed' : 'failed'),
    };
  }
}
