// Which service a command speaks to, and with which key: the environment first, then what `mxproof login` saved.
// Promise: a saved key is sent to no other service than the one it was saved for.

import { MXProof } from '@mxproof/client';
import { variable } from '../shared/environment.ts';
import { EXIT, StatusError } from '../shared/exit-status.ts';
import { plain } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { readUrl } from '../shared/values.ts';
import { readLogin } from './saved-login.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface ServiceOptions {
  readonly url?: string;
}

interface ServiceAccount {
  /** Without the version prefix. */
  readonly url: string;
  readonly key: string;
}

type KeyMode = 'live' | 'test';

export interface Service extends ServiceAccount {
  readonly mx: MXProof;
  readonly mode: KeyMode;
}

/** Few, since a person waits: without a service it is said within about a second. */
const MAX_RETRIES = 2;

/** `otherwise` ends the sentence that says how to get a key. */
export async function connectService(options: ServiceOptions, otherwise = ''): Promise<Service> {
  return connect(await findServiceAccount(options, otherwise));
}

export function connect({ url, key }: ServiceAccount): Service {
  const onWarning = (warning: string) => void process.stderr.write(`Warning: ${plain(warning)}\n`);
  const mx = new MXProof({ baseUrl: url, apiKey: key, maxRetries: MAX_RETRIES, onWarning });
  return { url, key, mx, mode: key.startsWith('mx_test_') ? 'test' : 'live' };
}

async function findServiceAccount(options: ServiceOptions, otherwise: string): Promise<ServiceAccount> {
  const fromEnvironment = variable('MXPROOF_API_KEY');
  const saved = await readLogin();
  const url = await serviceUrl(options);
  if (fromEnvironment !== null) return { url, key: readKey('MXPROOF_API_KEY', fromEnvironment) };
  if (saved !== null && saved.url === url) return { url, key: saved.key };
  const login = saved === null && url === DEFAULT_URL ? 'mxproof login' : `mxproof login --url ${url}`;
  throw new StatusError(
    EXIT.notAllowed,
    `No API key for ${url}: run "${login}" once, or set MXPROOF_API_KEY${otherwise}.`,
  );
}

/** The option, else the environment, else the saved one, else the address of a service on this machine. */
export async function serviceUrl({ url }: ServiceOptions): Promise<string> {
  if (url !== undefined) return readServiceUrl('--url', url);
  const fromEnvironment = variable('MXPROOF_URL');
  if (fromEnvironment !== null) return readServiceUrl('MXPROOF_URL', fromEnvironment);
  return (await readLogin())?.url ?? DEFAULT_URL;
}

/** With or without `/v1` at its end. */
export function readServiceUrl(name: string, value: string): string {
  const { origin, pathname, search, hash } = readUrl(name, value);
  if (search !== '' || hash !== '') throw new UsageError(`${name} must be an address without a query.`);
  return (origin + pathname).replace(/\/+$/, '').replace(/\/v1$/, '');
}

export function readKey(name: string, value: string): string {
  if (!/^mx_(live|test)_[\w-]{1,200}$/.test(value))
    throw new UsageError(`${name} is not an API key: keys start with mx_live_ or mx_test_.`);
  return value;
}

/** True: the key would be sent unencrypted over a network. */
export function isInTheClear(url: string): boolean {
  return new URL(url).protocol === 'http:' && !isLoopback(url);
}

export function isLoopback(url: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[::1\]|(.*\.)?localhost)$/.test(new URL(url).hostname);
}
