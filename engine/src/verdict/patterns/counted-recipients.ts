// Too many unknown recipients: a limit on how many a client may ask about, which is about us, though it has every word of
// "no such mailbox" in it. In the plural, with a number, a limit or an attack. The wordings
// are data, in no order; no row about a mailbox reads a reply that has one of them (unrelated-words.ts).
import type { ReplyPattern, ReplyRow } from '../reply-row.ts';
import { type Wording, words } from './wording.ts';

const BAD = [
  'un(?:known|kown|recogni[sz]ed|deliverable|routable|routeable|resolvable|verified|registered|available|authori[sz]ed)',
  'invalid',
  'incorrect',
  'bad',
  'wrong',
  'non-? ?exist[ae]nt',
  'non-? ?existing',
  'not existing',
  'no such',
  'fail(?:ed|ing)',
  'rejected',
  'refused',
  'bounc(?:ed|ing)',
  'illegal',
  'bogus',
  'fake',
  'fictitious',
  'misspell?ed',
  'missing',
  'erroneous',
  'faulty',
  'dead',
  'disabled',
  'inactive',
  'closed',
  'expired',
  'deleted',
  'suspended',
];
const NOT_THERE = [
  ...BAD,
  "(?:not|n't|cannot be|could not be) (?:found|known|exist\\w{0,3}|valid|recogni[sz]ed)",
];
/** What may stand before the noun. */
const KIND = words`(?:${['e-?mail', 'mail', 'local', 'smtp', 'envelope', 'rcpt(?: to)?', 'destination', 'user', 'recipient']} ){0,2}`;
const ONE = [
  'recipient',
  'receiver',
  'rcpt(?: to)?',
  'user(?: ?name| ?id)?',
  'mail ?box',
  'account',
  'address',
  'addressee',
  'alias',
  'destination',
  'local[- ]?part',
];
const SEVERAL = [
  'recipients',
  'receivers',
  "rcpt(?: to)?'?s",
  'users',
  'user ?(?:names|ids)',
  'mail ?boxes',
  'accounts',
  'addresses',
  'addressees',
  'alias(?:es)?',
  'destinations',
  'local[- ]?parts',
];
const TOO_MANY = ['too? many', 'so many', 'excessive(?:ly many| numbers? of| amounts? of)?', 'excess of'];
const COUNT = [
  'max(?:imum)?',
  'limits?',
  '(?:number|amount|count|volume|rate|percentage|ratio|proportion|quota|threshold)s?',
  'exceed\\w{0,5}',
  'reached',
  'over',
];
const LIMIT = ['limit\\w{0,5}', 'threshold', 'count(?:er)?', 'maximum', 'max', 'rate', 'ratio', 'percentage'];
const PASSED = [
  'exceed\\w{0,5}',
  'reached',
  'surpass\\w{0,3}',
  'over (?:the |your |our )?(?:limit|max\\w{0,4}|quota|threshold)',
  'limit\\w{0,5}',
  'threshold',
  'maximum',
  'quota',
  'too (?:high|many|large|great)',
];
const FAILURES = [
  'failures?',
  'errors',
  'reject(?:s|ions?)',
  'refusals?',
  'attempts?',
  'lookups?',
  'guesses',
  'bounces',
  'probes',
  'tries',
];
/** Words of the same clause. */
const FEW = '(?:[^\\s.;,!?]{1,20} ){0,5}';
const NEAR = '[^.;!?。]{0,40}';

