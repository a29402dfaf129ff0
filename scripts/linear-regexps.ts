// Regular expressions of which check-regexps.ts cannot show that they take linear time, each with the reason why what it is
// matched against keeps it cheap. One that no source has any more is a fault.

interface Listed {
  readonly why: string;
  readonly regexps: readonly RegExp[];
}

export const LISTED: readonly Listed[] = [
  {
    why: "A setting, a file or a message of the operator's own machine, or typed by its user.",
    regexps: [
      /\/+$/,
      /^\[X-MXProof\]\nInstallation=(.*)$/m,
      /^before-upgrade-[\d.]+-to-[\d.]+-\d{8}T\d{6}Z(?:\.backup\.[0-9a-f]{8})?\.part$/,
      /^Max open files\s+(\S+)/m,
      /password authentication|no pg_hba|role .* does not exist|authentication/i,
      /database .* does not exist/i,
      /^var standalone_default = (".*");\n\/\/#endregion$/ms,
      /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_UNTRUSTED)$/,
      /^(?=.{1,253}$)(?![\d.]+$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i,
    ],
  },
  {
    why: 'Written by us: a table of the sources, or what the service says.',
    regexps: [/\[([^\]]*)\]\([^)]*\)/g, /[.?!]+$/, /<?[^\s<>()]+@[^\s<>()]+>?(?:\.\.\.)?/g],
  },
  {
    why: "A name of DNS, of at most 255 characters, or a name in a row of an operator's file; or an SPF record of at most 4,096.",
    regexps: [
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
      /^[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/,
      /(?:^|[.-])(?:(?:adsl|broadband|cpe|cust|customers?|dhcp|dial|dialup|dsl|dyn|dynamic|ec2|ftth|pool|pppo?e?|static|unassigned)\d*|vps-?[0-9a-f]{4,})(?:[.-]|$)/,
      /^0+(?=\d)/,
      /^(?=.{1,253}$)(?:[!-\-/-~]{1,63}\.)+[!-\-/-~]{1,63}$/,
      /%\{[a-z]0+(?!\d)/i,
      /^([+?~-]?)([a-z][a-z0-9]*)(.*)$/i,
    ],
  },
  {
    why: 'The words of a reply, of which 2,048 characters are looked at, one address in them, or a link of at most 300.',
    regexps: [
      /^(?!.*(?:\bip\b|\bIP\b|too many|\breceiv)).*(?:not (?:allowed|permitted|able|authori[sz]ed)|disabled|blocked|unable|suspended) (?:to|for|from) send|outgoing (?:e-?mails?|mails?|messages?) (?:from|of|for)|\byour (?:e-?mail )?(?:account|mail ?box) (?:is |has been |was )(?:full|over|suspended|disabled|blocked|locked|not|closed)/,
      /^(?!.*www\.)[a-z0-9._+-]{1,60}@[a-z0-9.-]{1,255}$/,
      /^(?:(?!517)[2-5]\d\d[ -]+){1,3}/,
      /[.,;:!?]+$/,
    ],
  },
  {
    why: 'A line of a bounce, from its beginning or from words that do not repeat, and then the rest as it is: linear, with too many states to show it.',
    regexps: [
      /^(?:> ?){0,10}?(>>> (?:[A-Z]{4}|STARTTLS)\b.*)$/i,
      /^-{2,}\s?(?:below this line is a copy|this is a copy of|original message|original headers|returned message|message header follows|enclosed is a copy|included is a copy)|^original message headers:|^the body of the message is /i,
      /^(?:from|return-path|sender|reply-to|message-id|references|in-reply-to|received|cc|date|subject|x-[a-z-]+|generating server|reporting-mta)\b|\bfrom=|\bpostmaster@|\bmailer-daemon@|\bcontact\b/i,
      /\bstatus=([a-z-]{4,20}) \((.*)$/s,
      /\bdelivery (\d{1,12}): (success|failure|deferral): (.*)$/s,
      /^([!-9;-~]{1,76}):[ \t]{0,16}(.*)$/,
      /^(original-recipient|final-recipient|action|status|remote-mta|diagnostic-code|reporting-mta|received-from-mta|arrival-date|last-attempt-date|final-log-id|will-retry-until|localized-diagnostic|x-[a-z-]{1,60}):\s{0,16}(.*)$/is,
      /^From \S{1,320} +[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d/,
    ],
  },
  {
    why: 'One class of characters: `v` is not known to the checker, or \\p{M} has too many ranges for it.',
    regexps: [
      /[[\p{Cf}\p{Cc}\p{Z}\p{Cs}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\ufe0e\ufe0f]]/v,
      /[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2400-\u243f\u2800\ufffc\ufffd]--[\p{ASCII}\ufe0e\ufe0f]]/v,
      /(\p{M}{30})\p{M}+/gu,
    ],
  },
  {
    why: 'A cell of at most 1,000 characters, or one reference of at most 13.',
    regexps: [/\S*:\/\/\S*/g, /^[,;|/&+，；、\s]+|[,;|/&+，；、\s]+$/g, /\d+$/],
  },
  {
    why: 'Between one `<` and the next, none of its parts can match at two places: linear, with too many states or a back reference.',
    regexps: [
      /(<(?:\w+:)?c\s(?:[^<>]*?\s)?r\s*=\s*["'][A-Z]{1,3})\d+/g,
      /<(?:\w+:)?f(?:\s[^<>]*)?\/>|<((?:\w+:)?)f(?:\s[^<>]*)?>[^<]*<\/\1f>/g,
    ],
  },
  {
    why: 'Valid JSON: each quotation mark has its end.',
    regexps: [/"[^"\\]*(?:\\.[^"\\]*)*"/g],
  },
  {
    why: 'From the beginning of a URL to the first sign that ends its host.',
    regexps: [/^https?:\/\/[^/?#]*(?=[/?#]|$)/i],
  },
];
