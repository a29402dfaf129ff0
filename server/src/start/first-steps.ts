// What the first start prints: the account, and a command to paste.
// Promise: printed once, and only to a terminal unless the operator says otherwise, since it contains a key, a secret and a link,
// and other output is kept.

import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { FirstOpenedAccount } from '../flow/first-account.ts';
import { LINK_MINUTES } from '../store/sign-in-links.ts';

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
  return `first account created with ${credits} credits; its key is not for a log: "mxproof account link ${accountId}" makes a link that signs a browser in, "mxproof key create ${accountId}" a key for programs; in a container, run them with "docker exec CONTAINER"`;
}

const STDOUT = 1;
const STDERR = 2;

/**
 * In the order to try them: a terminal comes first, since a person sits there. Empty: the secrets are not made at all.
 * @param isShown null: to a terminal only
 */
export function streamsToShowOn(isShown: boolean | null): readonly number[] {
  if (isShown === false) return [];
  const terminals = [STDOUT, STDERR].filter((stream) => isatty(stream));
  return isShown === null ? terminals : [...new Set([...terminals, STDOUT, STDERR])];
}

/** False: none of the streams takes it. */
export function show(words: string, streams: readonly number[]): boolean {
  return streams.some((stream) => {
    try {
      writeSync(stream, words);
      return true;
    } catch {
      return false;
    }
  });
}
