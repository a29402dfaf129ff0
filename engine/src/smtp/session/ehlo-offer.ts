// What a server offers in its reply to EHLO. Decides, touches nothing.
import type { Reply } from '../../types.ts';

export interface EhloOffer {
  readonly pipelining: boolean;
  readonly startTls: boolean;
  readonly smtpUtf8: boolean;
  /** RFC 9422 RCPTMAX, where the server tells. */
  readonly recipientsMax: number | null;
}

export const NO_OFFER: EhloOffer = {
  pipelining: false,
  startTls: false,
  smtpUtf8: false,
  recipientsMax: null,
};

export function ehloOffer(reply: Reply): EhloOffer {
  const offered = reply.lines.slice(1).map((line) => line.trim().toUpperCase());
  const limits = offered.find((line) => line.startsWith('LIMITS '));
  const recipientsMax = limits === undefined ? null : /\bRCPTMAX=(\d{1,6})\b/.exec(limits);
  return {
    pipelining: offered.includes('PIPELINING'),
    startTls: offered.includes('STARTTLS'),
    smtpUtf8: offered.includes('SMTPUTF8'),
    recipientsMax: recipientsMax === null ? null : Math.max(1, Number(recipientsMax[1])),
  };
}

/** For the evidence: the host's name and the keywords it offers. */
export function ehloWords(reply: Reply): string {
  const [greeting = '', ...offered] = reply.lines;
  return `${reply.code} ${greeting}${offered.length > 0 ? ` [${offered.join(', ')}]` : ''}`;
}
