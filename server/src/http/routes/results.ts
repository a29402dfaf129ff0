// GET /lists/{id}/results: a page of rows as JSON or CSV, streamed; of all rows, or of those that match a filter.
// Promise: a page is never held in memory completely, and if the list is deleted or its results expire meanwhile, the
// response is aborted rather than ended early.

import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExportNotes } from '../../flow/note-exports.ts';
import { addMatches, noMatches, readMatches } from '../../flow/read-filtered.ts';
import { ListGone, type ResultRow, readPage, scanList } from '../../flow/read-results.ts';
import { ReaderLeft } from '../../flow/reading-turns.ts';
import { EVERY_KEY } from '../../rules/key-access.ts';
import { findList } from '../../store/lists.ts';
import { actorOf } from '../actor-of.ts';
import { mayRead } from '../check-access.ts';
import { refuse } from '../errors.ts';
import { ref } from '../openapi/schemas.ts';
import { reads } from '../read-for.ts';
import { logDefect } from '../request-log.ts';
import { callerOf, type Parts, type RowFields, type RowValue, refusals, response } from '../route-parts.ts';
import { filterOf, filterQuery } from '../wire/filter-query.ts';
import { addedToRows, type Include, includeQueryWith } from '../wire/include-query.ts';
import { readListId, readQuery, word } from '../wire/query.ts';
import { csvHeader, csvRow, jsonPlacedRow, jsonRow, valuesText } from '../wire/wire-row.ts';
import { idParam, pageQuery } from './lists.ts';

const TOTAL_COUNT = 'X-Total-Count';

