// The store with the job engine, for operator commands whose flow enqueues.

import { type Context, createContext } from '@mxproof/server/flow/context.ts';
import { startJobs } from '@mxproof/server/store/jobs.ts';
import { whileAloneWithJobs } from '@mxproof/server/store/one-at-a-time.ts';
import { type OpenStore, withStore } from './with-store.ts';

/** It does not supervise other nodes' jobs here. */
export function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
  return withStore(async ({ db }: OpenStore) => {
    const options = { safetyNetSeconds: 0, supervise: false, onError: () => {} };
    const jobs = await whileAloneWithJobs(db, () => startJobs(db, options));
    try {
      return await work(createContext(db, jobs));
    } finally {
      await jobs.stop();
    }
  });
}
