// The person who gets mail about an account, as commands take and show it.
import { parseAddress } from '@mxproof/engine';
import type { AccountMail } from '@mxproof/server/operate';
import { dateOf, plain, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';

/** Empty: no mail. */
export function readMail(value: string): string | null {
  const given = value.trim();
  if (given === '') return null;
  const parsed = parseAddress(given);
  if (!parsed.ok) throw new UsageError('--mail must be a mail address, such as anna@example.com.');
  return parsed.address.mailbox;
}

export function mailOnWire(mail: AccountMail | null): object {
  const failure = mail?.failure ?? null;
  return {
    mail: mail?.address ?? null,
    mail_failing_since: failure?.sinceSeconds ?? null,
    mail_error: failure?.error ?? null,
    mail_stopped_at: mail?.stoppedAtSeconds ?? null,
  };
}

export function printMail(mail: AccountMail | null): void {
  printLine(`Mail: ${mail === null ? 'none' : plain(mail.address)}`);
  if (mail?.failure)
    printLine(`Not sent since ${dateOf(mail.failure.sinceSeconds)}: ${plain(mail.failure.error)}`);
  if (mail !== null && mail.stoppedAtSeconds !== null)
    printLine(`Stopped by its reader: ${dateOf(mail.stoppedAtSeconds)}`);
}
