// Who may write to this recipient: a rule of the mailbox, the group or the organization. It says nothing about us, so that
// no source rests for it. Read before the sender's rows: most of these sentences name the sender.
import type { ReplyRow } from '../reply-row.ts';

export const PERMISSION_ROWS: readonly ReplyRow[] = [
  {
    // Exchange: 5.7.1, 5.7.12, 5.7.51, 5.7.57, 5.7.124, 5.7.129 and 5.7.133 to 5.7.136. Its size limit is about a message.
    match:
      /\bresolver\.rst\.(?!recipsizelimit)|\btransport\.rules\.|tenantinboundattribution|\b(?:client|sender) (?:is |was )?not authenticated\b|\bsender (?:is |was )?not (?:in|on) (?:the )?(?:allowed|list of accepted)/,
    means: 'blocked',
    detail: 'unclear',
    seen: '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required',
  },
  {
    match:
      /\b(?:rcpt(?: to)?|recipient)(?: address)?(?:'s address)?(?: MAIL| NAME)? (?:is |was |has been )?(?:(?:in|on) (?:the |our |my |a )?)?(?:black|block|deny)-? ?list(?! (?:check|lookup|has))/,
    means: 'blocked',
    detail: 'unclear',
    seen: '550 5.7.1 RCPT is in the blacklist',
  },
  {
    match:
      /(?:blocked|rejected) by (?:the )?recipient\b(?!'| (?:domain|server|host|system))|\brecipient (?:id )?refuses? to receive|\b(?:by|to) organi[sz]ation(?:al|'s)? (?:policy|settings|rules?)\b|using customer block list|not accept (?:e-?)?mails? over ipv6|external forwarding|list expansion prohibited|^delivery not authorized, message refused|(?:closed to non-?members|(?:write|post|send) to (?:this|that|the) (?:distribution |mailing )?(?:list|group))\b|(?<!\bsender address rejected\b.{0,40})\b(?:list|group)\b[^.;]{0,20} (?:members only|only accepts? (?:mails?|messages|posts) from)\b|\bonly members (?:of (?:this|the) (?:list|group) )?(?:can|may) (?:post|write|send)\b|\bby recipient's (?:black|block|deny)-? ?list\b/,
    means: 'blocked',
    detail: 'unclear',
    seen: '550 5.7.513 Service unavailable, Client host [203.0.113.9] blocked by example.com using Customer Block list (AS16012607)',
  },
];