const ENGLISH: readonly Wording[] = [
  {
    match: `${words`\b${TOO_MANY} `}${FEW}["']?${words`${BAD}`}(?:(?:,| or| and|/) ?${words`${BAD}`})?["']? ${KIND}${words`${ONE}`}`,
    example: '550 Too many unrecognized recipients',
    counterExample: '550 Unrecognized recipient',
  },
  {
    match: `${words`\b${TOO_MANY} `}${FEW}["']?${words`(?:${ONE}|${SEVERAL})`}s?(?: (?:that|which|who|are|were|is|was|do|does|did|have|been|being)){0,3} ${words`${NOT_THERE}`}`,
    example: '550 Too many addresses that do not exist',
    counterExample: '550 The address that you want does not exist',
  },
  {
    match: `${words`\b${COUNT}`}:? ${FEW}${words`${BAD}`}(?:(?:,| or| and|/) ?${words`${BAD}`})? ${KIND}${words`${SEVERAL}`}\\b`,
    example: '550 Maximum number of unknown recipients exceeded',
    counterExample: '550 5.1.1 Unknown recipients',
  },
  {
    match: `${words`\b${COUNT}`}:? ${FEW}${words`${SEVERAL}`}(?: (?:that|which|are|were|do)){0,2} ${words`${NOT_THERE}`}`,
    example: '550 The number of recipients not found is above what we allow',
    counterExample: '550 All recipients are unknown',
  },
  {
    match: `${words`\b${BAD}`} ${KIND}${words`(?:${ONE}|${SEVERAL})`} ${words`${LIMIT}`}\\b`,
    example: '550 5.1.1 Unknown user limit reached',
    counterExample: '550 5.1.1 Unknown recipient; mailbox names may have up to 20 letters',
  },
  {
    match: `${words`\b(?:${ONE}|${SEVERAL})`} ["']?${words`${NOT_THERE}`}s?["']? ${words`(?:${LIMIT}|replies|responses|errors|failures|rejections)`}\\b`,
    example: '550 User unknown limit exceeded',
    counterExample: '550 User unknown, error 17',
  },
  {
    match: `${words`\b${BAD}`} ${KIND}${words`${SEVERAL}`}\\b[ :,(-]{0,4}${FEW}${words`${PASSED}`}\\b`,
    example: '550 5.1.1 Invalid recipients: limit per session exceeded',
    counterExample: '550 5.1.1 Invalid recipients: please check them',
  },
  {
    match: `${words`\b${SEVERAL}`}(?: (?:that|which|are|were|do)){0,2} ${words`${NOT_THERE}`}\\b[ :,(-]{0,4}${FEW}${words`${PASSED}`}\\b`,
    example: '550 Recipients unknown exceeded our threshold',
    counterExample: '550 Recipients unknown on our side',
  },
  {
    match: `${words`\b${TOO_MANY} `}${FEW}${words`(?:${ONE}|verification|validation|callout|delivery)`}s?(?: commands?| addresse?s?| verification| validation| lookup)? ${words`${FAILURES}`}\\b`,
    example: '550 Too many RCPT failures',
    counterExample: '550 RCPT failure',
  },
  {
    match: words`\b${TOO_MANY} ${BAD} ${['commands?', 'requests?', 'attempts?', 'errors?', 'sequences']}\b`,
    example: '550 Too many bad commands',
    counterExample: '550 No such user, and a bad command',
  },
  {
    match: words`\b(?:hard )?${['bounce', 'unknown[- ]user', 'user[- ]unknown', 'invalid[- ](?:recipient|address|user)']} ${['rate', 'ratio', 'percentage']}\b`,
    example: '550 Your bounce rate is beyond what we take',
    counterExample: '550 5.1.1 Bounce: user unknown',
  },
  {
    match: words`\bharvest|dictionary attack|namespace mining|\b${['directory', 'e-?mail', ...ONE]} ${['enumerat\\w{1,6}', 'prob(?:ing|es)', 'guessing', 'scans?', 'scanning', 'mining', 'spraying']}\b`,
    example: '550 5.1.1 Recipient enumeration from your host was noticed',
    counterExample: '550 5.1.1 Recipient not enumerated here: no such user',
  },
];

