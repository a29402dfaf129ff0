// We ask too fast, too often, or on too many connections; or something other than the mailbox (busy.ts) is being
// flooded. Asking about too many unknown recipients is in counted-recipients.ts; greylisting, which asks us to wait as
// well, has rows of its own below. Such texts come with any code, including 5.1.1.
import type { ReplyRow } from '../reply-row.ts';

/** The recipient is fine, but not together with others. Read before the sender's rows: bounces have no sender. */
export const TRANSACTION_ROWS: readonly ReplyRow[] = [
  {
    match:
      /\b(?:in|as|with|needs?|use|requires?) (?:a |an |its |their )?(?:separate|different|new|own|another) (?:smtp )?(?:transaction|session|envelope)s?\b|\b(?:transaction|session) of (?:its|their) own\b/,
    means: 'too_many_recipients',
    seen: '452 4.5.3 Domain policy size per transaction exceeded, please try this recipient in a separate transaction',
  },
  {
    match:
      /\b(?:multiple|different|several|more than one) (?:destination |recipient )?(?:domains|regions)\b[^.]{0,30}\b(?:per|in|within|transaction|session|message|unsupported)\b|\brecipients belong to (?:multiple|different)\b|\bone (?:destination |recipient )?domain (?:per|at a time)\b/,
    means: 'too_many_recipients',
    seen: '451 4.3.0 Multiple destination domains per transaction is unsupported. Please try again.',
  },
  {
    match:
      /\b(?:only )?(?:one|1|a single) (?:envelope )?(?:recipient|rcpt|address)(?: is| may be| can be)?(?: allowed| accepted| permitted)? (?:per|at a time|for (?:a |an |the )?(?:null|empty|blank|bounce|<>))|\b(?:more than one|multiple|several) (?:envelope )?(?:recipients?|rcpts?)\b[^.;]{0,30}(?:null|empty|blank|bounce|<>)/,
    means: 'too_many_recipients',
    seen: '550 Only one recipient accepted for NULL sender',
  },
  {
    // The same, with the bounce named first.
    match:
      /(?:(?:null|empty|blank)(?: envelope)? (?:sender|reverse-?path|return-?path)|<>|\b(?:bounces?|dsns?|ndrs?))\b[^.;:]{0,40}\b(?:more than one|multiple|several|(?:only|exactly|a|have)(?: have| address| name| be sent to)? (?:one|single)) (?:envelope )?(?:recipients?|rcpts?)\b|\bmulti(?:ple)?[- ]recipient (?:bounces?|dsns?|ndrs?)\b/,
    means: 'too_many_recipients',
    seen: '553 sorry, bounce messages should have a single envelope recipient (#5.7.1)',
  },
];

