// The store with its jobs, for operator commands whose flow enqueues.

import { type Context, createContext } from '@mxproof/server/flow/context.ts';
import { createJobs } from '@mxproof/server/store/jobs.ts';
import { type OpenStore, withStore } from './with-store.ts';

export function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
  return withStore(({ db }: OpenStore) => work(createContext(db, createJobs(db, { safetyNetSeconds: 0 }))));
}
