// Names that a provider gives to all of its customers' addresses by rule. Pure.
import type { Ip } from '../../rules/cidr.ts';
import { addressLabels } from './ip-names.ts';

/** As words of a label: `static-203-0-113-7`, `ec2-…`, `cpe12`. */
const GENERIC_WORD =
  /(?:^|[.-])(?:(?:adsl|broadband|cpe|cust|customers?|dhcp|dial|dialup|dsl|dyn|dynamic|ec2|ftth|pool|pppo?e?|static|unassigned)\d*|vps-?[0-9a-f]{4,})(?:[.-]|$)/;
const V6_BITS = 128;
/** So many octets of the address in the name are no chance. */
const OCTETS_MIN = 3;

/** `name` in lower case. */
export function isGenericName(name: string, ip: Ip): boolean {
  // Its last two labels are the provider's domain, whatever that is called.
  const own = name.split('.').slice(0, -2).join('.');
  return GENERIC_WORD.test(own) || holdsAddress(own, ip);
}

function holdsAddress(name: string, ip: Ip): boolean {
  const labels = addressLabels(ip);
  // The half that is the machine's own, without the zeros that are left out.
  if (ip.width === V6_BITS)
    return name.replace(/[^0-9a-f]/g, '').includes(
      labels
        .slice(16)
        .join('')
        .replace(/^0{1,8}/, ''),
    );
  const hex = labels.map((octet) => Number(octet).toString(16).padStart(2, '0')).join('');
  if (name.includes(hex)) return true;
  const numbers: string[] = name.match(/\d+/g)?.map((number) => number.replace(/^0+(?=\d)/, '')) ?? [];
  return holdsRun(numbers, labels) || holdsRun(numbers, [...labels].reverse());
}

/** Three octets in their order. */
function holdsRun(numbers: readonly string[], octets: readonly string[]): boolean {
  const text = `.${numbers.join('.')}.`;
  return [0, 1].some((from) => text.includes(`.${octets.slice(from, from + OCTETS_MIN).join('.')}.`));
}
