// Whether a refusal that is read as something else than a missing mailbox says so little that it would fit one as well:
// every word of it is known here, and none of them names us, our sender, a list, a rule, a message, the moment, or who
// may write to the mailbox. Only such refusals are compared with the replies to other recipients (check/comparison.ts): a
// mailbox with a rule of its own is there all the same. A word that is not known may say anything. Promises: linear,
// never throws.
import type { ReplyWords } from './reply-words.ts';

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  [
    // What the reply named: the mailbox, its own host.
    'MAIL NAME HOST',
    "a all an and any are as at be can cannot can't could couldn't did do does doesn't don't for has have here i i'm in",
    "is isn't it its me my no non not of or our out so sorry such that the there this to us was we were will won't",
    'accept accepted accepting access action allow allowed attempt deliver delivered delivery denied denies deny disallowed',
    'exist exists existent fail failed find forbidden found go away handle handled permit permitted possible refuse',
    'refused refuses reject rejected rejecting rejects requested taken transaction unable',
    'address addresses account destination e email emails gateway local location mail mailbox mails name rcpt recipient',
    'recipients user users',
    // The domain and its relay concern every recipient: a host that accepts another one of the domain does not mean these.
    'domain domains forward forwarding host hosted hosts known nullmx rcpthosts relay relayed relaying unknown valid',
    'invalid',
    // "Access denied", "relaying not allowed" elsewhere.
    'acceso acces accesso acesso denegado negado negato nicht erlaubt reencaminhamento verweigert zugriff',
  ].flatMap((line) => line.split(' ')),
);

export function isUninformative({ words, links }: ReplyWords): boolean {
  if (/[^\x00-\x7f]/.test(words) || links.includes('://') || links.includes('www.')) return false;
  for (const word of words.split(/[^A-Za-z']+/)) if (word !== '' && !EMPTY_WORDS.has(word)) return false;
  return true;
}
