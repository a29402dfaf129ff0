// alerts, alerts test: what the operator is told of, and whether it would arrive.

import { readConfig } from '@mxproof/server/config';
import {
  ALERT_CONDITIONS,
  findDnsServers,
  readAlerts,
  sendTestAlert,
  unsentAlerts,
} from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { serviceSettings } from '../shared/environment.ts';
import { EXIT } from '../shared/exit-status.ts';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { withStore } from './with-store.ts';

interface Json {
  readonly json?: boolean;
}

const NOT_CONFIGURED =
  'Alerts are not configured: set MXPROOF_ALERT_URL and MXPROOF_ALERT_SECRET, or MXPROOF_ALERT_MAIL and MXPROOF_SMTP_RELAY.';
const WAYS = { post: 'POST to MXPROOF_ALERT_URL', mail: 'Mail to MXPROOF_ALERT_MAIL' } as const;

export async function alerts({ json }: Json): Promise<void> {
  const { rows, unsent, isConfigured } = await withStore(async ({ db, config }) => ({
    rows: await readAlerts(db),
    unsent: await unsentAlerts(db),
    isConfigured: config.alertWays.post !== null || config.alertWays.mail !== null,
  }));
  const shown = rows.map((row) => ({
    condition: row.condition,
    subject: row.subject === '' ? null : row.subject,
    detail: row.detail,
    advice: ALERT_CONDITIONS.find(({ id }) => id === row.condition)?.advice ?? null,
    since: seconds(row.sinceMs),
    told_at: seconds(row.toldMs),
    resolved_at: seconds(row.resolvedMs),
  }));
  if (json) return printJson({ configured: isConfigured, alerts: shown, unsent });
  const holding = shown.filter(({ resolved_at }) => resolved_at === null);
  for (const { condition, subject, detail, advice, since } of holding) {
    printLine(plain(`${condition}${subject === null ? '' : ` (${subject})`}, since ${dateOf(since)}`));
    printLine(plain(`  ${detail}`));
    if (advice !== null) printLine(`  ${advice}`);
  }
  if (holding.length === 0 && isConfigured) printLine('Nothing is wrong.');
  const over = shown.filter(({ resolved_at }) => resolved_at !== null);
  if (over.length > 0)
    printTable([
      ['over', 'about', 'since', 'until'],
      ...over.map((one) => [
        one.condition,
        plain(one.subject ?? ''),
        dateOf(one.since),
        dateOf(one.resolved_at),
      ]),
    ]);
  for (const { way, messages, error } of unsent)
    printLine(plain(`${WAYS[way]}: ${messages} not sent yet${error === null ? '.' : `: ${error}`}`));
  if (!isConfigured) printLine(NOT_CONFIGURED);
}

export async function alertsTest({ json }: Json): Promise<number> {
  const config = readConfig(serviceSettings());
  const tested = await sendTestAlert({
    ways: config.alertWays,
    allowPrivateTargets: config.allowPrivateTargets,
    target: { dnsServers: await findDnsServers(config), ports: config.callbackPorts },
  });
  if (tested.length === 0) throw new OperatorError(NOT_CONFIGURED);
  const ok = tested.every(({ error }) => error === null);
  if (json) printJson({ ok, ways: tested });
  else for (const { way, error } of tested) printLine(plain(`${WAYS[way]}: ${error ?? 'arrived.'}`));
  return ok ? EXIT.ok : EXIT.failed;
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1_000);
}
