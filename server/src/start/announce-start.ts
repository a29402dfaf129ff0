// Front door: a service says that it is starting before it loads what takes seconds, so that a command that is run at the same
// moment waits for it. Promise: neither makes the data folder nor fails; what is wrong with the folder, the start says.
import { existsSync } from 'node:fs';
import { sayStarting } from '../embedded/starting-service.ts';
import { dataDirOf } from '../settings/data-dir.ts';

export function announceStart(env: Readonly<Record<string, string | undefined>>): void {
  if (env.DATABASE_URL?.trim()) return;
  const dataDir = dataDirOf(env);
  try {
    if (existsSync(dataDir)) sayStarting(dataDir);
  } catch {
    // Not its own, or not writable.
  }
}
