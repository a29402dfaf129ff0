// The host does not take mail for this domain at all, or only from its own users. Where it takes another recipient of
// the same domain, what is marked vague here is about the mailbox instead (check/comparison.ts).
import type { ReplyRow } from '../reply-row.ts';

export const RELAY_ROWS: readonly ReplyRow[] = [
  {
    // Microsoft 365, where the customer's subscription has lapsed: the same for every mailbox, and for weeks.
    match: /\bno (?:active |valid )?mail-? ?enabled (?:subscription|licen[cs]e)s?\b/,
    means: 'tenant_lapsed',
    seen: '451 4.4.4 Mail received as unauthenticated, incoming to a recipient domain configured in a hosted tenant which has no mail-enabled subscriptions. ATTR5 [DB5EUR01FT003.eop-EUR01.prod.protection.outlook.com]',
  },
  {
    // Mimecast, where the account is the customer's with all its domains, and not a mailbox.
    match: /\baccount inbounds? (?:is |are )?disabled\b/,
    means: 'tenant_lapsed',
    seen: '550 Account inbounds disabled. [abcDEF.uk12]',
  },
  {
    match:
      /relay(?:ing)? ?(?:access |to (?:MAIL|NAME|HOST) )?(?:is |was |has been )?(?:denied|not (?:permitted|allowed|authorized|possible)|prohibited|refused|rejected|forbidden|disallowed)|(?:unable|not (?:allowed|permitted|authorized)|cannot|can't|do(?:es)? not|don't|won't|will not|refuse) (?:to )?relay|relay(?:ing)? (?:attempt|mail)|as a relay|tenantattribution/,
    means: 'relay_denied',
    clarity: 'vague',
    seen: '554 5.7.1 <info@example.com>: Relay access denied',
  },
  {
    match:
      /null ?-?mx\b|domain (?:HOST )?does not accept (?:any )?(?:e-?)?mail|^(?:the |this |e-?mail |mail |recipient |destination ){0,8}domain\b[^.]{0,60}\b(?:unknown|not (?:known|reachable|found)|(?:does|may) not exist)|rcpthosts|not (?:a )?local (?:domain|host)|domain (?:is )?not (?:hosted|local|found|served|handled|configured|here|accepted|known|allowed|supported|valid)|unknown domain|invalid domain(?! (?:mail ?box|user|recipient|account|address))|non-?accepted domain|no such domain|(?<!\bor )domain (?:is |was |has been |have been )?(?:currently |temporarily )?(?:does not exist|doesn't exist|unknown|isn't|disabled|suspended|expired|deactivated|cancell?ed|on hold)/,
    means: 'relay_denied',
    clarity: 'vague',
    seen: "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
  },
  {
    match:
      /(?:cannot|can't|do not|don't|does not|doesn't|not) (?:deliver|accept|handle|process|take|receive|host)(?: any)? (?:e-?mails?|mails?|messages?) (?:for|to) (?:MAIL|HOST|NAME|(?:that |this |the |your )?(?:domain|host))/,
    means: 'relay_denied',
    clarity: 'vague',
    seen: '550 I cannot deliver mail for <info@example.com>',
  },
  {
    match:
      /\bno relay(?:ing)? (?:is )?(?:allowed|permitted|here)|\bdomain of (?:the )?forward[- ]path\b|\b(?:recipient|destination|rcpt) domain (?:is |was )?(?:not|denied|refused|rejected|blocked)\b/,
    means: 'relay_denied',
    clarity: 'vague',
    seen: '554 No relaying allowed - psmtp',
  },
  {
    // Gateways, of a domain that none of their customers has.
    match:
      /\b(?:no|not an?|not our) (?:such )?(?:customer|account|client|tenant|subscription) (?:for|of|with) (?:this|that|the|your) domain\b|\b(?:customer|account|client|tenant|subscription) (?:is |was )?not found for (?:this|that|the|your) domain\b|\bdomain has no (?:account|customer|subscription)\b|\bnot (?:a|our) customer domain\b/,
    means: 'relay_denied',
    seen: '550 There is no account for this domain',
    composed: true,
  },
  {
    match:
      /host unknown|unknown host|host not found|bad destination system|unrouteable (?:mail )?domain|no route to host|(?:valid |any )?mx\b(?: records?)? for (?:the |your |this )?(?:rcpt|recipient|destination)?(?:'s)? ?domain|must specify a domain|not a gateway|mail loop|routing loop|hop count|too many hops|loops? back/,
    means: 'relay_denied',
    seen: '550 5.1.2 <info@example.com>... Host unknown (Name server: .: host not found)',
  },
  {
    match:
      /authenticat(?:ion|e)[^.]{0,30}(?:required|needed|first|before|necessary|failed|fails)|(?:requires?|must|need|please)[^.]{0,30}\bauth(?:enticat\w{0,12})?\b|auth(?:entication)? required|authrequired|not authenticated|sendernotauthenticated|achieve (?:\S{1,20} ){0,2}authentication|pop before smtp|log ?in (?:first|before|to)/,
    means: 'relay_denied',
    seen: '530 5.7.0 Authentication required',
  },
  {
    // hMailServer, where the client's range of addresses may not deliver there; it says "Unknown user" of a mailbox.
    match: /delivery (?:is )?not allowed to (?:this|that|the) (?:address|mail ?box|recipient|user)/,
    means: 'relay_denied',
    seen: '550 Delivery is not allowed to this address.',
  },
];
