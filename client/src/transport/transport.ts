// One call to the service: its attempts, the waits between them, and what came of it.
// Promise: every attempt of a call sends the same bytes under the same Idempotency-Key, the call ends within its
// deadline, and the key is sent to `baseUrl` alone.
import { ConnectionFailed, DeadlineExceeded, MXProofError, UnexpectedAnswer } from '../errors.ts';
import { refusalOf } from '../refusals.ts';
import { sleep, within } from './abort.ts';
import { mayHaveBeenDone, mayRepeat, type Repeat, waitBeforeRetryMs } from './backoff.ts';
import { parseBounded, TooManyValues } from './bounded-json.ts';
import { type Query, queryText } from './query-text.ts';
import { BodyTooLarge, MAX_RESPONSE_BYTES, readBody } from './read-body.ts';

export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. What the service has begun goes on there. */
  readonly signal?: AbortSignal;
  /** Attempts after the first. Default 5. */
  readonly maxRetries?: number;
  /** One attempt, its answer's body included. Default 60,000. */
  readonly timeoutMs?: number;
  /** All attempts and the waits between them. Default 300,000. */
  readonly deadlineMs?: number;
  /** Called with what names each answer of the service, refusals too, before the call goes on. */
  readonly onAnswer?: (answer: AnswerInfo) => void;
}

/** What an answer says beside its body. */
export interface AnswerInfo {
  /** `X-Request-Id`: names the request in `requests` and in the service's log. Null: a proxy has answered. */
  readonly requestId: string | null;
  readonly status: number;
  /** `Idempotent-Replayed`: it is the remembered answer to an earlier request with this `Idempotency-Key`. */
  readonly replayed: boolean;
}

export interface PostOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters. Default: a new one for each call, the same in all its attempts. */
  readonly idempotencyKey?: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the prefix. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly repeat?: Repeat;
}

export interface ServiceResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** `test`: no network and no credits. */
export type Mode = 'live' | 'test';

/** What is asked for, and how its text is read. */
export type Format = 'application/json' | 'text/csv';

export interface TransportSettings {
  /** Without the prefix; empty in a page of the service itself. */
  readonly origin: string;
  /** Of every path. */
  readonly prefix: '/v1' | '/admin/v1';
  /** Asked for each request. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** A page of the service itself: its cookie is sent. */
  readonly session: boolean;
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly random: () => number;
  readonly onAnswer?: ((answer: AnswerInfo) => void) | undefined;
  /** What the service says about a request beside its answer. */
  readonly onWarning: (warning: string) => void;
}

type ReadAnswer<Answer> = (response: Response, signal: AbortSignal) => Promise<Answer>;

/** Of one client, all different. */
const MAX_WARNINGS = 100;
/** Five names of 64 characters, each character in two escapes. */
const MAX_WARNING_CHARACTERS = 4_096;

