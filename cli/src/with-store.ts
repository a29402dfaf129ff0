// The store of this machine's service, for one operator command.

import { readConfig } from '@mxproof/server/config';
import * as operate from '@mxproof/server/operate';
import { serviceSettings } from './environment.ts';

export function withStore<T>(work: (store: operate.CommandStore) => Promise<T>): Promise<T> {
  return operate.withStore(readConfig(serviceSettings()), warn, work);
}

export function withContext<T>(work: (context: operate.Context) => Promise<T>): Promise<T> {
  return operate.withContext(readConfig(serviceSettings()), warn, work);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
