import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { EVERY_KEY } from '../rules/key-access.ts';
import { deprecated } from './deprecation.ts';
import { refuse } from './errors.ts';
import { expandParts } from './openapi/share-parts.ts';
import { refusals, response } from './route-parts.ts';

const OLD_ROUTE = { since: '2027-03-01', sunset: '2028-03-01', instead: 'GET /v1/status' };
const OLD_PARAMETER = { since: '2027-01-01', sunset: '2028-06-01', instead: 'limit' };
/** Of a route that is there for this test. */
const querystring = {
  type: 'object',
  properties: { limit: { type: 'string' }, size: { type: 'string', ...deprecated(OLD_PARAMETER) } },
};
const answers = { 200: response('Something.', { type: 'object' }), ...refusals('bad_limit') };
const config = { keys: EVERY_KEY, role: 'viewer' } as const;

let service: TestService;
beforeAll(async () => {
  service = await startService({
    features: [
      {
        routes(v1) {
          const old = { operationId: 'old', summary: 'Old', querystring, response: answers };
          v1.get(
            '/old',
            { config, schema: { ...old, ...deprecated(OLD_ROUTE) } as object },
            (request, reply) =>
              'limit' in (request.query as object) ? refuse(request, reply, { why: 'bad_limit' }) : {},
          );
          const kept = { operationId: 'kept', summary: 'Kept', querystring, response: answers };
          v1.get('/kept', { config, schema: kept as object }, () => ({}));
        },
      },
    ],
  });
});
afterAll(() => service.close());

async function get(path: string) {
  const { status, headers } = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    headers: { authorization: `Bearer ${service.account.apiKey}` },
  });
  const [deprecation, sunset, link, warning] = ['deprecation', 'sunset', 'link', 'mxproof-warning'].map(
    (name) => headers.get(name),
  );
  return { status, deprecation, sunset, link, warning };
}

const NOTHING = { deprecation: null, sunset: null, link: null, warning: null };
const LINK =
  '<https://github.com/mxproof/mxproof/blob/main/docs/guide/compatibility.md>; rel="deprecation"; type="text/html"';

test('a deprecated route says since when, until when, and what to use, also where it refuses', async () => {
  const told = {
    deprecation: `@${Date.UTC(2027, 2, 1) / 1_000}`,
    sunset: 'Wed, 01 Mar 2028 00:00:00 GMT',
    link: LINK,
    warning: 'deprecated: GET /v1/old may go on 2028-03-01; use GET /v1/status',
  };
  expect(await get('/v1/old')).toEqual({ status: 200, ...told });
  expect(await get('/v1/old?limit=0')).toEqual({ status: 400, ...told });
});

test('a deprecated parameter says it to requests that have it', async () => {
  expect(await get('/v1/kept')).toEqual({ status: 200, ...NOTHING });
  expect(await get('/v1/kept?size=5&page=2')).toEqual({
    status: 200,
    deprecation: `@${Date.UTC(2027, 0, 1) / 1_000}`,
    sunset: 'Thu, 01 Jun 2028 00:00:00 GMT',
    link: LINK,
    warning: 'deprecated: parameter size may go on 2028-06-01; use limit; unknown parameter: page',
  });
});

test('of a route and a parameter, the headers tell what was first and what goes first', async () => {
  expect(await get('/v1/old?size=5')).toMatchObject({
    deprecation: `@${Date.UTC(2027, 0, 1) / 1_000}`,
    sunset: 'Wed, 01 Mar 2028 00:00:00 GMT',
  });
});

test('the document flags the operation and the parameter, with dates, and describes the headers', () => {
  const { paths } = expandParts(service.app.swagger()) as unknown as {
    paths: Record<string, { get: { parameters: { name: string }[]; responses: Record<string, object> } }>;
  };
  const [old, kept] = [paths['/v1/old']!.get, paths['/v1/kept']!.get];
  expect(old).toMatchObject({ deprecated: true, 'x-deprecation': OLD_ROUTE });
  expect(kept).not.toHaveProperty('deprecated');
  const [limit, size] = ['limit', 'size'].map((name) => kept.parameters.find((each) => each.name === name));
  expect(size).toMatchObject({ deprecated: true, schema: { 'x-deprecation': OLD_PARAMETER } });
  expect(limit).not.toHaveProperty('deprecated');
  for (const operation of [old, kept]) expect(JSON.stringify(operation.responses['200'])).toContain('Sunset');
});

test('a notice of less than a year is a defect', () => {
  expect(() => deprecated({ ...OLD_ROUTE, sunset: '2028-02-28' })).toThrow('too early');
  expect(() => deprecated({ ...OLD_ROUTE, sunset: 'soon' })).toThrow('too early');
});
