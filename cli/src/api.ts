// Calls to a running service, for the commands that act as its client.
// Promise: a refusal is one sentence; 429 and 503 are retried after Retry-After, a bounded number of times.

import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, type ExitStatus, StatusError } from './exit-status.ts';

export interface ListSummary {
  readonly id: number;
  readonly status: 'processing' | 'checking' | 'done' | 'failed';
  readonly total: number;
  readonly duplicates_removed: number;
  readonly checked: number;
  readonly counts: Readonly<Record<'deliverable' | 'risky' | 'undeliverable' | 'unknown', number>>;
}

export interface Account {
  readonly name: string;
  readonly credits: number;
  readonly credits_used: number;
  readonly lists: number;
}

export interface Api {
  account(): Promise<Account>;
  submit(list: { emails: readonly string[]; name: string; callback_url?: string }): Promise<ListSummary>;
  list(id: number): Promise<ListSummary>;
  /** A page of results as CSV, with its header row. */
  csv(id: number, offset: number, limit: number): Promise<string>;
}

const STATUS: Readonly<Record<number, ExitStatus>> = {
  401: EXIT.notAllowed,
  402: EXIT.shortOfCredits,
  403: EXIT.notAllowed,
  429: EXIT.unavailable,
  503: EXIT.unavailable,
};
const TRIES = 5;
const LONGEST_WAIT_SECONDS = 60;

export function connectApi(url: string, key: string): Api {
  const base = `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      let response: Response;
      try {
        response = await fetch(base + path, {
          ...init,
          headers: { authorization: `Bearer ${key}`, ...init.headers },
        });
      } catch {
        throw new StatusError(
          EXIT.unavailable,
          `No MXProof service at ${url}: start one, or pass its address with --url.`,
        );
      }
      if (response.ok) return response;
      const { error } = (await response.json().catch(() => ({}))) as { error?: string };
      const mayRepeat = response.status === 429 || response.status === 503;
      if (!mayRepeat || tries === TRIES)
        throw new StatusError(
          STATUS[response.status] ?? EXIT.failed,
          response.status === 401
            ? 'The service refused the API key: it is wrong, revoked or expired.'
            : `The service answered ${response.status}: ${error ?? 'no reason given'}.`,
        );
      const seconds = Number(response.headers.get('retry-after')) || 1;
      await sleep(Math.min(seconds, LONGEST_WAIT_SECONDS) * 1_000);
    }
  }

  return {
    account: async () => (await (await call('/account')).json()) as Account,
    async submit(list) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
      const response = await call('/lists', { method: 'POST', headers, body: JSON.stringify(list) });
      return (await response.json()) as ListSummary;
    },
    list: async (id) => (await (await call(`/lists/${id}`)).json()) as ListSummary,
    csv: async (id, offset, limit) =>
      (await call(`/lists/${id}/results?format=csv&offset=${offset}&limit=${limit}`)).text(),
  };
}
