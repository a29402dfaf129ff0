// An exchanger as nothing is known of it yet, under the default policy with other limits where given. For tests.
import type { Limits } from '../src/pace/pace.ts';
import { DEFAULT_POLICY } from '../src/policy/default-policy.ts';
import { createExchanger, type Exchanger } from '../src/smtp/hosts/exchanger.ts';
import { DEFAULT_TIMEOUTS } from '../src/smtp/session/session-plan.ts';

export function unknownExchanger(ip = '192.0.2.1', limits: Partial<Limits> = {}): Exchanger {
  const chosen = { ...DEFAULT_POLICY.everyone.limits, ...limits, reason: '', isNamed: false };
  return createExchanger(ip, 'other', chosen, null, DEFAULT_TIMEOUTS);
}
