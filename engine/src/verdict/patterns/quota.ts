// The mailbox exists and is full. Rows about system storage, message size and sending quotas come first or are in other
// topics: only the owner's quota counts here.
import type { ReplyRow } from '../reply-row.ts';

const NEAR = '[^.;!?。]{0,60}';
const NOT_SPACE =
  'messag|nachricht|mensaje|messaggi|mensage|сообщени|письм|メッセージ|邮件|郵件|anhang|attach|adjunt|allegat|anex|\\bip\\b|sender|absender|remitente|mittente|remetente|expediteur|отправител|connect|verbindung|conexi?on|connession|connexion|соединени|подключени|recipients\\b|rate\\b|per (?:hour|day|minute)|\\bhour|\\bday|stunde|heure|hora\\b|час\\b|attempt|unknown|invalid';
const SPACE =
  '\\bmail ?box|\\binbox|postfach|kontingent|speicher|\\bboite|stockage|\\bbuzon|casilla|almacenamiento|bandeja|casella|\\bcaixa|armazenamento|ящик|хранилищ|メールボックス|邮箱|郵箱|信箱';
const USED_UP =
  '\\bfull\\b|\\bvoll\\b|u[be]{1,2}er(?:schritt|lauf|full)|erscho?.{0,2}pft|pleine?\\b|sature|depass|llen[oa]\\b|\\bcomplet[oa]\\b|superad|excedid|agotad|pien[oa]\\b|superat|esaurit|cheia|lotad|esgotad|ultrapassad|limite? (?:erreicht|atteinte?|alcanzad|raggiunt|atingid)|over (?:capacity|limit)|out of (?:space|room)|переполн|заполн|превыш|исчерп|一杯|いっぱい|満杯|超過|已满|已滿|不足';

/** Where mail is kept, in every language that has a row below. */
const KEPT_IN =
  /mail ?(?:box|drop|folder|dir|store|file)|\bin-?box|\bspool\b|\bdis[ck]\b|\bdisk ?space|\bstorage|\bspace\b|\broom\b|postfach|briefkasten|speicher|\bboite|messagerie|espace|stockage|\bbuzon|casilla|bandeja|espacio|almacenamiento|casella|cassetta|spazio|\bcaixa|correio|espaco|armazenamento|ящик|хранилищ|места|ボックス|容量|邮箱|郵箱|信箱|空间|空間|메일함|편지함|사서함|skrzynk|postvak|brevlada|postlada|inkorg|postkasse|postboks|postilaatikko|schrank|postafiok|postalada|casuta|kotak|hop thu|kutusu|γραμματοκιβώτιο|θυρίδα/;
