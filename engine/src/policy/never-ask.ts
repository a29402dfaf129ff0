// Names that are never asked, as data: organizations whose business is spam traps, block lists and abuse desks. Asking
// them teaches a verifier nothing that its user may act on (a trap accepts mail by design) and costs the source its
// reputation. A name stands for itself and everything below it, as a domain and as an MX host: trap domains are many,
// and nearly all point at their operator's own hosts. The operator's policy file adds to these.

interface NeverAskedOperator {
  readonly who: string;
  readonly names: readonly string[];
}

const NEVER_ASKED: readonly NeverAskedOperator[] = [
  { who: 'The Spamhaus Project', names: ['spamhaus.org', 'spamhaus.net', 'spamhaus.com'] },
  { who: 'SpamCop', names: ['spamcop.net'] },
  { who: 'Project Honey Pot', names: ['projecthoneypot.org', 'honeypot.org'] },
  { who: 'Abusix', names: ['abusix.com', 'abusix.org', 'abusix.zone', 'spamfeed.me'] },
  { who: 'UCEPROTECT and Backscatterer', names: ['uceprotect.net', 'uceprotect.org', 'backscatterer.org'] },
  { who: 'SURBL', names: ['surbl.org'] },
  { who: 'URIBL', names: ['uribl.com'] },
  { who: 'Barracuda Central', names: ['barracudacentral.org'] },
  { who: 'Mailspike', names: ['mailspike.org', 'mailspike.net', 'mailspike.com'] },
  { who: 'Invaluement', names: ['invaluement.com'] },
  { who: 'SpamRATS', names: ['spamrats.com'] },
  { who: 'PSBL', names: ['psbl.org', 'psbl.surriel.com'] },
  { who: 'Junk Email Filter (Hostkarma)', names: ['junkemailfilter.com'] },
  { who: 'blocklist.de', names: ['blocklist.de'] },
  { who: 'DroneBL', names: ['dronebl.org'] },
  { who: 'SORBS', names: ['sorbs.net'] },
  { who: 'abuse.ch', names: ['abuse.ch'] },
  { who: 'Network Abuse Clearinghouse', names: ['abuse.net'] },
];

export const NEVER_ASK: ReadonlySet<string> = new Set(NEVER_ASKED.flatMap(({ names }) => names));
