// Variables that begin as ours do and that nothing reads: most are misspelt, and their setting is not in effect.
// Promise: a sentence names the variable and the one that may have been meant, never its value.

import { slips } from '@mxproof/common/slips';

const PREFIX = 'MXPROOF_';
/** All that begin so: the service's, then those of commands and programs that call it. */
export const SETTINGS: readonly string[] = [
  'MXPROOF_DATA_DIR',
  'MXPROOF_PUBLIC_URL',
  'MXPROOF_SECRET_KEY',
  'MXPROOF_DNS_SERVERS',
  'MXPROOF_DNS_SENTINELS',
  'MXPROOF_SMTP_PORT',
  'MXPROOF_HELO_NAME',
  'MXPROOF_MAIL_FROM',
  'MXPROOF_SOURCE_ADDRESSES',
  'MXPROOF_ABUSE_CONTACT',
  'MXPROOF_POLICY_FILE',
  'MXPROOF_ALLOW_PRIVATE_TARGETS',
  'MXPROOF_VERIFY_WAIT_SECONDS',
  'MXPROOF_LIST_HOURS',
  'MXPROOF_EVIDENCE_DAYS',
  'MXPROOF_CALLBACK_RETRY_SECONDS',
  'MXPROOF_CALLBACK_PORTS',
  'MXPROOF_SMTP_RETRY_SECONDS',
  'MXPROOF_RATE_REQUESTS',
  'MXPROOF_RATE_ADDRESSES',
  'MXPROOF_RATE_ACCOUNT',
  'MXPROOF_TRUST_PROXY',
  'MXPROOF_TLS_CERT',
  'MXPROOF_TLS_KEY',
  'MXPROOF_BACKUP_DIR',
  'MXPROOF_BACKUP_KEEP',
  'MXPROOF_BACKUP_PASSPHRASE',
  'MXPROOF_API_KEY',
  'MXPROOF_URL',
  'MXPROOF_WEBHOOK_SECRET',
];
const MAX_WARNINGS = 10;
const MAX_NAME_CHARACTERS = 64;
/** Behind the prefix. A word left out or put in is more than a slip, but begins or ends the same. */
const MAX_SLIPS = 3;

export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !SETTINGS.includes(name))
    .sort()
    .slice(0, MAX_WARNINGS)
    .map((name) => {
      const shown = name.slice(0, MAX_NAME_CHARACTERS).replace(/[^ -~]/g, '?');
      const meant = nearest(name.slice(0, MAX_NAME_CHARACTERS));
      return `${shown} is not a setting of MXProof and has no effect${meant ? `: did you mean ${meant}?` : '.'}`;
    });
}

function nearest(name: string): string | null {
  let best: string | null = null;
  let fewest = MAX_SLIPS + 1;
  for (const setting of SETTINGS) {
    const found = slips(name, setting, MAX_SLIPS);
    if (found !== null && found < fewest) [best, fewest] = [setting, found];
  }
  return best;
}
