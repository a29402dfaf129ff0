// A mailbox that is gone: never there, closed, or moved. For rows that fit either, since they cover many wordings of many
// languages. Promise: decides only between words for the same verdict; a reply that says both ("unknown or disabled") is
// a mailbox that does not exist.
import type { Detail } from '@mxproof/common/vocabulary/labels';

/** The kinds of a mailbox that the server says is not there. */
export type GoneKind = Extract<Detail, 'no_such_mailbox' | 'mailbox_disabled' | 'mailbox_moved'>;

const UNKNOWN =
  /unknown|unkown|\bno such\b|(?:not|n't) exist|non-?existent|not found|unbekannt|existiert nicht|inconnu|introuvable|inexist|n'existe|desconoc|no existe|sconosciut|non esiste|desconhec|nao existe|nieznan|nie istnieje|onbekend|bestaat niet|неизвест|не найден|не существует|не знайден|не існує|невідом|存在|見つか|不明|未找到|查无|查無|찾을 수 없|알 수 없/;

const DISABLED = new RegExp(
  [
    'disabled|deactivat|inactiv|suspend|\\b(?:closed|terminated|locked|expired|deleted)\\b|account ?disabled',
    'deaktivi|gesperrt|gelo.{1,2}scht|stillgelegt|geschlossen|inaktiv|abgeschaltet|geku.{1,2}ndigt',
    'desactiv|fermee?\\b|cloturee?\\b|supprimee?\\b|resilie|archivee?\\b|bloquee?\\b|expiree?\\b',
    'deshabilitad|cancelad|eliminad|bloquead|cerrad|expirad|dad[oa] de baja|caducad',
    'disabilitat|disatt+ivat|sospes|chius[oa]|cancellat|rimoss|bloccat|scadut|inattiv',
    'desativad|desabilitad|suspens|encerrad|removid|inativ|excluid',
    'zablokowan|usunie|nieaktywn|opgeheven|uitgeschakeld|niet actief',
    'avaktiver|sparrat|stangt|avslutat|lukket|stengt|sperret|suljettu|zrusen|zablokovan|megszunt|letiltva|dezactivat|\\bsters|kapat.l|devre d.s.|silin|απενεργοποι',
    'заблокирован|отключ|удал[её]н|деактивирован|закрыт|неактив|видален|вимкнен|заблокован',
    '停止|解約|削除|廃止|退会|停用|禁用|注销|冻结|凍結|锁定|鎖定|关闭|關閉|过期|過期|휴면|정지|tidak aktif|bi khoa|bi xoa',
  ].join('|'),
);

const MOVED = /\bhas moved\b|\bnot local\b|\bverzogen\b|переехал/;

/** In the order in which they are tried. */
const KINDS: readonly (readonly [RegExp, GoneKind])[] = [
  [MOVED, 'mailbox_moved'],
  [UNKNOWN, 'no_such_mailbox'],
  [DISABLED, 'mailbox_disabled'],
];

/** `words`: as the rows are matched against. */
export function goneKind(words: string): GoneKind {
  return KINDS.find(([match]) => match.test(words))?.[1] ?? 'no_such_mailbox';
}
