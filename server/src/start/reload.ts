// What a running service reads again when it is told to: its certificate, its policy file, its file of disposable domains.
// Promise: what cannot be read leaves in effect what was, each by itself, and one line says why; what takes a restart is named.
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { replacePolicy } from '@mxproof/engine';
import type { Logger } from 'pino';
import { OperatorError } from '../rules/operator-error.ts';
import type { Config } from '../settings/config.ts';
import { SETTINGS } from '../settings/settings.ts';

const READ_AGAIN: ReadonlySet<string> = new Set(['policy', 'tlsCert', 'tlsKey']);

export interface Reloadable {
  readonly config: Config;
  /** The settings as they are now. @throws OperatorError */
  readonly reread: () => Config;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Looks whether the file of disposable domains has changed. */
  readonly disposable: (() => Promise<unknown>) | null;
  /** What serves HTTP; null: nothing yet, or nothing here. */
  readonly server: () => Server | null;
}

export async function reload({ config, reread, log, disposable, server }: Reloadable): Promise<void> {
  let fresh: Config;
  try {
    fresh = reread();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.warn(`${error.message} The settings read before stay in effect.`);
    return;
  }
  const listening = server();
  if (fresh.tls !== null && listening instanceof TlsServer) {
    try {
      listening.setSecureContext(fresh.tls);
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? 'it is not valid';
      log.warn(
        `MXPROOF_TLS_CERT and MXPROOF_TLS_KEY cannot be used (${why}): the certificate read before stays in effect.`,
      );
    }
  }
  if (config.policy !== null && fresh.policy !== null) replacePolicy(config.policy, fresh.policy);
  await disposable?.();
  const waiting = needRestart(config, fresh);
  log.info('settings read again: certificate, policy file and disposable domains');
  if (waiting.length > 0) log.warn({ settings: waiting }, 'these settings take effect at the next start');
}

/** Names, not values. */
function needRestart(before: Config, now: Config): string[] {
  const rows = Object.entries(SETTINGS) as [keyof typeof SETTINGS, { name: string }][];
  return rows.flatMap(([key, { name }]) => {
    const isSame = JSON.stringify(before[key]) === JSON.stringify(now[key]);
    const isNew = (before[key] === null) !== (now[key] === null);
    return isNew || (!isSame && !READ_AGAIN.has(key)) ? [name] : [];
  });
}
