// webhooks, mail: whether what accounts and their people are to be told arrives.
// Promise: one account whose receiver is down is that account's matter, and no warning.
import { readVersions } from '../../store/migrate.ts';
import { linkState } from '../mail/stored-link-mails.ts';
import { mailState } from '../mail/stored-mail.ts';
import { countEndpoints, type EndpointCounts } from '../webhooks/stored-endpoints.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { ok, skipped, warning } from './result.ts';

/** Fewer that fail say nothing about this service. */
const LEAST_FAILING = 5;
const NOT_MIGRATED = skipped('The database is not migrated yet.');

const webhooksCheck: DoctorCheck = {
  id: 'webhooks',
  title: 'Webhook endpoints',
  needs: ['database'],
  async run({ db }) {
    const { database, ours } = await readVersions(db!);
    return database < ours ? NOT_MIGRATED : judgeEndpoints(await countEndpoints(db!));
  },
};

export function judgeEndpoints({ on, failing, paused, off }: EndpointCounts): CheckResult {
  if (on + failing + paused + off === 0) return skipped('No account has a webhook endpoint.');
  const counts = `Webhook endpoints: ${on} on, ${failing} failing, ${paused} paused, ${off} switched off.`;
  if (failing < LEAST_FAILING || failing <= on) return ok(counts);
  return warning(
    counts,
    'Most of them fail: see that this machine may connect to the internet, and that MXPROOF_CALLBACK_PORTS allows their ports.',
  );
}

const mailCheck: DoctorCheck = {
  id: 'mail',
  title: 'Mail to accounts',
  needs: ['database'],
  async run({ config, db }) {
    const { database, ours } = await readVersions(db!);
    if (database < ours) return NOT_MIGRATED;
    return judgeMail(await mailState(db!), await linkState(db!), {
      canSend: config.mailSender !== null,
      publicUrl: config.publicUrl,
    });
  },
};

export function judgeMail(
  { recipients, failing, error, waiting }: Awaited<ReturnType<typeof mailState>>,
  links: Awaited<ReturnType<typeof linkState>>,
  { canSend, publicUrl }: { readonly canSend: boolean; readonly publicUrl: string | null },
): CheckResult {
  if (recipients + links.waiting === 0 && links.error === null)
    return skipped(
      'No account has an address for mail ("mxproof account set --mail"), and no member is mailed.',
    );
  const unsent = links.waiting === 0 ? '' : ` Invitations and sign-in links not sent yet: ${links.waiting}.`;
  const counts = `People who get mail about accounts: ${recipients}; events not told yet: ${waiting}.${unsent}`;
  if (!canSend)
    return warning(
      `${counts} No mail is sent.`,
      'Set MXPROOF_SMTP_RELAY, and MXPROOF_ALERT_FROM or MXPROOF_MAIL_FROM, on every node.',
    );
  if (failing === 0 && links.error === null && publicUrl === null)
    return warning(
      `${counts} MXPROOF_PUBLIC_URL is not set: links in mail lead to where a node listens.`,
      'Set MXPROOF_PUBLIC_URL to where browsers reach the service, such as https://verify.example.com, on every node.',
    );
  if (failing === 0 && links.error === null) return ok(counts);
  if (failing === 0)
    return warning(
      `${counts} The last invitation or sign-in link was not taken: ${links.error}`,
      'Ask the mail server of MXPROOF_SMTP_RELAY: an invitation is sent again for three days, a sign-in link for ten minutes.',
    );
  return warning(
    `${counts} Mail to ${failing} of them fails: ${error ?? ''}`.trim(),
    'It is sent again for three days. "mxproof account show" says since when and why of an account\'s address; of a member, the owners\' page of members does.',
  );
}

export const TOLD_CHECKS: readonly DoctorCheck[] = [webhooksCheck, mailCheck];
