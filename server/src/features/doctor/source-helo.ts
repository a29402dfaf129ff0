// Whether a source's HELO name is a name of one's own. Pure: nothing is looked up.
import { isProviderName } from '@mxproof/engine';
import type { CheckResult } from './doctor-check.ts';
import { aboutSource, type DoctorSource } from './sources.ts';

const HOW_TO_SET = 'Set MXPROOF_HELO_NAME, or the name behind = in MXPROOF_SOURCE_ADDRESSES, to';
const OWN_NAME = `${HOW_TO_SET} a name in a domain of yours, such as mx1.example.com, that resolves to the address of this source.`;
/** Names that no other network knows: RFC 6761, 6762, 8375, and what is used like them. */
const LOCAL_ENDS = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'home.arpa',
];

export function judgeHelo(source: DoctorSource): CheckResult {
  return { ...judge(source.helo), ...aboutSource(source) };
}

/** Such a name can be asked for in a PTR record; any other must be changed first. */
export function isNameOfOnesOwn(helo: string): boolean {
  return judge(helo).status === 'ok';
}

function judge(helo: string): CheckResult {
  const name = helo.toLowerCase().replace(/\.$/, '');
  const isBelow = (end: string) => name === end || name.endsWith(`.${end}`);
  const fail = (detail: string): CheckResult => ({ status: 'failure', detail, advice: OWN_NAME });
  if (name.startsWith('[')) return fail(`The HELO name ${helo} is an address, which many servers refuse.`);
  const local = LOCAL_ENDS.find(isBelow);
  if (local !== undefined) return fail(`The HELO name ${helo} is known in no other network (${local}).`);
  if (!name.includes('.')) return fail(`The HELO name ${helo} has no domain.`);
  if (isProviderName(name))
    return fail(`The HELO name ${helo} is in the domain of a mail provider: servers take it for a forgery.`);
  return { status: 'ok', detail: `The HELO name ${helo} is a name of one's own.`, advice: null };
}