export const RATE_ROWS: readonly ReplyRow[] = [
  {
    // QQ's page for a mailbox that was sent too much in a short time; the sentence above it fits a missing one as well.
    match: /\bmail\.qq\.com\/detail\/\d{1,4}\/166\b/,
    in: 'links',
    means: 'rate_limited',
    seen: '550 Mailbox unavailable or access denied. https://service.mail.qq.com/detail/0/166',
  },
  {
    // Microsoft, of an address that it looks at for a while: 4.7.500 to 4.7.699, 4.7.850 to 4.7.899.
    match: /\baccess denied[,.;]? (?:please )?(?:try|retry) (?:again )?later\b/,
    means: 'rate_limited',
    seen: '451 4.7.500 Access denied, please try again later',
  },
  {
    match:
      /sent to too many recipients|\b(?:daily|hourly) (?:recipients?|rcpts?) limit\b|too many recipients (?:this|per|in the last|received this) (?:hour|day|minute)/,
    means: 'rate_limited',
    seen: '550 5.1.1 <info@example.com> - 203.0.113.9 has sent to too many recipients this hour. IB607',
  },
  {
    match:
      /too many (?:envelope )?recipients|recipients? limit (?:has been )?(?:exceeded|reached)|maximum (?:number of )?(?:envelope )?recipients|(?:exceed\w{0,6}|reached|over)[^.]{0,30}\b(?:number of|max\w{0,4}|limit\w{0,3}|allowed)(?: of| number| invalid| unknown| the| on){0,3} (?:recipients|rcpts?|addresses)\b|(?:number|amount|count) of (?:recipients|rcpts?) (?:is )?(?:over|exceed|too)|out of allow\w{0,2} rcpt|\brcpts? (?:limit|count|number) (?:is |was |has been )?(?:exceed|reached|over)|\bmax\w{0,4} (?:recipients|rcpts) per (?:session|connection|transaction|message)\b/,
    means: 'too_many_recipients',
    seen: '452 4.5.3 Error: too many recipients',
  },
  {
    match:
      /too many (?:concurrent |simultaneous |open |parallel |smtp |recent |new ){0,3}(?:connections|sessions)/,
    means: 'rate_limited',
    seen: '421 4.7.0 mx.example.com Error: too many connections from 203.0.113.9',
  },
  {
    match:
      /(?:number|limit|maximum) (?:of|on) (?:concurrent |simultaneous |parallel )?(?:smtp )?(?:connections|sessions)/,
    means: 'rate_limited',
    seen: '421 4.3.2 The maximum number of concurrent connections has exceeded a limit, closing transmission channel',
  },
  {
    match:
      /\b(?:connection|ip|sender|domain|message|mail|sending|user|client|recipient|delivery)s? (?:frequency|rate|speed)(?: is| has been| was)? ?(?:too high |temporarily )?(?:limit|exceed|control|restrict)/,
    means: 'rate_limited',
    seen: '550 Connection frequency limited. http://service.mail.example.cn/help?id=20022',
  },
  {
    match:
      /\brate[- ]?limit|\bratelimit|throttl|\brate exceeded|exceeded? (?:the |your |its )?(?:allowed |permitted |maximum |message |sending |connection |hourly |daily ){0,8}(?:rate|limit for (?:messages|sending))/,
    means: 'rate_limited',
    seen: '451 4.7.650 The mail server [203.0.113.9] has been temporarily rate limited due to IP reputation.',
  },
  {
    match:
      /(?:daily|hourly|sending|sender|outgoing|outbound|smtp|queue|connection|message|per[- ](?:hour|day|minute)) (?:user |message |recipient )?(?:sending )?(?:quota|limit)s? (?:is |was |has been |have been )?(?:exceed|reached)/,
    means: 'rate_limited',
    seen: '450 4.7.3 Organization queue quota exceeded.',
  },
  {
    match:
      /(?:reached|exceed\w{0,12}|over) (?:\S{1,40} ){0,3}(?:sending|hourly|daily|connection|outgoing) (?:limit|quota)|\b(?:sender|you|client|host|HOST|IP)(?: MAIL)? (?:is |are |has |have )?(?:over|exceeded) (?:\S{1,12} ){0,2}(?:quota|limits?)\b/,
    means: 'rate_limited',
    seen: '550 5.4.5 Your account has reached its daily limit',
  },
  {
    match: /receiving (?:mail|e-?mails?|messages) (?:at a rate|too (?:quickly|fast))/,
    means: 'rate_limited',
    seen: '451 4.7.1 We are receiving mail too quickly from your network, please try again later',
    composed: true,
  },
  {
    match:
      /(?:sending|sent|coming in|delivered|submitting)(?: mail| messages| e-?mails?| us)? (?:too (?:fast|quickly|many|much|often)|too (?:many|much) (?:mail|messages|e-?mails?))/,
    means: 'rate_limited',
    seen: '421 4.7.1 You are sending too many messages, slow down',
  },
  {
    match:
      /too many (?:recent |new )?(?:messages(?! (?:on|in|for) (?:the |this |that |his |her )?(?:server|mail ?box|inbox|account|user))|mails?|e-?mails|deliver\w{1,20}|commands|requests|errors|attempts|mails? from|transactions|rcpt)|too much (?:e-?)?mail(?! data)|trop de connexions|slower|thread limit|quota[^.]{0,20} (?:for|of) (?:the |this )?(?:sender|client|ip|host)|excessive user ?id/,
    means: 'rate_limited',
    seen: '451 too many errors from your ip (203.0.113.9), please visit http://postmaster.example.fr/',
  },
  {
    match:
      /\bslow(?:ing)? (?:it )?down\b|unusual rate|unexpected volume|excessive (?:volume|rate|number)|high volume|mail flood|exceed\w{0,3} (?:your |the |our |its )?messaging limits?\b/,
    means: 'rate_limited',
    seen: '421 4.7.0 [TSS04] Messages from 203.0.113.9 temporarily deferred due to unexpected volume or user complaints',
  },
  {
    match:
      /(?:messages|mail|e-?mails?) (?:per|an|in an|each) (?:hour|minute|day|session|connection)\b|(?:hour|minute|day)ly (?:limit|maximum)/,
    means: 'rate_limited',
    seen: '550 Domain example.org has exceeded the max emails per hour (200/200 (100%)) allowed. Message discarded.',
  },
  {
    match:
      /server (?:is )?(?:too )?busy|system (?:is )?(?:too )?busy|host is busy|resources? (?:are )?(?:temporarily )?(?:exhausted|unavailable)|load (?:is )?too high/,
    means: 'rate_limited',
    seen: '451 4.7.500 Server busy. Please try again later from [203.0.113.9]. (S77719)',
  },
  {
    match:
      /policy rejection-? ?(?:\w{1,12} ){0,3}quota|\b(?:submission|relay|receiv\w{1,20}) (?:\S{1,40} )?(?:quota|limit)|per[- ](?:hour|minute|day)\b[^.]{0,40}(?:limit|quota|exceed)|exceeded (?:\S{1,40} ){0,10}?(?:they can receive|per (?:hour|minute|day))|receiving (?:messages|mail|e-?mails?) is limited/,
    means: 'rate_limited',
    seen: "550 5.2.121 Recipient's per hour message receive limit from specific sender exceeded.",
  },
  {
    match:
      /(?:слишком много|превышен\S{0,20} (?:лимит|число|количество)) (?:\S{1,40} )?(?:соединени|подключени|запрос|пис[еь]м|сообщени|получател)|zu viele (?:gleichzeitige )?(?:verbindungen|nachrichten|empfanger|anfragen)|demasiad[oa]s (?:conexiones|mensajes|destinatarios|correos)|tropp[ei] (?:connessioni|messaggi|destinatari)|(?:muitas|demasiadas|excesso de) (?:conexoes|mensagens|ligacoes)|trop de (?:messages|destinataires|mails)|接続(?:数|頻度)|送信数|(?:连接|發送|发送)(?:数量|频率|過於頻繁|过于频繁)/,
    means: 'rate_limited',
    seen: '450 Слишком много соединений с вашего IP',
    composed: true,
  },
];

