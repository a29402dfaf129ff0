// What clients are made with: where the service is, who asks, and the limits of calls.
// Promise: what cannot be right is refused at once, and a key is in no message.
import { type AnswerInfo, Transport } from './transport/transport.ts';
import { VERSION } from './version.ts';

export interface ClientSettings {
  /** Default: the runtime's own. For a proxy, an agent, or tests. */
  readonly fetch?: typeof fetch;
  /** Attempts after the first, of each call. Default 5. */
  readonly maxRetries?: number;
  /** One attempt, its answer's body included. Default 60,000; a single check waits up to 20,000. */
  readonly timeoutMs?: number;
  /** All attempts of a call and the waits between them. Default 300,000. */
  readonly deadlineMs?: number;
  /**
   * Called with what the service says about a request beside its answer, such as `unknown field: group` where an older service
   * does not know what was sent; each sentence once. Default: `console.warn`.
   */
  readonly onWarning?: (warning: string) => void;
  /** Called with what names each answer of the service (`requestId`), refusals and retries too. */
  readonly onAnswer?: (answer: AnswerInfo) => void;
}

/** In a page that the service itself serves: its sign-in cookie instead of a key. */
export interface SessionSettings {
  readonly session: true;
  /** What the sign-in answered as `proof`, as the page keeps it: read for each request. Null: not signed in. */
  readonly sessionProof: () => string | null;
  /** Default: the page's own origin. */
  readonly baseUrl?: string;
}

/** A part of the service's interface, and who may ask it. */
export interface Api {
  readonly prefix: '/v1' | '/admin/v1';
  /** What a `baseUrl` may end in, since people copy it so. */
  readonly end: RegExp;
  readonly proofHeader: string;
  readonly keyVariable: Variable;
  readonly keyMistake: string;
}

type Variable = 'MXPROOF_API_KEY' | 'MXPROOF_ADMIN_KEY' | 'MXPROOF_URL';

/** As of the command line and the Python client: where a service listens that was just started. */
const DEFAULT_URL = 'http://127.0.0.1:8080';
const MAX_RETRIES = 5;
const TIMEOUT_MS = 60_000;
const DEADLINE_MS = 300_000;

/** @throws TypeError */
export function keyOf(of: Api, given: string | undefined): string {
  const key = given ?? variable(of.keyVariable);
  // Header values take no other characters; the key itself stays out of the sentence.
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError(of.keyMistake);
}

/** @param who a key, or the session that is signed in. @throws TypeError */
export function transportOf(
  of: Api,
  settings: ClientSettings & { readonly baseUrl?: string | undefined },
  who: string | SessionSettings,
): Transport {
  const { maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS, deadlineMs = DEADLINE_MS } = settings;
  const isSession = typeof who !== 'string';
  return new Transport({
    origin: isSession && settings.baseUrl === undefined ? '' : originOf(of, settings.baseUrl),
    prefix: of.prefix,
    headers: isSession ? sessionHeaders(of, who) : keyHeaders(who),
    session: isSession,
    fetch: settings.fetch ?? ((...request) => globalThis.fetch(...request)),
    maxRetries,
    timeoutMs,
    deadlineMs,
    random: Math.random,
    onAnswer: settings.onAnswer,
    onWarning: settings.onWarning ?? ((warning) => console.warn(`MXProof: ${warning}`)),
  });
}

function originOf({ end }: Api, given: string | undefined): string {
  const baseUrl = given ?? variable('MXPROOF_URL') ?? DEFAULT_URL;
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(
      'baseUrl is the address of your MXProof service, such as https://mxproof.example.com.',
    );
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl has no user name, query or fragment.');
  return url.origin + url.pathname.replace(/\/+$/, '').replace(end, '');
}

function keyHeaders(key: string): () => Record<string, string> {
  // A browser may keep its own user agent.
  const headers = { authorization: `Bearer ${key}`, 'user-agent': `mxproof-js/${VERSION}` };
  return () => headers;
}

function sessionHeaders(
  { proofHeader }: Api,
  { sessionProof }: SessionSettings,
): () => Record<string, string> {
  if (typeof sessionProof !== 'function')
    throw new TypeError('sessionProof is a function that returns what the sign-in answered as proof.');
  return () => {
    const proof = sessionProof();
    return { 'x-mxproof-console': '1', ...(proof && { [proofHeader]: proof }) };
  };
}

/** Runtimes without an environment, or that do not allow to read it, have none; empty counts as unset. */
function variable(name: Variable): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
