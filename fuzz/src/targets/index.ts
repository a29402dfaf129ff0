// All that is fuzzed; a full run's inputs are a million.
import type { Target } from '../target.ts';
import { addresses } from './addresses.ts';
import { adminBodies } from './admin-bodies.ts';
import { bodies } from './bodies.ts';
import { bounces } from './bounces.ts';
import { csv } from './csv.ts';
import { dns } from './dns.ts';
import { hooks } from './hooks.ts';
import { outcomeFiles } from './outcome-files.ts';
import { outcomes } from './outcomes.ts';
import { policy } from './policy.ts';
import { replies } from './replies.ts';
import { requests } from './requests.ts';
import { tables } from './tables.ts';
import { workbooks } from './workbooks.ts';

export const TARGETS: readonly Target[] = [
  replies,
  dns,
  addresses,
  adminBodies,
  bodies,
  bounces,
  csv,
  hooks,
  outcomeFiles,
  outcomes,
  policy,
  requests,
  tables,
  workbooks,
];