/** A greylist asks for patience, nothing more. */
export const GREYLIST_ROWS: readonly ReplyRow[] = [
  {
    // Mimecast, of a client that it has not met: its own list of replies calls it greylisting.
    match: /\binternal resources? (?:(?:is|are) )?temporarily (?:unavailable|not available)\b/,
    means: 'greylisted',
    seen: '451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451 [abcDEF.uk12]',
  },
  {
    match: /gr[ea]y[- ]?list/,
    means: 'greylisted',
    seen: '450 4.2.0 <info@example.com>: Recipient address rejected: Greylisted, see http://postgrey.example.org/help/example.com.html',
  },
  {
    match: /gr[ea]y[- ]?list|postgrey|sqlgrey|policyd-weight/,
    in: 'links',
    means: 'greylisted',
    seen: '451 4.7.1 Please see http://www.greylisting.org/ and try again',
  },
  {
    match:
      /first (?:time|attempt|contact)[^.]{0,60}(?:again|later|retry)|(?:not yet|never) (?:seen|authorized)[^.]{0,60}(?:again|later|retry)/,
    means: 'greylisted',
    seen: '451 4.7.1 <info@example.com>: not yet authorized to deliver mail from 203.0.113.9, please retry later',
  },
  {
    match:
      /temporar(?:y|ily) (?:rejected|reject|refused|deferred)[^.]{0,40}(?:unknown|new) (?:sender|client|host|triplet)/,
    means: 'greylisted',
    seen: '451 Temporarily deferred: unknown triplet, come back in 5 minutes',
  },
];
