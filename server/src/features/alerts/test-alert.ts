// A test alert in every configured way, at once: what an operator tries before it matters.
import { randomUUID } from 'node:crypto';
import { isPublicAddress } from '@mxproof/common/public-address';
import { alertBody } from './alert-message.ts';
import { waysOf } from './deliver-alerts.ts';
import { type AlertSender, sendAlert } from './send-alert.ts';
import type { AlertWay } from './stored-alerts.ts';

export interface TestedWay {
  readonly way: AlertWay;
  /** Null: it arrived. */
  readonly error: string | null;
}

export async function sendTestAlert(settings: {
  readonly ways: AlertSender['ways'];
  readonly allowPrivateTargets: boolean;
  readonly target: Omit<AlertSender['target'], 'isAllowed'>;
}): Promise<TestedWay[]> {
  const now = Math.floor(Date.now() / 1_000);
  const isAllowed = settings.allowPrivateTargets ? () => true : isPublicAddress;
  const sender: AlertSender = { ways: settings.ways, target: { ...settings.target, isAllowed } };
  const body = alertBody({
    condition: 'test',
    subject: null,
    status: 'test',
    title: 'A test of alerts',
    detail: 'This is a test: alerts of this service arrive here.',
    advice: 'There is nothing to do.',
    since: now,
    at: now,
  });
  const id = randomUUID();
  return Promise.all(
    waysOf(sender).map(async (way) => ({ way, error: await sendAlert(sender, { way, id, body }) })),
  );
}
