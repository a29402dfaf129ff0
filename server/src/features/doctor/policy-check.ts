// policy: what the policy file changes, and whether it speaks of sources that there are. A file that cannot be read or has a
// mistake stops the start, and the check `config` says so.
import { ANY_SOURCE, DEFAULT_POLICY, type Policy } from '@mxproof/engine';
import type { Config } from '../../settings/config.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { ok, warning } from './result.ts';

const NAMED_AT_MOST = 5;

export const policyCheck: DoctorCheck = {
  id: 'policy',
  title: 'Policy file',
  needs: [],
  run: async ({ config }) => judgePolicy(config),
};

export function judgePolicy(config: Pick<Config, 'policy' | 'sourceAddresses'>): CheckResult {
  const { policy } = config;
  if (policy === null) return ok('MXPROOF_POLICY_FILE is not set: the built-in limits hold.');
  const sources = new Set(config.sourceAddresses.map(({ name }) => name));
  const unknown = [...policy.sources.keys()].filter((name) => name !== ANY_SOURCE && !sources.has(name));
  if (unknown.length > 0)
    return warning(
      `The policy file speaks of ${listed(unknown)}, which MXPROOF_SOURCE_ADDRESSES does not have: it has no effect there.`,
      'Correct the names under "sources" (an address, or host:port of a proxy), or add the source.',
    );
  return ok(`The policy file sets ${changesOf(policy).join(', ') || 'nothing'}.`);
}

function changesOf(policy: Policy): string[] {
  const rows = policy.rows.filter((row) => !DEFAULT_POLICY.rows.includes(row)).length;
  const never = [...policy.never].filter((name) => !DEFAULT_POLICY.never.has(name)).length;
  return [
    JSON.stringify(policy.everyone) === JSON.stringify(DEFAULT_POLICY.everyone) ? '' : 'limits for everyone',
    rows === 0 ? '' : `limits for ${counted(rows, 'host or provider', 'hosts and providers')}`,
    never === 0 ? '' : `${counted(never, 'name', 'names')} that ${never === 1 ? 'is' : 'are'} never asked`,
    policy.neverProviders.size === 0 ? '' : `never to ask ${[...policy.neverProviders].join(' and ')}`,
    policy.sources.size === 0
      ? ''
      : `settings of ${counted(policy.sources.size, 'source address', 'source addresses')}`,
    policy.missingQuestionsPerMinute === DEFAULT_POLICY.missingQuestionsPerMinute
      ? ''
      : 'the rate of questions about missing names',
  ].filter(Boolean);
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED_AT_MOST;
  return `${names.slice(0, NAMED_AT_MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
