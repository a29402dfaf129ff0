// request ls|show: what the account has changed and was refused, as the service noted it.

import type { LoggedRequest } from '@mxproof/client';
import { EXIT, StatusError } from '../shared/exit-status.ts';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { connectService, type ServiceOptions } from './service-account.ts';

const PAGE_REQUESTS = 50;
const TO_THE_SECOND = '2026-11-16T08:15:30'.length;

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

interface Filter extends Options {
  readonly status?: number;
  readonly offset?: number;
  readonly limit?: number;
}

export async function requestLs({ json, ...options }: Filter): Promise<void> {
  const { status, offset = 0, limit = PAGE_REQUESTS, ...rest } = options;
  const { mx } = await connectService(rest);
  const requests = await mx.requests.list({ status, offset, limit });
  if (json) return printJson(requests);
  if (requests.length === 0 && offset === 0)
    return printLine(status === undefined ? 'No requests yet.' : `No requests were answered ${status}.`);
  const rows = requests.map((each) => [
    ...[each.id, whenOf(each), each.method, plain(each.route ?? '-'), each.status],
    plain(each.error ?? ''),
  ]);
  printTable([['request', 'when (UTC)', 'method', 'route', 'status', 'error'], ...rows], { cutLast: true });
  if (requests.length === limit) process.stderr.write(`Older requests: --offset ${offset + limit}\n`);
}

export async function requestShow(id: string, { json, ...options }: Options): Promise<void> {
  const { mx } = await connectService(options);
  const [found] = await mx.requests.list({ id });
  if (found === undefined) {
    throw new StatusError(
      EXIT.failed,
      'No such request: kept for 7 days is what your account changed and what it was refused.',
    );
  }
  if (json) return printJson(found);
  printTable([
    ['request', found.id],
    ['when (UTC)', whenOf(found)],
    ['route', `${found.method} ${plain(found.route ?? '(no such path)')}`],
    ['status', found.status],
    ['error', plain(found.error ?? '-')],
    ['duration', `${found.duration_ms} ms`],
    ['key', found.key_id ?? '-'],
    ['client', plain(found.client)],
  ]);
}

function whenOf({ at }: LoggedRequest): string {
  return dateOf(at).slice(0, TO_THE_SECOND).replace('T', ' ');
}