/** Each in its language's usual words: too many of them, or a number or limit of bad ones. Accents are folded before. */
const OTHER_LANGUAGES: readonly Wording[] = [
  {
    match: `\\bzu ?viele ${NEAR}(?:empfa.{0,2}nger|adress|benutzer|nutzer|postfa.{0,2}ch|konten|mailbox)|\\b(?:an)?zahl ${NEAR}(?:unbekannt|unga.{0,2}ltig|ungueltig|ungultig|falsch|nicht (?:existier|vorhanden))${NEAR}(?:empfa.{0,2}nger|adress|benutzer|nutzer|postfa.{0,2}ch)|(?:limit|grenz|hochst)${NEAR}(?:unbekannte|unga.{0,2}ltige|ungueltige|ungultige|falsche)[rn]? (?:empfa.{0,2}nger|adress|benutzer|nutzer|postfa.{0,2}ch)`,
    example: '550 Zu viele unbekannte Empfänger',
    counterExample: '550 Unbekannter Empfänger',
  },
  {
    match: `\\btrop d(?:e |')${NEAR}(?:destinataire|adresse|utilisateur|compte|boite|usager)|\\b(?:nombre|limite|quota|maximum) ${NEAR}(?:destinataires|adresses|utilisateurs|comptes|boites)${NEAR}(?:inconnu|invalide|inexistant|introuvable|errone|incorrect)`,
    example: '550 Nombre maximal de destinataires inconnus dépassé',
    counterExample: '550 Destinataire inconnu',
  },
  {
    match: `\\b(?:demasiad[oa]s|much[oa]s|exceso de) ${NEAR}(?:destinatari|direccion|usuari|cuenta|buzon|casilla)|\\b(?:numero|limite|cantidad|maximo) ${NEAR}(?:destinatarios|direcciones|usuarios|cuentas|buzones|casillas)${NEAR}(?:desconocid|invalid|inexistent|no (?:valid|encontrad|existe)|incorrect|erronea)`,
    example: '550 Demasiados destinatarios desconocidos',
    counterExample: '550 Destinatario desconocido',
  },
  {
    match: `\\b(?:demasiad[oa]s|muit[oa]s|excesso de) ${NEAR}(?:destinatari|endereco|usuari|utilizador|conta|caixa)|\\b(?:numero|limite|quantidade|maximo) ${NEAR}(?:destinatarios|enderecos|usuarios|utilizadores|contas|caixas)${NEAR}(?:desconhecid|invalid|inexistent|nao (?:valid|encontrad|existe)|incorret)`,
    example: '550 Número máximo de destinatários inválidos excedido',
    counterExample: '550 Destinatário inválido',
  },
  {
    match: `\\btropp[ei] ${NEAR}(?:destinatar|indirizz|utent|casell|account)|\\b(?:numero|limite|massimo) ${NEAR}(?:destinatari|indirizzi|utenti|caselle|account)${NEAR}(?:sconosciut|non (?:valid|trovat|esistent)|inesistent|errat)`,
    example: '550 Troppi destinatari inesistenti',
    counterExample: '550 Destinatario inesistente',
  },
  {
    match: `\\bte ?veel ${NEAR}(?:ontvanger|geadresseerde|adres|gebruiker|postvak|mailbox)|\\b(?:aantal|limiet|maximum) ${NEAR}(?:onbekende|ongeldige|niet[- ]bestaande|foute) (?:ontvanger|geadresseerde|adres|gebruiker|postvak)`,
    example: '550 Te veel onbekende ontvangers',
    counterExample: '550 Onbekende ontvanger',
  },
  {
    match: `\\b(?:zbyt wiel[eu]|zbyt duzo|za duzo) ${NEAR}(?:odbiorc|adres|uzytkownik|kont|skrzyn)|\\b(?:liczb[ay]|limit\\w{0,2}) ${NEAR}(?:nieznanych|nieprawidlowych|niepoprawnych|blednych|nieistniejacych) (?:odbiorc|adres|uzytkownik|kont|skrzyn)`,
    example: '550 Przekroczono limit nieznanych odbiorców',
    counterExample: '550 Nieznany odbiorca',
  },
  {
    match: `(?:слишком много|много) ${NEAR}(?:получател|адрес|пользовател|ящик|абонент)|(?:числ[оа]|количеств[оа]|лимит\\S{0,2}|превышен\\S{0,3}) ${NEAR}(?:неизвестн|неверн|несуществующ|недействительн|некорректн|неправильн)\\S{0,3} (?:получател|адрес|пользовател|почтов|ящик)`,
    example: '550 Слишком много неизвестных получателей',
    counterExample: '550 Неизвестный получатель',
  },
  {
    match: `(?:забагато|занадто багато) ${NEAR}(?:одержувач|отримувач|адрес|користувач|скриньк)|(?:кількість|кількості|ліміт\\S{0,2}|перевищен\\S{0,3}) ${NEAR}(?:невідом|неіснуюч|недійсн|невірн)\\S{0,3} (?:одержувач|отримувач|адрес|користувач|скриньк)`,
    example: '550 Забагато невідомих одержувачів',
    counterExample: '550 Користувач не знайдений',
  },
  {
    match:
      '(?:不明|無効|存在しない|不正|誤った?|エラー)(?:な|の)?(?:宛先|あて先|受信者|アドレス|ユーザ|メール)[^。]{0,16}(?:多すぎ|多過ぎ|超え|超過|上限|制限|の?数)|(?:宛先|受信者|アドレス|ユーザ)[^。]{0,8}(?:不明|エラー|無効)[^。]{0,8}(?:多すぎ|多過ぎ|多数|超え|超過|上限)|(?:多数|大量)の[^。]{0,12}(?:宛先|受信者|アドレス|ユーザ)',
    example: '550 無効な宛先が多すぎます',
    counterExample: '550 無効な宛先です',
  },
  {
    match:
      '(?:无效|無效|不存在|未知|错误|錯誤|非法)的?(?:收件人|收件者|收信人|用户|用戶|邮箱|郵箱|信箱|帐号|账号|帳號|地址)[^。]{0,12}(?:过多|過多|太多|超过|超過|超出|上限|数量|數量|次数|次數|达到|達到)|(?:过多|過多|太多|大量|超过|超過|超出)[^。]{0,8}(?:无效|無效|不存在|未知|错误|錯誤|非法)的?(?:收件人|收件者|收信人|用户|用戶|邮箱|郵箱|帐号|账号|帳號|地址)|(?:收件人|收件者|收信人|用户|用戶|邮箱|郵箱|帐号|账号|地址)不存在的?(?:数量|數量|次数|次數|过多|過多|太多)',
    example: '550 无效收件人过多',
    counterExample: '550 无效收件人',
  },
  {
    match:
      '(?:존재하지 않는|알 수 없는|잘못된|없는|유효하지 않은) ?(?:사용자|수신자|계정|주소|메일)[^.]{0,16}(?:너무 많|초과|제한|한도)|너무 많은 ?[^.]{0,16}(?:사용자|수신자|계정|주소)',
    example: '550 존재하지 않는 수신자가 너무 많습니다',
    counterExample: '550 존재하지 않는 수신자',
  },
  {
    match: `\\b(?:for (?:manga|mange|mye)|liian (?:monta|mon[ei]\\w{0,2})|prilis (?:mnoho|vela)|tul sok|prea mult[ie]|cok fazla) ${NEAR}(?:mottagar|mottaker|modtager|anvandar|bruger|bruker|adress|konto|vastaanottaj|kayttaj|osoit|prijemc|uzivatel|pouzivatel|adres|schran|cimzett|felhasznal|postafiok|destinatar|utilizator|casut|kullan.c|al.c|hesap|posta)|(?:πάρα πολλ|υπερβολικ)\\S{0,3} ${NEAR}(?:χρήστ|παραλήπτ|διευθύνσ|λογαριασμ)`,
    example: '550 För många okända mottagare',
    counterExample: '550 Okänd mottagare',
  },
];

