// Where in a sentence the reply of a mail server begins, and at which stage it was given. Pure, linear.

/** After these words a number is a reply's. */
const QUOTED =
  /(?:^|\b(?:said|returned|responded|replied|response|reply|reason|deferred|diagnostic|gave this error|remote server was)[:\s]{1,3}|smtp;|<<<|\berror:|[>\])]:|->)[\s'"(#]{0,4}([45]\d\d)(?=[ \-;:,]|$)/i;
/** Anywhere, with its enhanced code. */
const WITH_STATUS = /(?<![\d.])[45]\d\d[ -]#?['"]?[45]\.\d{1,3}\.\d{1,3}(?![\d.])/;
/** The enhanced code alone: at the start, or as qmail and Exchange write it. */
const STATUS_ONLY = /^[\s(#<]{0,4}[45]\.\d{1,3}\.\d{1,3}(?=[\s)>;,:]|$)|[(<]#[45]\.[0-7]\.\d{1,3}[)>\s]/;

/** Null: it quotes no reply. */
export function saidIn(text: string): string | null {
  const quoted = QUOTED.exec(text);
  const quotedAt = quoted === null ? Number.POSITIVE_INFINITY : quoted.index + quoted[0].length - 3;
  const at = Math.min(quotedAt, WITH_STATUS.exec(text)?.index ?? Number.POSITIVE_INFINITY);
  if (at !== Number.POSITIVE_INFINITY) return text.slice(at).replace(/['"\s]{1,5}$/, '');
  return STATUS_ONLY.test(text) ? text : null;
}

/** What names the command that was answered. */
const AFTER =
  '\\b(?:in reply to|after|sending|command|failed on)[:"\\s]{1,3}(?:the |pipelined |end of ){0,2}';
const after = (command: string, words: string) => new RegExp(`${AFTER}${command}|${words}`, 'i');

const STAGES: readonly (readonly [words: RegExp, stage: string])[] = [
  [/refused to talk to me|but greeting failed|after initial connection/i, 'banner'],
  [after('(?:data|\\.)(?=[\\s)":,]|$)', 'after i sent the message|sending data block'), 'data'],
  [after('mail from\\b', 'sender was rejected'), 'mail'],
  [after('(?:ehlo|helo|lhlo)\\b', 'my name was rejected'), 'ehlo'],
  [after('starttls\\b', 'starttls command'), 'starttls'],
  [after('rcpt to\\b', "do(?:es no|esn')t like recipient"), 'rcpt'],
];

/** In the words of read-at-stage.ts; empty: it does not say. */
export function stageIn(text: string): string {
  return STAGES.find(([words]) => words.test(text))?.[1] ?? '';
}

const HOST =
  /\bhost ([a-z0-9_-]{1,63}\.[a-z0-9._-]{1,190})(?=[\s[(:]|$)|\brelay="?([a-z0-9_-]{1,63}\.[a-z0-9._-]{1,190})|\bH=([a-z0-9_-]{1,63}\.[a-z0-9._-]{1,190})|remote server at ([a-z0-9_-]{1,63}\.[a-z0-9._-]{1,190})|while talking to ([a-z0-9_-]{1,63}\.[a-z0-9._-]{1,190})|server for the recipient domain [^\s]{1,255} by ([a-z0-9_-]{1,63}\.[a-z0-9._-]{1,190})/i;

/** The mail host that answered; empty: it does not say. */
export function hostIn(text: string): string {
  return HOST.exec(text)?.slice(1).find(Boolean) ?? '';
}