/** `fields`: what features know of a row. */
export function resultRoutes(
  app: FastifyInstance,
  parts: Parts,
  exports: ExportNotes,
  fields: readonly RowFields[],
): void {
  const { db } = parts.context;
  const resultsQuery = {
    ...pageQuery,
    format: word(['json', 'csv'], { default: 'json' }),
    ...filterQuery,
    ...includeQueryWith(fields.map((field) => field.word)),
  };
  app.get<{ Params: { id: string } }>(
    '/lists/:id/results',
    {
      config: { keys: EVERY_KEY, role: 'viewer' },
      schema: {
        operationId: 'getResults',
        summary: 'Read the results of a list',
        description:
          'Increase `offset` by the page size until a page has fewer rows than requested. With any of `state`, `reason`, `detail`, `provider`, `flag` and `q`, only rows that match all of them are returned, `offset` and `limit` count matching rows, and each JSON row has its `position`.',
        params: idParam,
        querystring: {
          type: 'object',
          // A comma-separated list, not one parameter per word.
          style: 'form',
          explode: false,
          properties: resultsQuery,
        },
        response: {
          200: csvToo(response('Rows in the order the unique addresses were added.', ref('ResultPage'))),
          ...refusals(
            'bad_offset',
            'bad_limit',
            'bad_format',
            'bad_state',
            'bad_reason',
            'bad_detail',
            'bad_provider',
            'bad_flag',
            'bad_q',
            'bad_include',
            'list_not_found',
            'results_expired',
          ),
        },
      },
    },
    reads<{ Params: { id: string } }>(parts, async (request, reply, reading) => {
      const id = readListId(request.params.id);
      const list = id && (await findList(db, id, callerOf(request).accountId));
      if (!list || !mayRead(request, list)) return refuse(request, reply, { why: 'list_not_found' });
      if (list.resultsExpiredAtSeconds !== null) return refuse(request, reply, { why: 'results_expired' });
      const query = readQuery(resultsQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      const { format } = query;
      const filter = filterOf(query);
      const added = addedToRows(query.include ?? []);
      const ofFeatures = fields.filter((field) => query.include?.includes(field.word));
      const columns = ofFeatures.flatMap((field) => field.columns);
      const extended = { added, textsOf: ofFeatures.map((field) => textsBy(field, list.accountId, format)) };
      const noteExport = () => exports.note(actorOf(request), list);
      const asked = { listId: list.id, noteExport, format, header: csvHeader([...added, ...columns]) };
      if (!filter) {
        const text = textOf(format, jsonRow, extended);
        const pieces = readPage(db, reading, list, query, text);
        return sendPage(request, reply, { ...asked, total: list.total, pieces });
      }
      const matches = noMatches();
      await scanList(db, reading, list, (chunk) => addMatches(matches, chunk, filter, query));
      const text = textOf(format, jsonPlacedRow, extended);
      const pieces = readMatches(db, reading, list.id, matches.page, text);
      return sendPage(request, reply, { ...asked, total: matches.total, pieces });
    }),
  );
}

/** Rows as text, in what the client asked for. */
function textOf<Row extends ResultRow>(
  format: 'json' | 'csv',
  toJson: (row: Row, include: readonly Include[], ofFeatures?: string) => string,
  { added, textsOf }: Extended,
): (rows: readonly Row[]) => string | Promise<string> {
  const toText = format === 'csv' ? csvRow : toJson;
  const separator = format === 'csv' ? '' : ',';
  if (textsOf.length === 0) return (rows) => rows.map((row) => toText(row, added)).join(separator);
  return async (rows) => {
    const texts = await Promise.all(textsOf.map((ofField) => ofField(rows)));
    const ofFeatures = (at: number) => texts.reduce((text, ofField) => text + ofField[at]!, '');
    return rows.map((row, at) => toText(row, added, ofFeatures(at))).join(separator);
  };
}

/** What a feature says of each row, as text. */
type RowTexts = (rows: readonly ResultRow[]) => Promise<readonly string[]>;

interface Extended {
  readonly added: readonly Include[];
  /** Of each field of a feature. */
  readonly textsOf: readonly RowTexts[];
}

function textsBy(field: RowFields, accountId: number, format: 'json' | 'csv'): RowTexts {
  const texts = new Map<readonly RowValue[], string>();
  return async (rows) =>
    (await field.valuesOf(accountId, rows)).map((values) => {
      const known = texts.get(values);
      if (known !== undefined) return known;
      const text = valuesText(format, field.columns, values);
      texts.set(values, text);
      return text;
    });
}

type Pieces = AsyncGenerator<string>;

interface ResultsToSend {
  readonly listId: number;
  /** In the audit trail. */
  readonly noteExport: () => Promise<void>;
  readonly format: 'json' | 'csv';
  /** Of a CSV page. */
  readonly header: string;
  /** Rows that match the filter; without one, all of the list. */
  readonly total: number;
  readonly pieces: Pieces;
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { listId, noteExport, format, header, total, pieces }: ResultsToSend,
): Promise<FastifyReply> {
  // The first piece before the status: what fails now can still be told.
  const first = await pieces.next();
  await noteExport();
  reply.header(TOTAL_COUNT, total);
  if (format === 'csv') {
    reply.type('text/csv; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="list-${listId}.csv"`);
  } else reply.type('application/json; charset=utf-8');
  const text = format === 'csv' ? csvPage(first, pieces, header) : jsonPage(first, pieces);
  return reply.send(Readable.from(logged(request.log, text)));
}

/** The status is out: the connection breaks off, and only the log can say why. */
async function* logged(log: FastifyBaseLogger, text: Pieces): Pieces {
  try {
    yield* text;
  } catch (error) {
    if (!(error instanceof ListGone || error instanceof ReaderLeft)) logDefect(log, error);
    throw error;
  }
}

async function* jsonPage(first: IteratorResult<string>, pieces: Pieces): Pieces {
  if (first.done) return yield '{"results":[]}';
  yield `{"results":[${first.value}`;
  for await (const rows of pieces) yield `,${rows}`;
  yield ']}';
}

async function* csvPage(first: IteratorResult<string>, pieces: Pieces, header: string): Pieces {
  if (first.done) return yield header;
  yield header + first.value;
  yield* pieces;
}

function csvToo(described: object): object {
  const { content, headers } = described as { content: object; headers: object };
  return {
    ...described,
    headers: {
      ...headers,
      [TOTAL_COUNT]: {
        description: 'How many rows the list has, or with a filter, how many of them match.',
        type: 'integer',
        minimum: 0,
      },
      'Content-Disposition': {
        description: 'With `format=csv`.',
        type: 'string',
        examples: ['attachment; filename="list-17.csv"'],
      },
    },
    content: {
      ...content,
      'text/csv': {
        schema: {
          type: 'string',
          description:
            'Columns: email,state,reason,score,accept_all,role,free,disposable,mx,provider, then those of `include`. RFC 4180 with CRLF; a header row in each page; booleans are True and False.',
        },
      },
    },
  };
}
