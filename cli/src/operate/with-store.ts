// The store of this machine's service, for one operator command, and who runs it.

import { hostname, userInfo } from 'node:os';
import { type Config, readConfig } from '@mxproof/server/config';
import * as operate from '@mxproof/server/operate';
import { serviceSettings, sudoUser } from '../shared/environment.ts';
import { refuseBesideService } from './installed-service.ts';

/** `mustExist` false: a store that is not there yet is made. */
export function withStore<T>(
  work: (store: operate.CommandStore) => Promise<T>,
  { mustExist = true }: operate.StoreUse = {},
): Promise<T> {
  return operate.withStore(storeConfig(), warn, work, { mustExist });
}

export function withContext<T>(work: (context: operate.Context) => Promise<T>): Promise<T> {
  return operate.withContext(storeConfig(), warn, work);
}

/** Refuses a shell that would reach another store than that of the service of this machine. */
export function storeConfig(): Config {
  const settings = serviceSettings();
  const config = readConfig(settings);
  refuseBesideService({ settings, dataDir: config.dataDir, words: process.argv.slice(2) });
  return config;
}

/** As the audit trail has it. */
export function commandActor(): operate.Actor {
  return { kind: 'command', id: null, name: userName(), client: hostname(), requestId: null };
}

/** The person where it is known. A user of a container may have no name. */
function userName(): string {
  try {
    return sudoUser() ?? userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
