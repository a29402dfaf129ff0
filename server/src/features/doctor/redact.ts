// Keeps secrets out of what the doctor says, wherever a detail came from: a driver's message, a server's reply, a path.
// Promise: no value of a secret setting, and no password in a URL, passes; what is printed and stored is one plain line.
import type { Environment } from '../../settings/config.ts';

const SECRET_NAME = /SECRET|PASSWORD|TOKEN|API_KEY/;
/** A shorter one occurs in ordinary words. */
const SHORTEST_SECRET = 6;
const MAX_CHARACTERS = 600;
const MASK = '***';
/** `//user:password@host`, also where a comma or a space comes before. */
const CREDENTIALS = /\/\/[^\s/@:]*:[^\s/]*@/g;
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

export type Redact = (text: string) => string;

export function createRedact(env: Environment): Redact {
  const secrets = secretsOf(env);
  return (text) => {
    let clean = text.replace(CONTROLS, ' ').replace(CREDENTIALS, `//${MASK}@`);
    for (const secret of secrets) clean = clean.replaceAll(secret, MASK);
    clean = clean.trim();
    return clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS - 1)}…` : clean;
  };
}

/** The longest first: one may be a part of another. */
function secretsOf(env: Environment): string[] {
  const found = new Set<string>();
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith('MXPROOF_') && name !== 'DATABASE_URL') continue;
    if (SECRET_NAME.test(name)) found.add(value.trim());
    for (const [, user = '', password = ''] of value.matchAll(/\/\/([^\s:/@]*):([^\s/]*)@/g)) {
      // A proxy's user name is a credential as well.
      const parts = name === 'DATABASE_URL' ? [password] : [user, password];
      for (const part of parts) found.add(part).add(decoded(part));
    }
  }
  return [...found].filter(({ length }) => length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
