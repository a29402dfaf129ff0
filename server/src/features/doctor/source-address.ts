// The address that the world sees, as mail servers tell it. Pure: reads what was found.
import { isPublicAddress } from '@mxproof/common/public-address';
import type { CheckResult } from './doctor-check.ts';
import { isSameAddress } from './ip-names.ts';
import type { SourceFindings } from './source-findings.ts';
import { aboutSource, type DoctorSource, sourceText } from './sources.ts';

const LIST = new Intl.ListFormat('en');

/** `mayBePrivate`: on a closed network, where nothing else is to be expected. */
export function judgeAddress(findings: SourceFindings, mayBePrivate: boolean): CheckResult {
  return { ...judge(findings, mayBePrivate), ...aboutSource(findings.source) };
}

function judge({ source, probes, seen }: SourceFindings, mayBePrivate: boolean): CheckResult {
  const [first, ...others] = [...seen.keys()];
  if (first === undefined)
    return unknown(
      source,
      probes.some(({ greeting }) => greeting.kind === 'answered'),
    );
  if (others.length > 0)
    return {
      status: 'warning',
      detail: `Different servers see different addresses: ${[...seen]
        .map(([address, by]) => `${address} (${LIST.format(by)})`)
        .join(', ')}.`,
      advice:
        'Give this source one way out: each of these addresses needs its own PTR record, SPF and reputation. Look for several ' +
        'gateways, or a provider that balances outbound connections.',
    };
  if (!mayBePrivate && !isPublicAddress(first))
    return {
      status: 'warning',
      detail: `${LIST.format(seen.get(first)!)} sees ${first}, which is not an address of the internet.`,
      advice:
        'Something in your own network answers on port 25: look for a firewall or proxy that intercepts it.',
    };
  if (source.ip === null || isSameAddress(source.ip, first))
    return { status: 'ok', detail: `The world sees ${sourceText(source)} as ${first}.`, advice: null };
  return behindNat(source.ip, first, mayBePrivate);
}

function behindNat(own: string, seen: string, mayBePrivate: boolean): CheckResult {
  const detail = `The world sees ${seen} for ${own}: the address is translated on the way (NAT).`;
  // That is what a private address is for.
  if (!mayBePrivate && !isPublicAddress(own)) return { status: 'ok', detail, advice: null };
  return {
    status: 'warning',
    detail,
    advice: `PTR record, SPF and block lists count for ${seen}. If ${own} is meant to be seen, correct its route or the NAT rule.`,
  };
}

function unknown({ name, ip }: DoctorSource, hasAnswered: boolean): CheckResult {
  if (!hasAnswered)
    return {
      status: 'skipped',
      detail: 'No mail server could be asked: see source.port25.',
      advice: null,
    };
  return {
    status: 'warning',
    detail: 'None of the mail servers that were asked says which address it sees.',
    advice:
      name === null
        ? 'Look up the address of this machine at your hosting company, and set it in MXPROOF_SOURCE_ADDRESSES.'
        : `Run mxproof doctor again later. ${ip === null ? 'The operator of the proxy knows its address.' : `Until then, the other checks look at ${ip}.`}`,
  };
}
