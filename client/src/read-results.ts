// The results of a list, page after page.
// Promise: every row once, in order; one page is held at a time.
import type { GetResultsQuery, ResultPage, ResultRow } from './api-types.ts';
import { UnexpectedAnswer } from './errors.ts';
import { ROW, shaped } from './shapes.ts';
import { type Query, queryText } from './transport/query-text.ts';
import type { CallOptions, Transport } from './transport/transport.ts';
import { listId } from './wait-for-list.ts';

type Filters = Omit<GetResultsQuery, 'offset' | 'limit' | 'format'>;
type OneOrSeveral<Query> = {
  readonly [Name in keyof Query]: NonNullable<Query[Name]> extends readonly (infer One)[]
    ? One | readonly One[]
    : Query[Name];
};

/**
 * Filters take one value or several. With any of them, rows carry `position`, their place in the whole list. `include`
 * adds fields.
 */
export interface ResultsOptions extends CallOptions, OneOrSeveral<Filters> {
  /** Rows (with filters: matches) to skip. Default 0. */
  readonly offset?: number;
  /** Rows at most, over all pages. Default: all. */
  readonly limit?: number;
  /** Rows a request asks for, up to 10,000, the default. */
  readonly pageSize?: number;
}

export interface Page {
  readonly results: ResultRow[];
  /** How many rows match the filters; null where the service does not say. */
  readonly total: number | null;
}

const MAX_PAGE_ROWS = 10_000;

type Reader<Piece> = (
  transport: Transport,
  id: number,
  options: ResultsOptions,
) => AsyncGenerator<Piece, void, undefined>;

export const readResults = refusingAtOnce<ResultRow>(async function* (transport, id, options) {
  const read = (offset: number, limit: number) => readPage(transport, id, { ...options, offset, limit });
  for await (const page of pages(options, read, ({ results }) => results.length)) yield* page.results;
});

/** Pages of CSV as they come, with one header row in all. */
export const readCsv = refusingAtOnce<string>(async function* (transport, id, options) {
  const read = async (offset: number, limit: number) => {
    const query = { ...queryOf(options), offset, limit, format: 'csv' };
    const { body } = await transport.call<string>(
      { method: 'GET', path: path(id), query },
      options,
      'text/csv',
    );
    const head = body.indexOf('\r\n') + 2;
    return { head: body.slice(0, head), rows: body.slice(head) };
  };
  let isFirst = true;
  // Rows may hold line breaks: they are not counted, the last page is the one without any.
  for await (const { head, rows } of pages(options, read, (page, asked) => (page.rows === '' ? 0 : asked))) {
    const text = isFirst ? head + rows : rows;
    isFirst = false;
    if (text !== '') yield text;
  }
});

/** A generator would throw only when its first piece is asked for. */
function refusingAtOnce<Piece>(read: Reader<Piece>): Reader<Piece> {
  return (transport, id, options) => {
    queryText(queryOf(options));
    return read(transport, id, options);
  };
}

export async function readPage(transport: Transport, id: number, options: ResultsOptions): Promise<Page> {
  const { offset = 0, limit = MAX_PAGE_ROWS } = options;
  const query = { ...queryOf(options), offset, limit };
  const { body, headers, status } = await transport.call<ResultPage>(
    { method: 'GET', path: path(id), query },
    options,
  );
  if (!Array.isArray(body?.results))
    throw new UnexpectedAnswer('The answer has no results.', status, headers.get('x-request-id'));
  const total = headers.get('x-total-count');
  const results = body.results.map((row) => shaped(row, ROW, 'a result'));
  return { results, total: total === null ? null : Number(total) };
}

async function* pages<Page>(
  { offset = 0, limit = Number.POSITIVE_INFINITY, pageSize = MAX_PAGE_ROWS }: ResultsOptions,
  read: (offset: number, limit: number) => Promise<Page>,
  rowsOf: (page: Page, asked: number) => number,
): AsyncGenerator<Page, void, undefined> {
  if (!(pageSize >= 1)) throw new TypeError('pageSize is at least 1.');
  const largest = Math.min(MAX_PAGE_ROWS, Math.floor(pageSize));
  for (let taken = 0; taken < limit; ) {
    const asked = Math.min(largest, limit - taken);
    const page = await read(offset + taken, asked);
    yield page;
    const rows = rowsOf(page, asked);
    if (rows < asked) return;
    taken += rows;
  }
}

function path(id: number): string {
  return `/lists/${listId(id)}/results`;
}

/** What is left of the options is filters and `include`. */
function queryOf(options: ResultsOptions): Query {
  const { signal, maxRetries, timeoutMs, deadlineMs, offset, limit, pageSize, ...filters } = options;
  return filters as Query;
}
