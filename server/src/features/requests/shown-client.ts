// What of a User-Agent is kept. Promise: printable ASCII, no e-mail address, and time that grows with its length alone.

export const CLIENT_CHARACTERS = 100;

/** Crawlers write their owner's address into it. */
export function shownClient(userAgent: string | undefined): string {
  return (userAgent ?? '')
    .replace(/[^ -~]/g, '?')
    .replace(/[^\s"(),;<>]+/g, (word) => (/@|%40/.test(word) ? '[address]' : word))
    .slice(0, CLIENT_CHARACTERS);
}
