// The link in a refusal that says how to be taken off a list. Pure. Promise: only a page of a known operator of a list or of a
// known provider, over HTTP; whatever else a server writes is no link.

/**
 * Names at or below which such pages are. Operators of lists, then providers, whose own mail servers name them. A name
 * under which anyone can publish is not among them.
 */
const KNOWN: readonly string[] = [
  'spamhaus.org',
  'spamhaus.com',
  'abuseat.org',
  'barracudacentral.org',
  'spamcop.net',
  'uceprotect.net',
  'backscatterer.org',
  'abusix.com',
  'abusix.org',
  'mailspike.org',
  'mailspike.net',
  'invaluement.com',
  'spamrats.com',
  'dronebl.org',
  'psbl.org',
  'gbudb.com',
  'nixspam.net',
  'manitu.net',
  'senderscore.org',
  'senderscore.net',
  'validity.com',
  'senderbase.org',
  'talosintelligence.com',
  'cloudmark.com',
  'proofpoint.com',
  'mimecast.com',
  'trendmicro.com',
  'messagelabs.com',
  'symantec.com',
  'broadcom.com',
  'fortiguard.com',
  'sophos.com',
  'trustwave.com',
  'vadesecure.com',
  'hornetsecurity.com',
  'antispameurope.com',
  'sender.office.com',
  'sendersupport.olc.protection.outlook.com',
  'postmaster.live.com',
  'mail.live.com',
  'support.microsoft.com',
  'learn.microsoft.com',
  'aka.ms',
  'support.google.com',
  'postmaster.google.com',
  'senders.yahooinc.com',
  'postmaster.yahooinc.com',
  'help.yahoo.com',
  'postmaster.aol.com',
  'support.apple.com',
  'postmaster.gmx.net',
  'postmaster.gmx.com',
  'postmaster.web.de',
  'postmaster.1und1.de',
  'postmaster.mail.com',
  'postmaster.t-online.de',
  'postmaster.comcast.net',
  'postmaster.att.net',
  'postmaster.cox.net',
  'postmaster.mail.ru',
  'help.mail.ru',
  'yandex.com',
  'yandex.ru',
  'service.mail.qq.com',
  'postmaster.orange.fr',
  'postmaster.free.fr',
  'postmaster.laposte.net',
  'postmaster.libero.it',
  'help.zoho.com',
  'proton.me',
];

const LINK = /\bhttps?:\/\/[^\s<>"'`()[\]{}|\\^]{1,300}/gi;
/** Block lists often write the name alone: "see www.spamhaus.org/query/ip/192.0.2.1". */
const BARE = /(?<![\w./@:-])www\.[^\s<>"'`()[\]{}|\\^]{1,300}/gi;
const TRAILING = /[.,;:!?]+$/;

export function delistingLink(reply: string): string | null {
  for (const [found] of reply.matchAll(LINK)) {
    const link = knownLink(found);
    if (link !== null) return link;
  }
  for (const [found] of reply.matchAll(BARE)) {
    const link = knownLink(`https://${found}`);
    if (link !== null) return link;
  }
  return null;
}

function knownLink(text: string): string | null {
  const url = URL.parse(text.replace(TRAILING, ''));
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  // `https://www.spamhaus.org@evil.example/` leads elsewhere, and no such page has a port of its own.
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  return KNOWN.some((name) => url.hostname === name || url.hostname.endsWith(`.${name}`)) ? url.href : null;
}
