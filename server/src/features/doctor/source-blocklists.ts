// Whether block lists name a source (RFC 5782). Promise: only an answer in 127.0.0.0/8 of a list that shows its test entry, and
// not everything, is a listing; all else is said to be unknown.
import type { DnsAnswer, NameLookups, Resolver } from '@mxproof/engine';
import { type Ip, readIp } from '../../rules/cidr.ts';
import type { CheckResult } from './doctor-check.ts';
import { reversedAddress } from './ip-names.ts';
import { shownText } from './shown-text.ts';

type Names = Resolver & NameLookups;

/** `listed`: its answers; `unknown`: why it cannot be told. */
type ListAnswer =
  | { readonly kind: 'not_listed' }
  | { readonly kind: 'listed'; readonly codes: readonly string[] }
  | { readonly kind: 'unknown'; readonly why: string };

const V4_BITS = 32;
const LISTED = /^127\./;
/** Spamhaus and others: no answer to such questions, or to so many of them. */
const ERROR_CODE = /^127\.255\.255\./;
const CODES_SHOWN = 5;
/** Of 127.0.0.2, which every list has, and 127.0.0.1, which none may have; as an IPv6 list writes them. */
const MAPPED = 0xffffn << 32n;
const LOOPBACK = 0x7f000000n;

/** Results for one address: one for all lists that do not have it, and one for each other list. */
export async function judgeBlockLists(
  resolver: Names,
  zones: readonly string[],
  address: string,
): Promise<readonly CheckResult[]> {
  const ip = readIp(address)!;
  const clean: string[] = [];
  const others = await Promise.all(
    zones.map(async (zone) => {
      const result = await judge(resolver, zone, ip, address);
      if (result === null) clean.push(zone);
      return result;
    }),
  );
  const results = others.filter((result) => result !== null);
  if (clean.length > 0)
    results.unshift({
      status: 'ok',
      detail: `${address} is not listed in ${zones.filter((zone) => clean.includes(zone)).join(', ')}.`,
      advice: null,
    });
  return results;
}

/** Null: not listed. */
async function judge(resolver: Names, zone: string, ip: Ip, address: string): Promise<CheckResult | null> {
  const doubt = await doubtAbout(resolver, zone, ip);
  const answer = doubt === null ? await ask(resolver, zone, ip) : ({ kind: 'unknown', why: doubt } as const);
  if (answer.kind === 'not_listed') return null;
  if (answer.kind === 'unknown')
    return {
      status: 'warning',
      detail: `${zone} does not tell whether ${address} is listed: ${answer.why}.`,
      advice:
        'Ask it through a DNS server of your own instead of a public one, look at the terms of the list, and take lists that ' +
        'no longer exist out of MXPROOF_BLOCKLISTS.',
    };
  const reason = await resolver.txt(`${reversedAddress(ip)}.${zone}`);
  const said =
    reason.kind === 'records' && reason.records.length > 0 ? `: "${shownText(reason.records[0]!)}"` : '';
  return {
    status: 'failure',
    detail: `${address} is listed in ${zone} (${answer.codes.slice(0, CODES_SHOWN).join(', ')})${said}.`,
    advice:
      'End what caused the listing first, then ask the operator of the list for removal; the reason often has the link.',
  };
}

/** Why the list says nothing; null: its test entries are as they must be. */
async function doubtAbout(resolver: Names, zone: string, { width }: Ip): Promise<string | null> {
  const entry = (last: bigint): Ip => ({ width, value: (width === V4_BITS ? 0n : MAPPED) | LOOPBACK | last });
  const [test, everyone] = await Promise.all([
    ask(resolver, zone, entry(2n)),
    ask(resolver, zone, entry(1n)),
  ]);
  if (test.kind === 'unknown') return test.why;
  if (test.kind === 'not_listed')
    return 'its test entry is not listed, so that it may be no block list any more';
  return everyone.kind === 'listed' ? 'it lists every address, as lists do that were given up' : null;
}

async function ask(resolver: Names, zone: string, ip: Ip): Promise<ListAnswer> {
  return read(await resolver.a(`${reversedAddress(ip)}.${zone}`));
}

function read(answer: DnsAnswer<string>): ListAnswer {
  if (answer.kind === 'nxdomain' || answer.kind === 'nodata') return { kind: 'not_listed' };
  if (answer.kind !== 'records') return { kind: 'unknown', why: `DNS did not answer (${answer.kind})` };
  const foreign = answer.records.find((code) => !LISTED.test(code));
  if (foreign !== undefined)
    return {
      kind: 'unknown',
      why: `the answer ${foreign} is not a block list's, so that the DNS server rewrites answers`,
    };
  const error = answer.records.find((code) => ERROR_CODE.test(code));
  if (error !== undefined)
    return {
      kind: 'unknown',
      why: `it answers ${error}, which means too many queries or a public DNS server`,
    };
  return { kind: 'listed', codes: answer.records };
}
