// A reply's words → the same without what is about something else: our address, the recipient's domain or server, a
// login, a whitelist, a number of recipients. Rows that lead to "no such mailbox" are matched against these, so that
// "your IP address has been suspended" or "le domaine du destinataire n'existe pas" is not a verdict on a mailbox.
// Promises: linear, never throws.
import { COUNTS_RECIPIENTS } from './patterns/counted-recipients.ts';

const THING = '(?:address(?:es)?|user(?:name)?|account|mail ?box)';

const OTHERS = new RegExp(
  [
    // Ours: the client's address, and whatever belongs to the sender.
    '\\b(?:ip|client|network|source|remote|connecting|connection|host|server|mx|dns|peer|helo|ehlo)(?: e-?mail| ip| mail)? address(?:es)?\\b',
    `\\b(?:your|sending|sender(?:'s)?|reply-?to|return-?path|from|envelope-?from|originator(?:'s)?)(?: e-?mail| ip| mail)? ${THING}\\b`,
    `\\b(?:access|relay(?:ing)?|sending|login|auth\\w{0,12}) for (?:the |this |that )?${THING}\\b`,
    '\\b(?:ihre?|votre|su|tu|tuo|tua|suo|sua|seu) (?:e-?mail-?)?(?:adresse|konto|postfach|compte|cuenta|direccion|account|indirizzo|casella|conta|endereco)\\b',
    'ваш\\S{0,3} (?:аккаунт|адрес|ящик|уч[её]тн)',
    '\\b(?:vase|vasa|twoje?|twoja|uw|din|ditt|sizin) (?:ip )?(?:adres\\w{0,3}|konto|ucet|account|e-?post\\w{0,6})\\b|\\bip ?-?adres\\w{0,3}\\b',
    'ip ?-?(?:アドレス|地址)|(?:您的|你的)(?:帐号|账号|帳號|邮箱|郵箱|地址)',
    // Theirs, but not the mailbox.
    "\\b(?:recipient|destination|target|addressee|user|mail ?box)(?:'s)? (?:e-?mail |mail )?(?:domain|server|host|system|provider|store|database|directory|service|backend)s?\\b",
    `\\b(?:host|server) (?:for|of) (?:the |this |that )?${THING}\\b`,
    "\\b(?:hosting|reseller|billing|domain|tenant|organi[sz]ation)(?:'s)? account\\b",
    "(?:\\b(?:domaine?|dominio|server|serveur|servidor)|сервер|домен)\\S{0,3} (?:du |del |do |des |dell'? ?|della )?(?:destinat\\S{1,8}|empf\\S{1,8}|получател\\S{0,3})",
    '(?:宛先|受信者|收件人|收信人)の?(?:ドメイン|サーバ|域名|服务器)',
    // No mailbox in particular.
    '\\bno (?:valid )?(?:envelope )?recipients?\\b(?! (?:by|with|of|named|here|found|matching|called|exists?|activity)\\b)',
    '\\b(?:found|listed|present|known|exists?) (?:in|on) (?:\\S{1,12} )?(?:white|allow|safe|black|block|deny)',
    '\\b(?:found|listed|exists?) in (?:the |your )?(?:dns|spf|reverse)\\b',
  ].join('|'),
  'g',
);

/** Then the unknown user is the one who logs in, the refused party is the sender, or a message's header lacks the recipient. */
const ANOTHER_STORY =
  /\bheaders?\b[^.;]{0,60}\b(?:recipient|rcpt)|\b(?:recipient|rcpt)[^.;]{0,60}\bheaders?\b|\bpass(?:word|wort)s?\b|\bquarantin|\bcredentials?\b|mot de passe|contrasena|\bsenha\b|парол|パスワード|密[码碼]|\b(?:absender|expediteur|emetteur|remitente|mittente|remetente|afzender|avsandare|afsender|avsender|lahettaja|odesilatel|odosielatel|felado|expeditor|gonderen|nadawc)|отправител|відправник|αποστολέ|送信者|送信元|差出人|发件人|發件人|寄件/;

/** Words a reply about a mailbox has no use for: our connection and its name, a host, a certificate, a message's parts. */
const ELSEWHERE = new RegExp(
  [
    '\\bELSE\\b',
    '\\b(?:ips?|clients?|helo|ehlo|ptr|r?dns|mxs?|tls|ssl|certificates?|senders?|relay\\w{0,12}|network|routes?|queue|session|token|licen[cs]e|plugin|loop\\w{0,3}|pipe|upstream|syntax|commands?|parameters?|e?smtp|hosts?|connections?|concurrency|internal(?:ly)?|permission|auth|authenticat\\w{0,12}|certified|whitelists?|configuration|signed|challenge|header|body|html|linefeeds|data content|message-id|spoofed|mailing list|character sets?|unreachable|technical)\\b',
    '\\byou (?:are not|may not|cannot|must|need|have no)\\b|\\byour (?:mail ?server|server|host|isp|provider|range|mails?|e-?mails?)\\b|\\bmail from\\b|messages? (?:larger|contains|past|from)\\b|system incorrectly|being migrated|store is full',
    '\\b(?:domaine|dominio|serveur|servidor|von ihnen|vos (?:messages|mails)|mailserver|empf\\S{1,8}server)\\b',
    'сервер|домен|от вас|サーバ|ドメイン|服务器|域名|您的|拒',
  ].join('|'),
);
const NO_RECIPIENTS = /\bno (?:valid )?(?:envelope )?recipients?\b/;

/** True if unrecognized words mention anything but the mailbox: then a code alone is not a verdict on it. */
export function hasUnrelatedWords(words: string): boolean {
  const own = withoutUnrelatedWords(words.replace(NO_RECIPIENTS, ''));
  return (own === '' && words !== '') || ELSEWHERE.test(own);
}

export function withoutUnrelatedWords(words: string): string {
  return ANOTHER_STORY.test(words) || COUNTS_RECIPIENTS.test(words) ? '' : words.replace(OTHERS, 'ELSE');
}
