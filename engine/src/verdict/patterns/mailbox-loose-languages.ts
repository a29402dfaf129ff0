// The mailbox does not exist or is closed, in wordings not seen before, in languages other than English: a word for the
// mailbox and a denial in the same sentence, in either order. Read last of the mailbox topics, and skipped if the reply
// also mentions a sender, a host, a message, a rule or the moment. Composed rows for unseen replies; servers that were
// seen have rows of their own in the other tables.
import type { ReplyRow } from '../reply-row.ts';

/** A sentence: a stop ends it, `;` and `!` too. */
const NEAR = '[^.;!?。]{0,70}';

function eitherOrder(elsewhere: string, mailbox: string, denied: string): RegExp {
  return new RegExp(
    `^(?!.*(?:ELSE|${elsewhere}))(?:.*?(?:${mailbox})${NEAR}(?:${denied})|.*?(?:${denied})${NEAR}(?:${mailbox}))`,
  );
}

const GERMAN = eitherOrder(
  '\\bip\\b|\\bvon unbekannt|\\bkeine (?:e-?)?mails|\\bhat\\b|absender|\\bihre?[mnrs]?\\b|\\bunsere?|server|domain|\\bhost|nachricht|spam|virus|relay|richtlini|regel|limit|quota|speicher|verbindung|zugriff|berechtig|passwor|gruppe|\\bliste|spater|erneut|anhang|gro(?:ss|.{1,2})e',
  'empfa.{0,2}nger|\\b(?:be)?nutzer|adressat|postfach|\\bkonto|mail-?adresse|\\badresse|\\bteilnehmer|mitarbeiter|\\bkunde',
  '\\bunbekannt|\\bnicht (?:mehr|bekannt|gefunden|vorhanden|registriert|existent|verwendet|aktiv|zustellbar)|existiert\\b[^.]{0,20}\\bnicht|gibt es\\b[^.]{0,20}\\bnicht|gelo.{1,2}scht|deaktivier|\\bgesperrt|unga?.{0,2}ltig|geschlossen|geku.{1,2}ndigt|abgeschaltet|ausgeschieden|verzogen|\\bniemand\\b',
);

const ROMANCE = eitherOrder(
  '\\bip\\b|expediteur|emetteur|remitente|mittente|remetente|\\bvotre\\b|\\bvos\\b|\\bsu\\b|\\btu\\b|\\btuo|\\btua|\\bsuo|\\bsua|\\bseu\\b|\\bvostr|\\bvuestr|serv(?:eu|ido|e)r|domaine?|dominio|\\bhost|\\bmessage\\b|mensaje|messaggi|mensage[mn]|spam|virus|relay|politi(?:que|ca)|regle|regla|regol|limit|quota|cuota|\\bcota\\b|espa[cz]|spazio|connexion|conexi?on|connession|conexao|acc?ess?[os]?\\b|autori[sz]|authent|autentic|passe\\b|contrasena|password|senha|groupe|grup|gruppo|\\blist[aes]?\\b|temporar|tarde?\\b|tardi\\b|adjunt|allegat|anex',
  'destinat|utilisateur|utilizador|\\busuari|\\butente|\\badresse|\\bindirizz|direccion|endereco|\\bcompte\\b|\\bcuenta\\b|\\bconta\\b|\\baccount\\b|\\bboite|\\bbuzon|\\bcasilla|\\bcasella|\\bcaixa\\b|\\babonne|\\bcorreo electronico|\\be-?mail\\b|\\bpersona\\b',
  '\\binconnu|\\baucune?\\b|\\bnessun[oa]?\\b|\\bningun[oa]?\\b|\\bnenhum|nao (?:e|esta) mais|impossib\\w{1,2} (?:de )?(?:trov|trouv|localis)|no se (?:pudo|puede|encontr)|nao foi possivel (?:encontrar|localizar)|n.?existe (?:pas|plus)|inexist[ae]nt|introuvable|(?:non|pas|plus) (?:trouve|valide|reconnu|active|utilise)|supprime|desactiv|desativ|disattivat|disabilitat|resilie|\\bferme|suspendu|suspendid|suspensa|sospes|\\bdesconocid|desconhecid|sconosciut|\\bno (?:existe|fue encontrad|encontrad|es valid|valid|registrad|esta activ)|\\bnon (?:esiste|trovat|valid|attiv|presente|e stat[oa] trovat|e (?:piu )?(?:valid|attiv))|\\bnao (?:existe|encontrad|valid|cadastrad|localizad|foi encontrad|e valid)|\\binvalid[oa]\\b|eliminad|cancelad|cancellat|removid|excluid|chius[oa]|dad[oa] de baja|inativ',
);

const RUSSIAN = eitherOrder(
  'отправител|відправник|\\bip\\b|(?:^| )ваш|сервер|домен|сообщени|повідомлен|письм|лист(?:а|у)? |спам|вирус|временн|тимчасов|позже|позднее|пізніше|политик|доступ|лимит|ліміт|превыш|перевищ|квот|мест[аo]|подключени|соединени|ретрансляц|списк|групп|парол|авториз',
  'пользовател|користувач|получател|отримувач|одержувач|адресат|ящик|скриньк|адрес|абонент|аккаунт|уч[её]тн\\S{0,3} запис|сотрудник',
  'не найден|не знайден|не существу|не існує|неизвест|невідом|отсутству|відсутн|не обнаружен|неверн|недействительн|не зарегистрирован|не используется|больше не|(?:^| )нет(?: |$)|немає|удал[её]н|видален|отключ|вимкнен|заблокирован|заблокован|закрыт|неактив',
);

const JAPANESE = eitherOrder(
  '送信者|差出人|送信元|発信|\\bip\\b|サーバ|ドメイン|迷惑|スパム|ポリシー|一時|しばらく|容量|接続|拒否|許可|添付|外部',
  '宛先|あて先|受信者|ユーザ|アドレス|メールボックス|アカウント|利用者|会員',
  '不明|存在し|存在いたし|見つか|ありません|無効|誤り|間違|登録されて|停止|解約|利用でき|使われて|使用されて|ご利用いただけ|削除|廃止|退会|おりません|いません',
);

const CHINESE = eitherOrder(
  '发件人|發件人|寄件|\\bip\\b|服务器|伺服器|域名|垃圾|策略|频率|頻率|容量|空间|空間|满|滿|超|连接|連接|稍后|稍後|暂时|暫時|您的|你的',
  '收件人|收件者|用户|用戶|邮箱|郵箱|信箱|帐号|账号|帳號|帐户|账户|帳戶|地址|收信人',
  '不存在|未找到|没有|沒有|无效|無效|停用|禁用|注销|冻结|凍結|锁定|鎖定|不正确|未开通|未注册|未註冊|找不到|关闭|關閉|失效|过期|過期',
);

const composed = (match: RegExp, seen: string): ReplyRow => ({
  match,
  means: 'no_mailbox',
  seen,
  composed: true,
});

export const MAILBOX_LOOSE_LANGUAGE_ROWS: readonly ReplyRow[] = [
  composed(GERMAN, '550 Diese E-Mail-Adresse ist uns nicht bekannt'),
  composed(ROMANCE, '550 Adresse de messagerie inconnue'),
  composed(RUSSIAN, '550 Ящика с таким именем больше нет'),
  composed(JAPANESE, '550 ご指定のメールアドレスは現在使用されておりません'),
  composed(CHINESE, '550 找不到这个收件人'),
];
