// The verdict on an address that got no answer in time: what can be said about it without asking, and what an earlier
// attempt left it waiting for.
import { parseAddress } from '../address/parse-address.ts';
import { addressFlags } from '../domain/address-flags.ts';
import { NO_OVERRIDES } from '../domain/disposable-overrides.ts';
import type { Resume, Verdict } from '../types.ts';
import { standsWith } from '../verdict/detail-of.ts';
import { verdict } from '../verdict/verdict.ts';
import { certainVerdict } from './certain-verdict.ts';

/** `resume`: the state of an earlier attempt, if there was one; `overrides`: what the operator says of disposable domains. */
export function unansweredVerdict(
  email: string,
  resume: Resume | undefined,
  overrides = NO_OVERRIDES,
): Verdict {
  const certain = certainVerdict(email);
  if (certain !== null) return certain;
  const parsed = parseAddress(email);
  const address = parsed.ok ? parsed.address : null;
  const provider = resume?.provider ?? '';
  const ended = verdict({
    address,
    ...addressFlags(address, provider, overrides),
    dns: dnsAtTheEnd(resume),
    mx: resume?.mx ?? null,
    provider,
    mailbox: null,
    connected: resume?.meaning != null,
    catchAll: 'unknown',
    refusesAll: false,
    cause: 'list_ended',
  });
  const waitedFor = resume?.detail ?? null;
  const isUndecided = ended.detail === 'list_ended' || ended.reason === 'dns_error';
  return isUndecided && standsWith(waitedFor, ended.reason) ? { ...ended, detail: waitedFor } : ended;
}

/** No host was found by the time that was left: not that none could be reached. */
function dnsAtTheEnd(resume: Resume | undefined): 'error' | 'ok' {
  const isUnresolved = resume?.detail === 'dns_failed' || resume?.detail === 'dns_untrusted';
  return isUnresolved && resume.meaning === null ? 'error' : 'ok';
}