/** Whose quota it is: the recipient's, said within one clause. */
const OWNERS_QUOTA =
  /\b(?:recipient|receiver|addressee|user|account|MAIL|NAME)(?:'s)?\b[^.;:!?]{0,40}\b(?:quota|full)\b|\bquota\b[^.;:!?]{0,40}\b(?:recipient|receiver|addressee|user|account|MAIL|NAME)\b/;

/** Whether words about a quota say that it is the mailbox's: with a status of policy (x.7.x) nothing less will do. */
export function namesOwnersSpace(words: string): boolean {
  return KEPT_IN.test(words) || OWNERS_QUOTA.test(words);
}

export const QUOTA_ROWS: readonly ReplyRow[] = [
  {
    // One sentence for both, and no telling which: neither a missing mailbox nor a full one.
    match:
      /(?:unknown|not exist\w{0,12}|n't exist\w{0,12}|not found|invalid|no such \w{1,20})\b[^.;]{0,40}\bor\b[^.;]{0,30}\b(?:full|(?:over ?)?quota)\b|(?:full|quota)\b[^.;]{0,20}\bor\b[^.;]{0,30}(?:unknown|not exist|n't exist|not found|invalid|no such)/,
    means: 'unclear',
    seen: '551 <info@example.com>: user unknown or mailbox full',
  },
  {
    match:
      /(?:recipient|user|mail ?box|account|inbox)(?:'s)?[^.;]{0,30} (?:no|insufficient|not enough) (?:\S{1,20} ){0,2}(?:space|room|storage)\b|(?:mail ?box|inbox|account|mail ?folder) (?:size|limit|capacity|space|storage) (?:\S{1,20} )?(?:exceed|reached|exhaust|used up)|used (?:up )?(?:all |his |her |their |its )?(?:\S{1,20} ){0,2}(?:space|storage|quota)\b|error writing message: file too large|mail file size exceeds|too many messages (?:on|in|for) (?:the |this |that |his |her )?(?:server|mail ?box|inbox|account|user)|maximum (?:allowed )?number of messages|allowed message count|too much mail data|than the (?:free )?space (?:available|left)/,
    means: 'over_quota',
    seen: '552 Mail file size exceeds the maximum size allowed for mail delivery',
  },
  {
    match:
      /insufficient (?:system|server|queue) (?:storage|resources)|system storage|insufficient disk space|(?:disk|file ?system|partition|server|system) (?:is )?full|no space left|spazio esaurito sul|auf dem gera.{0,2}t ist kein speicherplatz|espace disponible sur le|no queda espacio en el|espaco disponivel no dispositivo|на устройстве не осталось|デバイスに空き領域/,
    means: 'temporary',
    seen: '452 4.3.1 Insufficient system storage',
  },
  {
    match:
      /(?:message|mail|e-?mail) (?:size )?(?:is )?(?:too (?:big|large|long)|exceeds? (?:the )?(?:fixed |maximum )?(?:message )?(?:size|limit))|size (?:of (?:this|the|your) message )?exceeds|exceeds? (?:the )?(?:fixed |maximum |message ){0,3}size|header size|max(?:imum)? (?:e-?mail|message) size|recipient list (?:is |was )?(?:too|exceed|size|over)|message (?:length|file)|inbound message|taille (?:limite|maximale)?(?: du message)/,
    means: 'content',
    seen: '552 5.3.4 Message size exceeds fixed limit',
  },
  {
    match:
      /over ?-?quot[ae]|quotas? (?:is |has been |was |have been |would be |will be )?(?:already )?(?:exceeded|reached|full|exhausted|violat)|exceed\w{0,12} (?:\S{1,40} ){0,4}quota|quota (?:\S{1,40} ){0,3}exceed|quotaexceeded|out of quota|beyond quota|quota error|over (?:the |its |his |their )?(?:\S{1,40} )?(?:storage |mailbox |disk |size )limit|(?:mail ?box|inbox|account|user|recipient|MAIL|NAME) (?:\S{1,40} )?(?:is |was )?over (?:the |its |his |her |their )?limit/,
    means: 'over_quota',
    seen: '552 5.2.2 The email account that you tried to reach is over quota. Please direct the recipient to clear space',
  },
  {
    match:
      /(?:mail ?box|mail ?folder|mail ?drop|inbox|in-box|account|user|storage|spool|maildir|mailstore|MAIL|NAME)'?s?(?: for)?(?: user)?(?: \S{1,40})? (?:is |are |was |has become |appears to be )?(?:too |currently |already |temporarily )?full\b|(?:full|overfull) (?:mail ?box|inbox)|mailboxfull|mailbox ?full/,
    means: 'over_quota',
    seen: '550 5.2.2 <info@example.com>... Mailbox Full',
  },
  {
    match:
      /(?:space|storage|room) (?:is )?(?:not enough|insufficient|exhausted|erschopft)|(?:not able to|unable to|cannot|can't|can not) (?:receive|take|accept|hold|store) any ?more|(?:not enough|insufficient|no (?:more|free)|out of|lack of|low on) (?:\S{1,40} ){0,3}?(?:storage|space|disk|room)|no (?:room|space)(?: left)? (?:in|for|on) (?:the |this |that |his |her |user'?s? |recipient'?s? ){0,3}(?:mail ?box|inbox|account|user)|n[o']t have enough (?:\S{1,40} )?(?:space|room)|space (?:has |has been |is )?(?:used up|exhausted)|exhausted (?:\S{1,40} ){0,3}space/,
    means: 'over_quota',
    seen: "452-4.2.2 The recipient's inbox is out of storage space. Please direct the recipient to free up space.",
  },
  {
    match:
      /(?:mail ?box|inbox|account|storage|recipient|user|disk)(?:'s)? (?:\S{1,40} ){0,4}?(?:exceed|over|maximum|max|reached|too large|too big|limit)\S{0,20} (?:\S{1,40} ){0,4}?(?:size|storage|limit|allocation|space|capacity|allowed|exceeded|exeeded|exceded|reached)|(?:mail ?box|inbox|storage) (?:is |was |has )?(?:at|over|hit) (?:its|the|his|her|their) (?:\S{1,12} )?limit|\bmail ?box limit\b|exceeded storage|storage (?:allocation )?exceeded|maximum (?:allowed )?(?:mailbox |storage )size|maximum size/,
    means: 'over_quota',
    seen: '552 Requested mail action aborted: exceeded storage allocation',
  },
  {
    match:
      /(?:postfach|mailbox|konto|briefkasten|speicher\w{0,12})[^.]{0,40}(?:voll|u[be]{1,2}erschritten|ausgeschopft|u[be]{1,2}erfullt|uberlaufen)|volles postfach|kapazit\S{1,3}t[^.]{0,60}ersch\S{1,3}pft|quota (?:ist )?uberschritten|speicherplatz|zu ?viele mails/,
    means: 'over_quota',
    seen: '552 5.2.2 Benutzer hat zuviele Mails auf dem Server',
  },
  {
    match:
      /(?:boite|bal|compte|messagerie)[^.]{0,60}(?:pleine?|saturee?|depasse)|quota (?:\S{1,40} ){0,3}(?:depasse|atteint)|espace (?:disque |de stockage )?insuffisant/,
    means: 'over_quota',
    seen: '552 5.1.1 Boite du destinataire pleine.',
  },
  {
    match:
      /(?:buzon|casilla|cuenta|bandeja)[^.]{0,60}(?:llen[oa]|excedid|sin espacio|superad|cuota)|(?:sin|no (?:tiene|hay|queda)) (?:mas )?espacio|cuota (?:\S{1,40} ){0,4}(?:excedida|superada|agotada)|(?:excedido|superado|excede) (?:\S{1,40} ){0,3}cuota/,
    means: 'over_quota',
    seen: '552 5.2.2 El buzón del destinatario está lleno',
    composed: true,
  },
  {
    match:
      /(?:casella|mailbox|cassetta)[^.]{0,60}(?:pien[oa]|esaurit|superat)|(?:quota|spazio) (?:\S{1,40} ){0,4}(?:superat|esaurit|insufficiente)/,
    means: 'over_quota',
    seen: '552 5.2.2 La casella del destinatario è piena',
    composed: true,
  },
  {
    match:
      /(?:caixa|conta|correio)[^.]{0,60}(?:cheia|lotada|excedid|esgotad|sem espaco)|(?:cota|quota|espaco) (?:\S{1,40} ){0,4}(?:excedid|esgotad|ultrapassad|insuficiente)/,
    means: 'over_quota',
    seen: '552 5.2.2 <info@example.com.br> A caixa de correio está cheia.',
  },
  {
    match:
      /(?:ящик|почт\S{0,20})[^.]{0,60}(?:переполн|заполнен|полон|нет (?:свободного )?места)|превышен\S{0,20} (?:\S{1,40} ){0,4}(?:квот|размер (?:почтов|ящик)|объ|лимит (?:почтов|ящик|места|хранен))|квота (?:\S{1,40} ){0,3}(?:превышена|исчерпана)|недостаточно места|(?:нет|не хватает) места в/,
    means: 'over_quota',
    seen: '552 5.2.2 Почтовый ящик получателя переполнен',
    composed: true,
  },
  {
    match:
      /(?:メール)?ボックス(?:の容量)?が?(?:一杯|いっぱい|満杯)|容量(?:が|を)?(?:超|オーバー|不足|一杯|いっぱい)|容量制限/,
    means: 'over_quota',
    seen: '552 5.2.2 メールボックスの容量が超過しています',
    composed: true,
  },
  {
    match:
      /(?:邮箱|信箱|郵箱|郵件信箱|收件人|收件者|用户|用戶)[^。]{0,20}(?:已满|已滿|空间不足|空間不足|容量不足|容量已)|超过(?:邮箱)?(?:容量|配额)|(?:메일함|편지함|사서함|용량|할당량)[^.]{0,20}(?:초과|가득|부족|꽉)/,
    means: 'over_quota',
    seen: '550 收件人空间不足',
  },
  {
    match:
      /(?:skrzynk\S{0,20}|konto)[^.]{0,60}(?:pe.?na|przepe.?nion|przekroczon)|(?:postvak|mailbox)[^.]{0,40}\bvol\b/,
    means: 'over_quota',
    seen: '552 5.2.2 Skrzynka odbiorcy jest przepełniona',
    composed: true,
  },
  {
    match:
      /(?:brevlada|postlada|inkorg|postkasse|postboks|postilaatikko)\w{0,4} (?:ar |er |on )?(?:full|fuld|fylld|taynna)\b|(?:schranka|schranky)[^.]{0,20}(?:pln[ae]|preplnen)|(?:postafiok|postalada)\w{0,4} (?:megtelt|tele\b)|casuta[^.]{0,30}plina|(?:kotak (?:surat|masuk)|kuota)[^.]{0,20}(?:penuh|terlampaui|habis)|hop thu[^.]{0,20}(?:bi day|da day|vuot)|posta kutusu[^.]{0,20}(?:dolu|doldu)|\bk[vw]?ot[ae]?s?\b[^.]{0,30}(?:overskr|prekroc|asild|doldu|depasit|tullepett)|(?:γραμματοκιβώτιο|θυρίδα)[^.]{0,30}(?:γεμάτ|πλήρ)/,
    means: 'over_quota',
    seen: '552 5.2.2 Brevlådan är full',
    composed: true,
  },
  {
    // A word for the mailbox or its space, and one that it is used up, in one sentence and either order; shut where a
    // message, a sender or a pace is spoken of.
    match: new RegExp(
      `^(?!.*(?:ELSE|${NOT_SPACE}))(?:.*?(?:${SPACE})${NEAR}(?:${USED_UP})|.*?(?:${USED_UP})${NEAR}(?:${SPACE}))`,
    ),
    means: 'over_quota',
    seen: '550 Переполнен почтовый ящик',
    composed: true,
  },
  {
    // Sending quotas have their own rows above; what is left is the owner's.
    match: /\b(?:mail|disk)?quota\b(?! (?:look-?up|service|server|daemon|plugin|backend|database)\b)/,
    means: 'over_quota',
    seen: '552 5.2.2 recipient reached disk quota',
  },
];
