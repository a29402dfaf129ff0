// A reply's lines → the words that the tables are matched against, and the links in it. Removes everything that comes
// from the question rather than the answer: addresses, host names, numbers.
// Promises: bounded work (only the first MAX_MATCHED_CHARS count, before and after unfolding), linear, never throws.

/** More marks on one letter than any script has (UAX #15, stream-safe text): putting them in order takes their square. */
const LONG_MARKS = /(\p{M}{30})\p{M}+/gu;

/** The longest refusal seen is 900 characters; what comes later is a help page. */
const MAX_MATCHED_CHARS = 2_048;

export interface ReplyWords {
  readonly words: string;
  /** URLs and host names, blank-separated, lower case; never from inside an address. */
  readonly links: string;
}

const ADDRESS = /<?(?:"[^"\s]{1,64}"|[^\s<>@"'`,;:()[\]=]{1,64})@[^\s<>@"'`,;:()[\]]{1,255}>?/g;
/** What a bounce writes around a reply; a command before RCPT stays, since it tells the stage. */
const BOUNCE_DRESS =
  /\(in reply to (?:the )?(?:end of data|data|rcpt to)(?: command)?\)|^(?:<[^\s<>]{1,320}>:? )?(?:host \S{1,300} said|remote host said|smtp error from remote mail server after rcpt to:\S{1,330} host \S{1,255} \[\S{1,45}\]|(?:diagnostic-code: ?)?(?:smtp|x-postfix);):? ?|giving up on \S{1,60}/g;
const URL = /\b(?:https?:\/\/|www\.)[^\s<>"')\]]{1,300}/g;
const IP =
  /\[?\b(?:ipv6:)?(?:\d{1,3}|#|x{1,3})(?:\.(?:\d{1,3}|#|x{1,3})){3}\b\]?|\[?\b(?:ipv6:)?(?:[0-9a-f]{1,4}:){3,7}:?[0-9a-f:]{1,20}\]?|\[?\b(?:ipv6:)?(?:[0-9a-f]{1,4}:){1,6}:[0-9a-f:]{1,20}\]?/g;
// Not every `a.b` is a host: replies also say `unavailable.please` and `resolver.adr.recipnotfound`.
const HOST =
  /\b(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.){1,8}(?:com|net|org|edu|gov|mil|int|info|biz|arpa|io|ai|app|dev|cloud|email|xyz|top|club|tech|site|shop|store|online|space|local|localdomain|lan|internal|example|invalid|test|xn--[a-z0-9-]{2,40}|(?!(?:if|or|we|an|on|of|up|he|ip|id)\b)[a-z]{2})\b(?![.][a-z])/g;
/** `#5.1.1`, `550-5.1.1`, `550 5.1.1`: the numbers have rules of their own. */
const ENHANCED = /[(#[]{0,2}\b[245]\.\d{1,3}\.\d{1,3}\b[)\]]?/g;
const LEADING_CODE = /^(?:(?!517)[2-5]\d\d[ -]+){1,3}/;
/** As real servers write them; a word that is spelt right has one row to read it. */
const MISSPELT: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:so|no|not) (?:such|suck|sush|souch|shuch|suhc)(?= (?:users?|usr|rec[ei]\w{1,12}|mail ?box|account|address|person|alias|domain)\b)/g,
    'no such',
  ],
  [/\b(?:unkown|uknown|unknow|unkonwn|unknwon|unkwown)\b/g, 'unknown'],
  [/\b(?:recepient|reciepient|receipient|recipent|recipeint|recepiant)(?=s?\b)/g, 'recipient'],
  [/\binvaild\b/g, 'invalid'],
  [/(?<=\bnot )(?:exsists?|exsits?|exits)\b/g, 'exist'],
];
/** A name in angle brackets, or a dotted or numbered one in quotes: the mailbox asked for. */
const NAME = /<[^\s<>]{1,80}>|"[^\s"]{0,60}[._\d-][^\s"]{0,60}"|'[^\s']{0,60}[._\d-][^\s']{0,60}'/g;

/**
 * A bare local part where a sentence quotes the mailbox: `user quota.full unknown`, `no such user spam here`.
 * The words that also stand there in sentences of their own stay.
 */
const OWN_WORDS =
  '(?!(?:is|was|are|has|had|not|no|or|and|of|in|at|on|by|for|with|name|id|accounts?|address(?:es)?|mailbox(?:es)?|users?|here|exists?|found|this|that|to|the|a|error|rejected|rejecting|specified|could|cannot|can|does|doesn|do|server|host|domain|service|database|system|lookup|verification|quota|mail|e-?mail|ldap|directory|record)(?:[ :,]|[.!]?$))';
const QUOTED_NAME_FIRST = new RegExp(
  `\\b(user|mailbox|account|recipient|local part):? ${OWN_WORDS}[a-z0-9._+-]{1,64}(?= (?:is )?(?:unknown|not found|not known|does not exist|doesn't exist)\\b)`,
  'g',
);
const QUOTED_NAME_LAST = new RegExp(
  `\\b((?:no such|unknown) (?:user|mailbox|account|recipient|local part)):? ${OWN_WORDS}[a-z0-9._+-]{1,64}(?= (?:here|in|at|on)\\b|[.!]?$)`,
  'g',
);

export function replyWords(lines: readonly string[]): ReplyWords {
  let text = folded(cut(lines.join(' ')))
    .replace(BOUNCE_DRESS, ' ')
    .trimStart();
  let links = '';
  const keep = (found: string, token: string): string => {
    links += ` ${found}`;
    return ` ${token} `;
  };
  if (text.includes('://') || text.includes('www.')) text = text.replace(URL, (found) => keep(found, 'URL'));
  if (text.includes('@')) text = text.replace(ADDRESS, ' MAIL ');
  text = text.replace(LEADING_CODE, '').replace(ENHANCED, ' ').replace(IP, ' IP ');
  text = text.replace(HOST, (found) => keep(found, 'HOST')).replace(NAME, ' NAME ');
  text = text.replace(/[([] {1,2}(MAIL|NAME) {1,2}[)\]]/g, '$1');
  text = text.replace(/[\s_]+/g, ' ').trim();
  for (const [wrong, right] of MISSPELT) text = text.replace(wrong, right);
  text = text.replace(QUOTED_NAME_FIRST, '$1 NAME').replace(QUOTED_NAME_LAST, '$1 NAME');
  return { words: text, links: links.trim() };
}

function cut(text: string): string {
  return text.length > MAX_MATCHED_CHARS ? text.slice(0, MAX_MATCHED_CHARS) : text;
}

/** Lower case; accents off Latin letters, so that one row reads `Empfänger`, `Empfanger` and most mojibake. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  // One sign may stand for eighteen: what they unfold to is cut as well.
  return cut(lower.replace(LONG_MARKS, '$1').normalize('NFKD'))
    .replace(/([a-z])[\u0300-\u036f]+/g, '$1')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replace(/[\u2018\u2019\u00b4]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-');
}