export const COUNTED_RECIPIENTS: readonly Wording[] = [...ENGLISH, ...OTHER_LANGUAGES];

/** One of these is in each of them, and in few other replies: most are read no further. */
const HINT =
  /man[yg]|mye|exce|limi[te]|max|massim|number|amount|count|volume|rate|ratio|percent|proportion|quota|threshold|reached|over|surpass|errors|failures|responses|replies|rejections|harvest|attack|mining|enumerat|prob(?:ing|es)|guess|scan|spray|viele|zahl|grenz|hochst|trop|nombre|demasiad|much[oa]s|numero|cantidad|muit|quantidade|veel|aantal|zbyt|za duzo|liczb|liian|prilis|tul sok|prea|cok|[^\x00-\x7f]/;

// Each by itself, after the hint: as one expression they take V8 a third of a second to compile at a process's first
// refusal, which the watchdog would take for a mail host that blocks the event loop.
const EACH = COUNTED_RECIPIENTS.map(({ match }) => new RegExp(match));

export const COUNTS_RECIPIENTS: ReplyPattern = {
  source: EACH.map(({ source }) => source).join('|'),
  test: (words) => HINT.test(words) && EACH.some((one) => one.test(words)),
};

const BLOCKS = /\b(?:blocked|banned|barred|black-? ?list|block-? ?list|deny-? ?list|harvest)|\battack\b/;

export const COUNTED_ROWS: readonly ReplyRow[] = [
  {
    match: {
      source: `${BLOCKS.source} with ${COUNTS_RECIPIENTS.source}`,
      test: (words) => BLOCKS.test(words) && COUNTS_RECIPIENTS.test(words),
    },
    means: 'blocked',
    seen: '554 This IP has been temporarily blocked for attempting to mail too many invalid recipients. IB112',
  },
  {
    match: COUNTS_RECIPIENTS,
    means: 'rate_limited',
    seen: '550 too many unrecognized recipients',
  },
];
