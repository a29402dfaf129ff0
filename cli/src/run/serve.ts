// serve and work: the roles of the service.

import { announceStart } from '@mxproof/server/announce-start';
import { OperatorError } from '@mxproof/server/operator-error';
import { secretValue } from '@mxproof/server/secret-file';
import type { Roles } from '@mxproof/server/serve';
import { freshSettings, serviceSettings } from '../shared/environment.ts';

export async function serveCommand({ checks }: { readonly checks: boolean }): Promise<void> {
  await run({ http: true, checks });
}

/** An embedded store is one process's: a worker's own would have no service, and wait for work that never comes. */
export async function workCommand(): Promise<void> {
  if (secretValue(serviceSettings(), 'DATABASE_URL') === null)
    throw new OperatorError(
      'A worker needs the PostgreSQL that the service uses: set DATABASE_URL to it, and MXPROOF_SECRET_KEY to the key of the service.',
    );
  await run({ http: false, checks: true });
}

async function run(roles: Roles): Promise<void> {
  announceStart(serviceSettings());
  // Only now: loading them takes a second, in which a command may ask for the service.
  const { readConfig } = await import('@mxproof/server/config');
  const { serve } = await import('@mxproof/server/serve');
  const { prepareConsole } = await import('./prepare-console.ts');
  const status = await serve(readConfig(serviceSettings()), roles, {
    consoleFolder: () => prepareConsole(),
    reread: () => readConfig(freshSettings()),
  });
  // Everything is down: a handle left open must not keep the process alive.
  process.exit(status);
}