export class Transport {
  readonly #settings: TransportSettings;
  readonly #warned = new Set<string>();
  #mode: Mode | null = null;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  get mode(): Mode | null {
    return this.#mode;
  }

  /** Of a call that has none of its own. */
  get deadlineMs(): number {
    return this.#settings.deadlineMs;
  }

  /** Of a call that has none of its own. */
  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  /**
   * The answer's JSON, as the document promises it, or its text.
   * @throws Refusal, ConnectionFailed, DeadlineExceeded, UnexpectedAnswer, or the signal's reason
   */
  call<Body>(
    call: Call,
    options: CallOptions = {},
    format: Format = 'application/json',
  ): Promise<ServiceResponse<Body>> {
    return this.#carryOut(call, options, format, async (response, signal) => {
      const { status, headers } = response;
      const text = await textOf(response, signal);
      return {
        status,
        headers,
        body: (format === 'application/json' ? jsonOf(response, text) : text) as Body,
      };
    });
  }

  /** The first answer that is no refusal, when it begins: its body is for the caller to read. @throws as `call` */
  begin(call: Call, options: CallOptions, accept: string): Promise<Response> {
    return this.#carryOut(call, options, accept, async (response) => response);
  }

  async #carryOut<Answer>(
    call: Call,
    options: CallOptions,
    accept: string,
    read: ReadAnswer<Answer>,
  ): Promise<Answer> {
    const { maxRetries, timeoutMs, deadlineMs, random, onAnswer } = {
      ...this.#settings,
      ...defined(options),
    };
    // Once: the same bytes in every attempt.
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    let last: MXProofError | undefined;
    let inDoubt = false;
    let attempts = 0;
    const noted = (error: MXProofError) => Object.assign(error, { attempts, inDoubt });
    const late = () => noted(new DeadlineExceeded(`No answer within ${deadlineMs} ms.`, { cause: last }));
    const lateAttempt = () => new ConnectionFailed(`No answer within ${timeoutMs} ms.`);
    return within(deadlineMs, late, options.signal, async (outer) => {
      for (;;) {
        attempts += 1;
        let waitMs: number | null;
        try {
          return await within(timeoutMs, lateAttempt, outer, async (signal) => {
            const response = await this.open(call, accept, signal, body);
            onAnswer?.(infoOf(response));
            if (response.ok) return read(response, signal);
            throw refusalOf(response.status, response.headers, await textOf(response, signal), Date.now());
          });
        } catch (error) {
          if (!(error instanceof MXProofError) || outer.aborted) throw error;
          last = noted(error);
          waitMs = waitBeforeRetryMs(error, attempts - 1, random);
          if (attempts > maxRetries || waitMs === null || !mayRepeat(error, call.repeat ?? 'always'))
            throw error;
          inDoubt ||= mayHaveBeenDone(error);
        }
        await sleep(waitMs, outer);
      }
    });
  }

  /** Sends one request, once. Its answer's body is for the caller to read. */
  async open(call: Call, accept: string, signal: AbortSignal, body?: string): Promise<Response> {
    const { origin, prefix, headers, session, fetch } = this.#settings;
    const url = `${origin}${prefix}${call.path}${queryText(call.query)}`;
    let response: Response;
    try {
      response = await fetch(url, {
        method: call.method,
        headers: {
          accept,
          ...headers(),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(body !== undefined && { body }),
        ...(session && { credentials: 'same-origin', cache: 'no-store' }),
        // A redirect would turn a POST into a GET, or take the key elsewhere.
        redirect: 'manual',
        signal,
      });
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw new ConnectionFailed(`No answer from ${origin || 'the service'}: is it running there?`, {
        cause,
      });
    }
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      response.body?.cancel().catch(() => {});
      const where = response.headers.get('location');
      throw unexpected(response, `The service redirects${where ? ` to ${where}` : ''}: use that as baseUrl.`);
    }
    this.#passOn(response.headers.get('mxproof-warning'));
    // Refusals may come from a proxy, which knows nothing of modes.
    if (response.ok) this.#mode = response.headers.get('mxproof-mode') === 'test' ? 'test' : 'live';
    return response;
  }

  /** Each only once: a program that sends a list a minute has one mistake, not a thousand. */
  #passOn(header: string | null): void {
    const warning = header?.slice(0, MAX_WARNING_CHARACTERS);
    if (!warning || this.#warned.has(warning) || this.#warned.size >= MAX_WARNINGS) return;
    this.#warned.add(warning);
    this.#settings.onWarning(warning);
  }
}

function infoOf({ status, headers }: Response): AnswerInfo {
  const replayed = headers.get('idempotent-replayed') === 'true';
  return { requestId: headers.get('x-request-id'), status, replayed };
}

export async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await readBody(response, MAX_RESPONSE_BYTES);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof BodyTooLarge)
      throw unexpected(response, `The answer is larger than ${MAX_RESPONSE_BYTES} bytes.`, cause);
    throw new ConnectionFailed('The connection broke off in the middle of the answer.', { cause });
  }
}

/** An invalid body with a JSON content type was cut off; with another type it came from a proxy or another server. */
function jsonOf(response: Response, text: string): unknown {
  if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? ''))
    throw unexpected(response, 'The answer is not JSON: is baseUrl the address of an MXProof service?');
  try {
    return parseBounded(text);
  } catch (cause) {
    if (cause instanceof TooManyValues) throw unexpected(response, `The answer has ${cause.message}.`, cause);
    throw new ConnectionFailed('The connection broke off in the middle of the answer.', { cause });
  }
}

export function unexpected(response: Response, message: string, cause?: unknown): UnexpectedAnswer {
  return new UnexpectedAnswer(message, response.status, response.headers.get('x-request-id'), { cause });
}

/** An option given as undefined is an option not given. */
function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
