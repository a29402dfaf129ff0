// About our MAIL FROM: its domain, its form, a callout to it. Read before the mailbox rows: Exim quotes what the
// sender's own server said ("No such user here") inside its refusal of the sender.
import type { ReplyRow } from '../reply-row.ts';

export const SENDER_ROWS: readonly ReplyRow[] = [
  {
    match:
      /sender (?:callout )?(?:verify|verification|check)[^.]{0,30}(?:fail|error|no such|unknown|not found)|(?:verify|verification) (?:of )?(?:the )?sender|sender verify|sender call-?(?:back|out)|call-?(?:back|out)[^.]{0,20} (?:to|of|for|from) (?:the |your )?sender|call-?back to your\b/,
    means: 'sender_refused',
    seen: '550-Verification failed for <probe@example.org> 550-No Such User Here 550 Sender verify failed',
  },
  {
    match:
      /(?:sender|from|envelope-?from|return[- ]path)(?:'s)? ?(?:e-?mail )?(?:address|domain|host)?:? ?(?:MAIL |HOST |NAME )?(?:is |was |has been )?(?:not )?(?:rejected|refused|denied|invalid|unknown|blocked|not allowed|not accepted|disallowed|does not exist|doesn't exist|not exist|not found|unresolvable|unroutable|must resolve|is empty)/,
    means: 'sender_refused',
    seen: '553 5.1.8 <probe@example.org>: Sender address rejected: Domain not found',
  },
  {
    match:
      /(?:invalid|bad|unknown|unroutable|unrouteable|unresolvable|illegal|forged|banned|blocked|unverified|unacceptable|malformed|missing|no valid|without a valid) (?:envelope )?(?:sender(?! ?IP\b| domain\. fix reverse)|return[- ]path|mail from|from address|from domain)/,
    means: 'sender_refused',
    seen: '550 Unroutable sender address',
  },
  {
    match:
      /domain of sender|sender'?s? domain(?!\. fix reverse)|sender is not|sender (?:id|has (?:invalid|no))|your (?:envelope )?sender|your e-?mail address (?:is|was|has)|your domain|the sender (?:is|was|has|does|must|domain|address)\b/,
    means: 'sender_refused',
    seen: '451 4.1.8 Domain of sender address probe@example.org does not resolve',
  },
  {
    match:
      /(?:\bfrom|MAIL from): ?(?:domain|address)? ?(?:is )?(?:invalid|not)|valid from\b|from: header|in from:/,
    means: 'sender_refused',
    seen: '550 5.2.0 <probe@example.org> From: Domain is invalid. Please provide a valid From: IB506',
  },
  {
    match:
      /(?:null|empty|blank) (?:reverse-?path|sender|envelope|return[- ]path)|<> (?:is )?(?:not|refused|rejected|denied)|bounces? (?:messages? )?(?:are |is )?(?:not )?(?:accepted|allowed|rejected|refused)/,
    means: 'sender_refused',
    seen: '550 Empty envelope senders not allowed',
  },
  {
    // They take the null sender for a bounce, of a message that they did not send.
    match:
      /\bbounce attacks?\b|\b(?:suspected|misdirected|unwanted|unexpected|forged|fake|invalid|stray) (?:bounces?|dsns?|ndrs?|non-?delivery (?:reports?|notifications?))\b/,
    means: 'sender_refused',
    seen: '550 Suspected bounce attacks. https://service.mail.example.com/detail/122/57',
  },
  {
    match:
      /e-?mail address is not verified|identities failed the check|send as this sender|not (?:a )?registered gateway user|purported responsible address|sender id\b/,
    means: 'sender_refused',
    seen: '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: probe@example.org',
  },
  {
    match:
      /\bmail from (?:address )?must (?:be|equal|match)\b|sender (?:is )?not verified|un(?:configured|verified|registered) send(?:ing|er) domain|callback setup failed/,
    means: 'sender_refused',
    seen: '501 mail from address must be same as authorization user',
  },
  {
    match:
      /badmailfrom|bad outbound sender|\bbatv\b|backscatter|bouncedeny|unsigned dsn|third-party dsns|members?-only|not subscribed|subscribers? only|not allowed to post|senders to accept|bogus mail from|emetteur invalide|sender frequency|sender (?:is )?(?:black|block|deny) ?list/,
    means: 'sender_refused',
    seen: '553 sorry, your envelope is in my badmailfrom list (#5.7.1)',
  },
  {
    // Who writes may not. The IP address that may not is a block (about-us.ts).
    match:
      /(?:un|not (?:an? )?)authori[sz]ed sender\b(?! ?IP\b)|(?<!\bspf\b[^;]{0,40})\bsender (?:is )?not (?:authori[sz]ed\b|pre-?approved)|\bmail ?from (?:domain |user |address )?(?:HOST )?(?:is )?(?:not (?:configured|allowed|accepted|owned)|unknown|has no)\b|\bsender (?:is |was )?(?:in|on) (?:my|our|the|a) (?:black|block|deny)-? ?list|\bmails? from system accounts\b/,
    means: 'sender_refused',
    seen: '550 5.7.1 mailfrom domain not configured',
  },
  {
    // Courier's number for the domain of MAIL FROM, after the code of the server that quotes it.
    match: /^517[ -]/,
    means: 'sender_refused',
    seen: '550 517-Domain does not exist: example.org',
  },
  {
    // Whatever is wrong with it, it is the sender's and not the mailbox asked for.
    match:
      /\b(?:sender|sending|return|reply|originator|bounce|reverse[- ]path)(?:'s|s')? (?:e-?mail )?(?:address|mail ?box|account|user)\b|address (?:of (?:the |your )?sender|in (?:the )?from)\b|in your mail from|unknown (?:users|senders) (?:are )?not allowed/,
    means: 'sender_refused',
    seen: '550 5.1.0 Bad return address',
    composed: true,
  },
  {
    // Who may not send: an IP that may not is a block, a sender of too many is rate-limited, and one who may not receive
    // either is the recipient.
    match:
      /^(?!.*(?:\bip\b|\bIP\b|too many|\breceiv)).*(?:not (?:allowed|permitted|able|authori[sz]ed)|disabled|blocked|unable|suspended) (?:to|for|from) send|outgoing (?:e-?mails?|mails?|messages?) (?:from|of|for)|\byour (?:e-?mail )?(?:account|mail ?box) (?:is |has been |was )(?:full|over|suspended|disabled|blocked|locked|not|closed)/,
    means: 'sender_refused',
    seen: '550 5.7.1 Your account is not allowed to send, outgoing mail from it is disabled',
    composed: true,
  },
  {
    match:
      /(?:absender|afzender|expediteur|emetteur|remitente|mittente|remetente|nadawc|отправител)(?:[^.;]{0,60})(?:unbekannt|onbekend|nicht|keine|ungultig|gesperrt|blockiert|abgelehnt|verweigert|bestaat niet|inconnu|invalide|n'existe|suspendu|bloque|refuse|rejete|no |invalid|desconocid|rechazad|bloquead|non |sconosciut|inesistent|sospes|rifiutat|nao |desconhecid|inexistent|nie |nieznan|zablokowan|не |неизвест|заблокирован|отклон[её]н|запрещ[её]н)|(?:送信者|差出人|送信元|発信者|发件人|寄件人|寄件者|发信人)[^。]{0,20}(?:存在|不明|無効|拒否|許可|见|无效|無效|拒|未|错误|被|不)|발신자|보낸 ?사람/,
    means: 'sender_refused',
    seen: '550 Der Absender ist unbekannt',
    composed: true,
  },
];
