// Names that show whether a name server can be trusted. Data: each certainly has mail, and has had it for many years.

/**
 * One per top-level domain, queried while an address waits for proof that a name does not exist. A top-level domain
 * that is not here takes the proof of any other. Checked on 2026-11-16.
 */
export const DEFAULT_SENTINELS: readonly string[] = [
  'gmail.com',
  'comcast.net',
  'wikimedia.org',
  'gmx.de',
  'orange.fr',
  'libero.it',
  'seznam.cz',
  'mail.ru',
];

/** Large mailbox providers: a server that says that one of these does not exist has shown that it lies. */
export const LARGE_PROVIDERS: readonly string[] = [
  ...DEFAULT_SENTINELS,
  '163.com',
  'aol.com',
  'att.net',
  'btinternet.com',
  'free.fr',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'mac.com',
  'me.com',
  'msn.com',
  'naver.com',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  'qq.com',
  't-online.de',
  'uol.com.br',
  'verizon.net',
  'wanadoo.fr',
  'web.de',
  'wp.pl',
  'yahoo.co.jp',
  'yahoo.com',
  'yandex.ru',
  'zoho.com',
];

export function topLevelOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
