// healthcheck: for Docker's HEALTHCHECK and the like, which need a program and its exit status.

import { readConfig } from '@mxproof/server/config';
import { checkHealth, type HealthRole } from '@mxproof/server/healthcheck';
import { serviceSettings } from '../shared/environment.ts';
import { EXIT } from '../shared/exit-status.ts';
import { plain, printJson, printLine } from '../shared/print.ts';

interface HealthcheckOptions {
  readonly role?: HealthRole;
  readonly json?: boolean;
}

export async function healthcheck({ role, json }: HealthcheckOptions): Promise<number> {
  const health = await checkHealth(readConfig(serviceSettings()), role);
  if (json) printJson(health);
  else printLine(plain(health.detail));
  return health.ok ? EXIT.ok : EXIT.failed;
}
