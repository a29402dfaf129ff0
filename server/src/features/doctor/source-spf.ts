// Whether the sender of a source is covered by SPF, and can be answered. Promise: what DNS did not tell is not called missing.
import type { NameLookups, Resolver } from '@mxproof/engine';
import { readIp } from '../../rules/cidr.ts';
import type { CheckResult } from './doctor-check.ts';
import { shownText } from './shown-text.ts';
import type { DoctorSource } from './sources.ts';
import { checkSpf, type SpfResult } from './spf-check.ts';

type Names = Resolver & NameLookups;

export async function judgeSpf(resolver: Names, source: DoctorSource, address: string): Promise<CheckResult> {
  const { mailFrom, helo } = source;
  const ip = readIp(address)!;
  if (mailFrom === '') {
    if (helo.startsWith('['))
      return {
        status: 'skipped',
        detail: `The sender is <> and the HELO name an address: there is no name that SPF could be about.`,
        advice: null,
      };
    const found = await checkSpf(resolver, { ip, domain: helo, sender: `postmaster@${helo}`, helo });
    return ofHelo(found, helo, address);
  }
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase();
  const [found, unanswerable] = await Promise.all([
    checkSpf(resolver, { ip, domain, sender: mailFrom, helo }),
    takesNoMail(resolver, domain),
  ]);
  return unanswerable ?? ofSender(found, domain, address);
}

function termFor(address: string): string {
  return `ip${address.includes(':') ? 6 : 4}:${address}`;
}

function ofSender(found: SpfResult, domain: string, address: string): CheckResult {
  const why = found.why === null ? '' : ` (${shownText(found.why)})`;
  const add = `Add ${termFor(address)} to the SPF record of ${domain}, before its last term.`;
  switch (found.result) {
    case 'pass':
      return {
        status: 'ok',
        detail: `SPF of ${domain} covers ${address}${why}, and ${domain} takes mail.`,
        advice: null,
      };
    case 'none':
      return {
        status: 'warning',
        detail: `${domain}, the domain of the sender, has no SPF record.`,
        advice: `Publish a TXT record at ${domain}: "v=spf1 ${termFor(address)} ~all", with the terms of your other senders in it.`,
      };
    case 'neutral':
      return {
        status: 'warning',
        detail: `SPF of ${domain} says nothing about ${address}${why}.`,
        advice: add,
      };
    case 'softfail':
      return {
        status: 'warning',
        detail: `SPF of ${domain} does not cover ${address}${why}: softfail.`,
        advice: add,
      };
    case 'fail':
      return { status: 'failure', detail: `SPF of ${domain} forbids ${address} to send${why}.`, advice: add };
    case 'permerror':
      return broken(domain, why);
    case 'temperror':
      return notTold(domain, why);
    default:
      return found.result satisfies never;
  }
}

/** The null sender: servers look at the HELO name instead (RFC 7208, 2.4). */
function ofHelo(found: SpfResult, helo: string, address: string): CheckResult {
  const why = found.why === null ? '' : ` (${shownText(found.why)})`;
  switch (found.result) {
    case 'pass':
      return { status: 'ok', detail: `SPF of the HELO name ${helo} covers ${address}${why}.`, advice: null };
    case 'none':
    case 'neutral':
      return {
        status: 'ok',
        detail: `The sender is <>, and SPF of the HELO name ${helo} says nothing about ${address}, which is allowed.`,
        advice: null,
      };
    case 'softfail':
    case 'fail':
      return {
        status: found.result === 'fail' ? 'failure' : 'warning',
        detail: `SPF of the HELO name ${helo} does not cover ${address}${why}.`,
        advice: `Publish a TXT record at ${helo}: "v=spf1 ${termFor(address)} -all".`,
      };
    case 'permerror':
      return broken(helo, why);
    case 'temperror':
      return notTold(helo, why);
    default:
      return found.result satisfies never;
  }
}

function broken(domain: string, why: string): CheckResult {
  return {
    status: 'failure',
    detail: `The SPF record of ${domain} is not valid${why}.`,
    advice: `Correct the TXT record of ${domain}: one record that begins with v=spf1, with at most 10 terms that need DNS.`,
  };
}

function notTold(domain: string, why: string): CheckResult {
  return {
    status: 'warning',
    detail: `SPF of ${domain} could not be looked up${why}.`,
    advice: `Run mxproof doctor again; if it stays so, look at dns.servers and at the name servers of ${domain}.`,
  };
}

/** Null: it does, or DNS did not tell. */
async function takesNoMail(resolver: Names, domain: string): Promise<CheckResult | null> {
  const fail = (what: string): CheckResult => ({
    status: 'failure',
    detail: `${domain}, the domain of the sender, takes no mail: ${what}. Servers refuse senders that cannot be answered.`,
    advice: `Give ${domain} an MX record of a server that takes mail for it, or choose another MXPROOF_MAIL_FROM.`,
  });
  const mx = await resolver.mx(domain);
  if (mx.kind === 'nxdomain') return fail('it does not exist');
  if (mx.kind === 'records')
    return mx.records.every(({ exchange }) => exchange === '') ? fail('it has a null MX record') : null;
  if (mx.kind !== 'nodata') return null;
  const addresses = await Promise.all([resolver.a(domain), resolver.aaaa(domain)]);
  const isWithout = addresses.every(({ kind }) => kind === 'nodata' || kind === 'nxdomain');
  return isWithout ? fail('it has neither an MX record nor an address') : null;
}
