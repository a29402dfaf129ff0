// About us: block lists, reputation, reverse DNS, HELO, authentication of our domain, encryption we owe.
import type { ReplyRow } from '../reply-row.ts';

export const BLOCK_ROWS: readonly ReplyRow[] = [
  {
    match:
      /(?:^|[\s./])(?:spamhaus|spamcop|barracudacentral|abuseat|sorbs|uceprotect|abusix|mailspike|invaluement|spamrats|dnswl|dronebl|psbl|surriel|njabl|manitu|nixspam|backscatterer|gbudb|truncate|s5h|wpbl|rfc-clueless|senderbase|senderscore|talosintelligence|cloudmark|ipcheck\.proofpoint)\b/,
    in: 'links',
    means: 'blocked',
    seen: '553 http://www.spamhaus.org/query/bl?ip=203.0.113.9',
  },
  {
    match:
      /dnsbl|\brbl\b|blacklist|blocklist|block-list|black-list|delist|sender\.office|sendersupport|\/bl\?|troubleshooting\.aspx#errors/,
    in: 'links',
    means: 'blocked',
    seen: '554 Blocked - see https://support.example.com/dnsbl-lookup.cgi?ip=203.0.113.9',
  },
  {
    match:
      /\b(?:dns)?rbls?\b|\bdnsbl|black-? ?list|block-? ?list|deny-? ?list|blocked using|blocked by (?:HOST|rule|our)|spamhaus|spamcop|senderbase|(?<!not )\blisted (?:in|by|at|on|as)\b/,
    means: 'blocked',
    seen: '554 5.7.1 Service unavailable; Client host [203.0.113.9] blocked using zen.example.net',
  },
  {
    match:
      /banned (?:sending )?(?:ip|host|sender|domain)|(?:ip|host|client|server|network|sender|(?<!recipient |destination |rcpt )domain|subnet)(?: address)?(?: IP| HOST| MAIL)?,? (?:is |are |has been |have been |was |were )?(?:currently |temporarily |permanently |being )?(?:blocked|banned|denied|refused|blacklisted|barred|not (?:allowed|accepted|authorized|permitted|welcome))/,
    means: 'blocked',
    seen: '550 5.7.606 Access denied, banned sending IP [203.0.113.9]. To request removal from this list please visit https://sender.example.com/',
  },
  {
    match:
      /client host rejected|client (?:ip )?address|helo command rejected|helo (?:name |host |command |string )?(?:is |was )?(?:rejected|invalid|denied|refused|not)|(?:invalid|bad|forged|bogus|fake|wrong) (?:helo|ehlo)|\b(?:helo|ehlo)\b[^.]{0,30}(?:reject|invalid|resolv|fully|fqdn)|need fully-qualified hostname|\b(?:helo|ehlo)\b(?! ?=)[^.,;]{0,30}(?:requir|unknown|not found|no such|(?:does not|doesn't) (?:exist|match)\b)|(?:requir\w{0,3}|unknown|not found|no such|no \S{1,8} record|not a valid)\b[^.,;]{0,30}\b(?:helo|ehlo)\b(?! ?=)|\bheloip\b/,
    means: 'blocked',
    kind: 'policy',
    seen: '554 5.7.1 <mail.example.org[203.0.113.9]>: Client host rejected: Access denied',
  },
  {
    match:
      /\bptr\b|\br-?dns\b|reverse[- ](?:dns|host ?name|lookup|record|resolution|mapping)|(?:cannot|can't|could not|unable to) (?:find|resolve) your (?:reverse )?(?:host|ip)|ip name (?:lookup|possibly)|fcrdns|forward dns/,
    means: 'blocked',
    kind: 'ptr',
    seen: '550-5.7.25 [203.0.113.9] The IP address sending this message does not have a 550 5.7.25 PTR record setup',
  },
  {
    // A relay's memory of an earlier bounce: no word of the mailbox's own host.
    match: /previously bounced|bounced address|suppress(?:ion|ed)/,
    means: 'blocked',
    detail: 'unclear',
    seen: '550 5.2.1 Not sending to previously bounced email',
  },
  {
    match: /reputation|poor (?:sender|ip)|unverif[iy]e?able sending/,
    means: 'blocked',
    seen: "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
  },
  {
    match:
      /\bspf\b|sender policy framework|\bdkim\b|\bdmarc\b|\barc\b fail|authentication checks? fail|unauthenticated (?:e-?mail|mail|message|sender)|authentication information/,
    means: 'blocked',
    kind: 'policy',
    seen: '550 5.7.1 Email rejected per DMARC policy for example.org',
  },
  {
    match:
      /open (?:mail )?(?:relay(?! (?:is )?not allowed)|proxy)|dynamic (?:ip|address)|dial-?up|residential|smtp server of your (?:isp|provider)|(?<!contact |ask |tell |check |notify |inform )your (?:mail ?server|mta|ip|host|network|sending)\b(?! administrator| admin\b| settings|(?: address)?(?: IP)? (?:has been|was|is being) (?:logged|recorded|noted))/,
    means: 'blocked',
    kind: 'policy',
    seen: '550 5.7.0 <info@example.com>... Please use the smtp server of your ISP.',
  },
  {
    match:
      /(?:messages?|mails?|e-?mails?|connections?|access|traffic) (?:sent )?from (?:your |the |this )?(?:ip|host|server|IP|HOST)\b|(?:ip|mail server) IP\b/,
    means: 'blocked',
    seen: "550 SC-002 Unfortunately, messages from 203.0.113.9 weren't sent.",
  },
  {
    match:
      /polic(?:y|ies) (?:restriction|reason|violation)s?\b|connections? (?:is |was |are |has been )?(?:not accepted|refused|rejected|denied|dropped)|(?:reject|refus|deny|block)\w{0,12} (?:your |the )?connection/,
    means: 'blocked',
    kind: 'policy',
    seen: '501 Connection rejected by policy [7.7] 18501, please visit www.example.com/troubleshooting',
  },
  {
    // A limit of the service that refuses, not of the mailbox.
    match: /\b(?:service|server) (?:is )?over (?:the |its |our |your )?(?:limits?|quota)\b/,
    means: 'blocked',
    deferred: 'rate_limited',
    kind: 'policy',
    seen: '550 5.7.1 Service over limit, message blocked',
  },
  {
    match:
      /(?:block|reject|refus|den(?:y|ied))\w{0,12} (?:for|due to|because of) (?:\S{1,20} )?(?:spam|abus|polic|your\b)|blocked (?:for|due|because)|block for spam|spam(?:ming)? (?:source|issues|activity|abuse)|for spamming|abuse (?:detected|complaint)|user complaints/,
    means: 'blocked',
    seen: '554 resimta-ch2-05v.sys.example.net example 203.0.113.9 Example block for spam. Please see http://postmaster.example.net/smtp-error-codes.php#BL000010',
  },
  {
    match:
      /access (?:is )?denied,? (?:to |for |from )?(?:banned(?! recipient)|bad|spam|traffic|sending|your|ip|IP|HOST|helo)|ip ?= ?IP|IP (?:is )?(?:blocked|denied|rejected|not allowed)|\bip (?:is |was |has been )rejected/,
    means: 'blocked',
    seen: '554 IP=203.0.113.9 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.example.de to clarify.) (BL)',
  },
  {
    match:
      /(?:external|unknown|unauthenticated|anonymous) senders|internal (?:users|senders)|outside (?:of )?(?:the|this|your|its) (?:organi[sz]ation|company)|your country|(?:recipient|user|addressee|mailbox owner) (?:has |have )?(?:blocked|chosen|elected|does not accept (?:mail|messages) from|doesn't accept (?:mail|messages) from|only accepts|is not accepting (?:mail|messages) from)|blacklisted by recipient|(?:recipient|user)(?:'s)? preferences?|user rules|(?:user|recipient) (?:refuses|rejects?)\b|only accepting mail from/,
    means: 'blocked',
    // The recipient's own choice.
    detail: 'unclear',
    seen: '550 5.7.1 The recipient has chosen to not accept mail from this address',
  },
  {
    match:
      /adresse ip|\bip[- ]adres|direccion ip|indirizzo ip|endereco ip|ip[- ]адрес|ваш(?:его)? (?:ip|адрес|сервер)/,
    means: 'blocked',
    seen: '550 5.7.1 Ваш IP-адрес 203.0.113.9 заблокирован',
    composed: true,
  },
];

export const TLS_ROWS: readonly ReplyRow[] = [
  {
    match:
      /(?<!\bafter )starttls|\b(?:tls|ssl|encrypt\w{0,12})\b[^.]{0,40}(?:requir|must|need|mandatory)|(?:requir|must|need)\w{0,12}[^.]{0,40}\b(?:tls|ssl|encrypt)/,
    means: 'tls_required',
    seen: '530 5.7.0 Must issue a STARTTLS command first',
  },
];
