// serve and work: the roles of the service.

import { announceStart } from '@mxproof/server/announce-start';
import type { Roles } from '@mxproof/server/serve';
import { serviceSettings } from './environment.ts';

export async function serveCommand({ checks }: { readonly checks: boolean }): Promise<void> {
  await run({ http: true, checks });
}

export async function workCommand(): Promise<void> {
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
  });
  // Everything is down: a handle left open must not keep the process alive.
  process.exit(status);
}
