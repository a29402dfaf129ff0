// Whether a source's address has a name, the name leads back to it, and both are the HELO name. Promise: a name that cannot be
// looked up is not said to be missing.
import type { NameLookups, Resolver } from '@mxproof/engine';
import { readIp } from '../../rules/cidr.ts';
import type { CheckResult } from './doctor-check.ts';
import { isGenericName } from './generic-name.ts';
import { isSameAddress, pointerName } from './ip-names.ts';
import { shownText } from './shown-text.ts';
import { isNameOfOnesOwn } from './source-helo.ts';

/** More are not looked up. */
const NAMES_MAX = 10;

type Names = Resolver & NameLookups;
type Forward = 'leads_back' | 'elsewhere' | 'missing' | 'failed';

export async function judgePtr(resolver: Names, address: string, helo: string): Promise<CheckResult> {
  const ip = readIp(address)!;
  const isLiteral = helo.startsWith('[');
  const isOwn = isNameOfOnesOwn(helo);
  const wish = isOwn ? helo : 'that name';
  // The name of another would make the address a forger's, whatever its PTR record says.
  const first = isOwn
    ? 'Ask'
    : 'Set MXPROOF_HELO_NAME, or the name behind = in MXPROOF_SOURCE_ADDRESSES, to a name in a domain of yours, such as mx1.example.com. Then ask';
  const request = `the company that gave you ${address} (your hosting company, often in its control panel under "reverse DNS") to set its PTR record to ${wish}`;
  const answer = await resolver.ptr(pointerName(ip));
  if (answer.kind === 'nxdomain' || answer.kind === 'nodata')
    return {
      status: 'failure',
      detail: `${address} has no PTR record: Google, Microsoft and others refuse such addresses.`,
      advice: `${first} ${request}, and give ${wish} an ${ip.width === 32 ? 'A' : 'AAAA'} record with ${address}.`,
    };
  if (answer.kind !== 'records') return cannotTell(`the PTR record of ${address}`, answer.kind);
  const names = answer.records.slice(0, NAMES_MAX);
  const name = names.find((one) => one === helo.toLowerCase()) ?? names[0]!;
  const shown = shownText(name) || '.';
  const forward = await leadsBack(resolver, name, address);
  if (forward === 'failed') return cannotTell(`the address of ${shown}`, 'no answer');
  if (forward !== 'leads_back')
    return {
      status: 'failure',
      detail:
        forward === 'missing'
          ? `The PTR record of ${address} names ${shown}, which has no address.`
          : `The PTR record of ${address} names ${shown}, whose addresses are others.`,
      advice: isOwn
        ? `Give ${shown} an ${ip.width === 32 ? 'A' : 'AAAA'} record with ${address}, or ask ${request}.`
        : `${first} ${request}.`,
    };
  if (names.length > 1)
    return {
      status: 'warning',
      detail: `${address} has ${answer.records.length} PTR records: servers look at one of them, whichever comes first.`,
      advice: `${first} ${request}, and to nothing else.`,
    };
  if (isGenericName(name, ip))
    return {
      status: 'warning',
      detail: `${address} is named ${shown}, as a provider names its customers' machines; some servers refuse such names.`,
      advice: `${first} ${request}.`,
    };
  if (name !== helo.toLowerCase())
    return await otherName(resolver, { address, shown, helo, request, isLiteral, isOwn });
  return {
    status: 'ok',
    detail: `${address} is named ${shown}, the HELO name, which leads back to it.`,
    advice: null,
  };
}

interface OtherName {
  readonly address: string;
  readonly shown: string;
  readonly helo: string;
  readonly request: string;
  readonly isLiteral: boolean;
  readonly isOwn: boolean;
}

async function otherName(
  resolver: Names,
  { address, shown, helo, request, isLiteral, isOwn }: OtherName,
): Promise<CheckResult> {
  const own = isLiteral ? 'missing' : await leadsBack(resolver, helo, address);
  const and = own === 'leads_back' ? 'which leads to the address too' : 'which does not lead to the address';
  return {
    status: 'warning',
    detail: `${address} is named ${shown}; the HELO name is ${helo}, ${and}.`,
    advice: `Set the HELO name to ${shown}${isOwn ? `, or ask ${request}` : ''}.`,
  };
}

async function leadsBack(resolver: Names, name: string, address: string): Promise<Forward> {
  const answer = await (address.includes(':') ? resolver.aaaa(name) : resolver.a(name));
  if (answer.kind === 'nxdomain' || answer.kind === 'nodata') return 'missing';
  if (answer.kind !== 'records') return 'failed';
  return answer.records.some((one) => isSameAddress(one, address)) ? 'leads_back' : 'elsewhere';
}

function cannotTell(what: string, why: string): CheckResult {
  return {
    status: 'warning',
    detail: `DNS did not tell ${what} (${why}).`,
    advice: 'Run mxproof doctor again; if it stays so, look at dns.servers, and ask who runs that zone.',
  };
}
