// An MX host as nothing is known of it yet, under the default policy with other limits where given. For tests.
import type { Limits } from '../src/pace/pace.ts';
import { DEFAULT_POLICY } from '../src/policy/default-policy.ts';
import { createMxHost, type MxHost } from '../src/smtp/hosts/mx-host.ts';
import { DEFAULT_TIMEOUTS } from '../src/smtp/session/session-plan.ts';

export function unknownMxHost(ip = '192.0.2.1', limits: Partial<Limits> = {}): MxHost {
  const chosen = { ...DEFAULT_POLICY.everyone.limits, ...limits, reason: '', isNamed: false, budgets: [] };
  return createMxHost(ip, 'other', chosen, null, DEFAULT_TIMEOUTS, { count: 1 });
}
