// The mailbox does not exist or is closed, in wordings not seen before: a word for the mailbox next to a denial. Read
// after every topic about us, the rate, quota, messages and the moment, and skipped if the reply still mentions
// something else.
import type { ReplyRow } from '../reply-row.ts';

/** One of these, and the denied thing may be ours, a host's or a message's. */
const ELSEWHERE =
  'ELSE|sender|senders|from|your?|ip|IP|client|host|hosts|polic(?:y|ies)|prohibit\\w{0,12}|rules?|relay\\w{0,12}|connect\\w{0,12}|messages?|spam|content|header|size|helo|ehlo|dns|mx|rate|limits?|quota|temporar\\w{0,12}|later|again|permission|permitted|(?:un)?authori[sz]\\w{1,20}|(?:un)?authenticat\\w{1,20}|password|login|group|list|lists|syntax|characters?|command|file|lookup|look|external|internal|outside|security|access|certificate|tls|network|gateway|loop\\w{0,12}';
const ALONE = `^(?!.*\\b(?:${ELSEWHERE})\\b)(?!.*(?<!\\b(?:on|in|at|for|of)(?: this| the| that)? |invalid )\\bdomains?\\b)`;
const MAILBOX =
  '(?:users?|(?:user|login) ?(?:name|id)|usr|recipients?|receivers?|rcpt|mail ?box(?:es)?|mail ?drop|accounts?|addressees?|(?:mail ?|e-?mail )?address(?:es)?|alias(?:es)?|local[- ]?part|subscriber|customer|member|person|employee|student|inbox|MAIL|NAME)';
const DENIED =
  "(?:(?:not|n't|never|cannot|no longer)(?: (?:be|been|currently|a|an|yet|in|able to|in my|ever)){0,3} (?:valid\\w{0,12}|used?|exist\\w{0,12}|find|found|known|available|active|activated|accepted(?=[.! ]{0,3}$)|recogni[sz]ed|registered|configured|defined|provisioned|present|here|local|served|assigned|listed|enabled|reachable|deliverable|receiv\\w{0,12}(?: any)?(?: (?:e-?)?mails?)?(?=[.! ]{0,3}$)|resolved?|located|have|entered|logged|monitored|valid|list)|un(?:known|recogni[sz]ed|deliverable|routable|routeable|resolvable|registered|defined|assigned|used)|invalid\\w{0,12}|illegal|wrong|incorrect|misspelled|nonexist\\w{0,12}|non-exist\\w{0,12}|disabled|inactive|closed|suspended|terminated|deactivated|expired|deleted|removed|cancell?ed|discontinued|retired|locked|purged|erased|revoked|obsolete|defunct|dead|gone|shut down|unavailable|(?:is ?|been |was )blocked)";

export const MAILBOX_LOOSE_ROWS: readonly ReplyRow[] = [
  {
    match: new RegExp(`${ALONE}.*?\\b${MAILBOX}\\b[^.;!?]{0,60}(?:\\b|(?=n't))${DENIED}`),
    means: 'no_mailbox',
    seen: '550 <info@example.com> not used',
  },
  {
    match: new RegExp(
      `${ALONE}.*?\\b(?:no(?! recipients? (?:were |have been )?(?:specified|given|accepted|defined|provided))|no such|not an?|not|unknown|invalid|bad|illegal|wrong|disabled|inactive|closed|deleted|expired|unresolvable|can't accept|cannot accept|(?:don't|doesn't|not) exists?|(?:can(?:no|')t|cannot|could not|unable to|failed to) (?:find|locate|route|resolve))(?: (?:to|the|this|that|a|any|final|delivery|destination|local|valid|e-?mail|mail|virtual|domain|such|of)){0,4} ${MAILBOX}\\b`,
    ),
    means: 'no_mailbox',
    seen: '550 Invalid final delivery user',
  },
  {
    // Nothing but the denial: the mailbox is what was asked about.
    match:
      /^(?:\d{3} )?(?:MAIL |NAME )?[:.,\- ]{0,4}(?:(?:address|e-?mail) has changed|(?:mail |e-?mail )?receiving (?:is |has been )?disabled|(?:does not|doesn't|do not|don't|not) exist\w{0,12}|not found|not used|no longer (?:in use|used|exists?|valid)|no existe|non esiste|nao existe|existiert nicht|n'existe p(?:as|lus)|nie istnieje|bestaat niet|не существует|не найден\S{0,20}|inconnue?|unbekannt|not known|unknown|invalid|inactive|disabled)(?: here| (?:at|on|in) this \w{1,12})?[.! ]{0,3}$/,
    means: 'no_mailbox',
    seen: '550_does_not_exist_here',
  },
  {
    match:
      /^(?:MAIL |NAME )?recipients? (?:address(?:es)? )?(?:MAIL |NAME )?(?:is |was |has been )?(?:rejected|refused|denied|not accepted)(?: \(\w{1,8}\))?\.?$|^rcpt to: ?(?:MAIL|NAME) smtp delivery not allowed|recipient (?:address )?(?:validation|verification) failed\.?$|^(?:MAIL |NAME )?[:-]? ?address (?:validation|verification|lookup) failed:? ?(?:MAIL|NAME)?\.?$|^(?:e-?mails?|mails?|messages?) (?:to|for) (?:MAIL|NAME|(?:this|that) (?:user|address|mail ?box|recipient|receiver|account)) (?:is |are )?(?:not|no longer) accepted|^recipients? bad\.?$|(?:recipients?|recipient address|e-?mail address) (?:\S{1,40} )?(?:cannot|could not|can't) be (?:verified|validated)|failed recipient (?:validation|verification)|^(?:(?:this|that|the|MAIL|NAME) )?(?:recipient|mailbox|account|user) (?:mailbox |account )?(?:is )?not allowed[. ]{0,4}(?:MAIL)?$|that recipient is not allowed|(?:recipient|address|user|MAIL|NAME) (?:\S{1,40} )?(?:is not|isn't|not) (?:in|on) (?:my|our|the|this) (?:\S{1,40} )?(?:list(?: of (?:\S{1,40} )?(?:recipients|users|addresses))?|database|directory)\.?$/,
    means: 'no_mailbox',
    seen: '554 5.7.1 Recipient rejected',
  },
];
