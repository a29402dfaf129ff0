// What the first start prints: the account, and a command to paste.
// Promise: printed once, to the terminal if there is one and never to the log, since it contains a key and a secret.

import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { FirstOpenedAccount } from './flow/first-account.ts';
import { LINK_MINUTES } from './store/sign-in-links.ts';

/** It opens a page whose button signs the browser in. */
export function signInUrl(url: string, token: string): string {
  return new URL(`/sign-in/${token}`, url).href;
}

export function operatorSignInUrl(url: string, token: string): string {
  return new URL(`/operator/sign-in/${token}`, url).href;
}

export function firstSteps(account: FirstOpenedAccount, url: string, consoleUrl: string): string {
  // A certificate is for the service's public name, which this address is not.
  const curl = url.startsWith('https:') ? 'curl -sk' : 'curl -s';
  const key = `-H 'Authorization: Bearer ${account.apiKey}'`;
  return `
MXProof created a first account with ${account.credits} credits. Its key and secret are shown only once:

  API key         ${account.apiKey}
  webhook secret  ${account.webhookSecret}

Try it:

  ${curl} ${url}/v1/account ${key}
  ${curl} ${url}/v1/verify ${key} -H 'Content-Type: application/json' -d '{"email":"someone@example.com"}'

Docs: ${consoleUrl}/docs
Sign in to the console, once, within ${LINK_MINUTES} minutes: ${signInUrl(consoleUrl, account.signInToken)}

`;
}

/** For the log, in place of a key. */
export function howToSignIn(accountId: number, credits: number): string {
  const command = `mxproof account link ${accountId}`;
  return `first account created with ${credits} credits; its key is not for a log. To sign a browser in, run "${command}", in a container "docker exec CONTAINER ${command}"`;
}

const STDOUT = 1;
const STDERR = 2;

/**
 * Standard output, unless only standard error is a terminal: then a person sits there, and the output is a log that
 * should not keep the key. False: neither takes it.
 */
export function show(words: string): boolean {
  const streams = !isatty(STDOUT) && isatty(STDERR) ? [STDERR, STDOUT] : [STDOUT, STDERR];
  return streams.some((stream) => {
    try {
      writeSync(stream, words);
      return true;
    } catch {
      return false;
    }
  });
}
