// The mailbox does not exist, in English: the one topic that leads to a verdict, so every row names a mailbox, a user,
// an account or an address, and "rejected" alone is never enough.
import type { ReplyRow } from '../reply-row.ts';
import { MAILBOX_WORDINGS } from './mailbox-wordings.ts';
import { anyOf } from './wording.ts';

export const MAILBOX_ROWS: readonly ReplyRow[] = [
  {
    match:
      /(?:user|usr|recipient|receiver|rcpt|mail ?box|account|addressee|e-?mail address|alias|local ?part|destination|login|person|member|user ?id)s?:? (?:MAIL |NAME |name |id |is |was |were |account |addresse?s? |mailbox |not ){0,3}?(?:unknown|unkown|unknow|not known|unrecogni[sz]ed)\b/,
    means: 'no_mailbox',
    seen: '550 5.1.1 <info@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
  },
  {
    match:
      /\b(?:unknown|unkown|unrecogni[sz]ed|no such|nonexistent|non-existent|non-existant|not existing|bad|illegal)(?: or (?:illegal|invalid|inactive|unavailable|disabled))? (?:local |e-?mail |virtual |destination |forward |smtp |unix |target ){0,8}(?:user|usr|recipient|receiver|rcpt|mail ?box|mail ?drop|account|addressee|address|alias|local[- ]?part|person|member|customer|subscriber|login|id\b)/,
    means: 'no_mailbox',
    seen: '553 5.3.0 <info@example.com>... No such user here',
  },
  {
    match:
      /(?:user|recipient|receiver|mail ?box|account|addressee|address|alias|person|destination|e-?mail name|MAIL|NAME)(?: MAIL| NAME| name| here| (?:that |which )?you (?:are |were |have )?(?:tr(?:ied|ying) to |attempt(?:ed|ing) to |want(?:ed)? to |wish(?:ed)? to )?(?:reach|contact|look(?:ing)? for|send(?:ing)? to|sent to|writ(?:e|ing) to|wrote to|e?-?mail(?:ed|ing)?|specified|entered)| (?:id|account|address|mailbox)|:|,|\(){0,8} (?:does not?|does no longer|doesn't|doesnt|does'nt|dosn't|do not|don't|did not|didn't|no longer|is not|not|cannot|could not be|couldn't be|can't be|was not|wasn't|isn't)(?: be| be a| currently| actually| seem to| appear to)? ?(?:exists?|existing|found|located|recogni[sz]ed|known|resolved|in use|registered)\b|\bnot an? (?:user|customer|subscriber|member|mail ?box|recipient|receiver|account) (?:of|on|at|in|here)\b|\be-?mail(?: id)? (?:does not|doesn't|did not|not|was not|could not be|no longer) (?:exists?|found|known)\b/,
    means: 'no_mailbox',
    seen: '550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient’s email address',
  },
  {
    match:
      /\b(?:invalid|incorrect|wrong|undeliverable|unrouteable|unroutable|unavailable|misspelled)(?: or (?:unknown|unavailable))? (?:final |e-?mail |local |destination |mail |domain )?(?:recipients?|rcpt|mail ?box|user(?:name)?|account|address|addressee|local ?part|alias|destination(?! (?:domain|host|system|server|port|network|ip)))(?! list)/,
    means: 'no_mailbox',
    seen: '550 Unrouteable address',
  },
  {
    match:
      /(?:recipient|mail ?box|user(?:name)?|account|addressee|destination address|delivery address|(?:the|this|e-?mail) address|rcpt)s?(?: address| name| MAIL| NAME|:){0,8} (?:is |was |were |appears |seems )?(?:to be |marked as )?(?:invalid|incorrect|wrong|not valid|not recogni[sz]ed|not a valid|undeliverable|unroutable|nonexistent|non-existent|missing)\b/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Destination address invalid',
  },
  {
    match:
      /not (?:an? )?(?:valid|known|registered|existing|legal|active|recogni[sz]ed)(?: or \w{1,20})? (?:local |e-?mail |smtp |destination )?(?:user|recipient|receiver|mail ?box|account|address|alias|customer|subscriber|member)/,
    means: 'no_mailbox',
    seen: '554 delivery error: dd Not a valid recipient - mta1234.mail.example.com',
  },
  {
    match:
      /\b(?:nobody|no ?-?one)(?: here| known)? (?:by|with|of|under|called|named|matching) (?:that|this|the|such)\b|no (?:user )?(?:record|entry|listing) (?:of|for) (?:that |this |the |any |such |a ){0,2}(?:user|recipient|receiver|mail ?box|account|address|person|MAIL|NAME)|no user record|(?:do|does|did)(?: not|n't) (?:have|know|recogni[sz]e)(?: of)?(?: an?| any| the| that| this)?(?: such)? (?:user|recipient|receiver|mail ?box|account|addressee|e-?mail address|alias|person|anybody|anyone)\b|\bno (?:valid |local |active )?(?:mail ?box|user|recipient|receiver|account|person|one|addressee)(?: (?:here|found|exists?|defined|configured|matching|known|available))?(?: (?:here|found))? (?:by|with|for|called|of|under|named|at|on|matching|exists?|found)\b/,
    means: 'no_mailbox',
    seen: '550 sorry, no mailbox here by that name (#5.1.1)',
  },
  {
    match:
      /(?:mail ?box|user|recipient|receiver|account|rcpt)(?: MAIL| NAME|:){0,8} (?:is |was |currently )?(?:not available|unava\w{1,20}ble|not found|not present|not here|not local|not listed|not in|not on (?:this|our|my)|not ok|not accepted|no longer|name not allowed)\b/,
    means: 'no_mailbox',
    seen: '550 Requested action not taken: mailbox unavailable',
  },
  {
    match: anyOf(MAILBOX_WORDINGS),
    means: 'no_mailbox',
    seen: '554 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
  },
  {
    match:
      /(?:doesn't|does not) have (?:an?|any) (?:\S{1,40} ){0,3}?(?:account|mailbox)|never logged (?:on|in)|not our (?:\S{1,40} ){0,2}(?:customer|client|subscriber)|ha(?:s|ve) no mail(?: ?box)?[.!]?$|(?:has |have )?no (?:e-?mail )?(?:account|mailbox) (?:here|on|at|with)/,
    means: 'no_mailbox',
    seen: "554 delivery error: dd This user doesn't have a example.com account (info@example.com) [0] - mta1.example.com",
  },
  {
    match:
      /recipient address(?:es)? rejected ?: access denied|recipient address rejected:? ?(?:HOST|MAIL)?\.?$|^MAIL:? recipient (?:address )?rejected\.?$/,
    means: 'no_mailbox',
    clarity: 'vague',
    seen: '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [VI1EUR05FT012.eop-eur05.prod.example.com]',
  },
  {
    match:
      /^(?:MAIL |NAME )?(?:# ?|: ?|- ?)?(?:recipient |destination )?address (?:is )?(?:rejected(?: MAIL)?\.?$|unknown\b|not found\b|invalid\b)|^(?:MAIL|NAME):? (?:address )?(?:unknown|not found|invalid|no such)\b/,
    means: 'no_mailbox',
    seen: '550 #5.1.0 Address rejected.',
  },
  {
    match:
      /(?:address|e-?mail) (?:has|have) (?:been )?changed|(?:has|have) (?:moved|changed (?:his|her|its|their) (?:e-?mail )?address)|user not local|please (?:try|use) (?:MAIL|NAME|the (?:new|forward))|new address|changed address|(?<!misconfigured |invalid |bad )forwarding address|replaced by (?:MAIL|NAME)/,
    means: 'no_mailbox',
    detail: 'mailbox_moved',
    seen: '550 5.1.6 info@example.com has been replaced by new@example.net',
  },
  {
    match:
      /(?:has|have) left|no longer (?:on (?:this )?server|with (?:us|the company)|employed|works|at this)/,
    means: 'no_mailbox',
    detail: 'mailbox_disabled',
    seen: '550 5.1.1 This person is no longer with the company',
    composed: true,
  },
  {
    match:
      /unknown recipient or mailbox unavailable|returned (?:invalid|unknown|missing)[^.]{0,20}recipient|e-?mail address (?:could|can)(?: not|n't) be found|couldn't be found|all recipients? (?:are |were )?(?:invalid|unknown|rejected)|recipient (?:failed|does not match(?! (?:the )?(?:to|cc|from|message|envelope)\b))|rejected recipients?\b|(?:verify (?:the )?recipient|callout verification failed)(?![^\n]{0,60}(?:time[ds]? ?-?out|connect|server|\bhost\b|\bdns\b|ldap|refused|unavailable|lookup|error))/,
    means: 'no_mailbox',
    seen: '550 5.1.350 Remote server returned invalid or missing recipient',
  },
  {
    // OpenSMTPD, for a local part that a virtual domain's table does not have.
    match: /^mailing list expansion problem: ?(?:MAIL|$)/,
    means: 'no_mailbox',
    seen: '524 5.2.4 Mailing list expansion problem: <info@example.com>',
  },
];
