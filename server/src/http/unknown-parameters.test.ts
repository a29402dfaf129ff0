// Query parameters that no route knows: a DELETE refuses them from everyone, since what was meant may be the undo; other
// requests are answered with a warning, or refused from a test key.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, startService, type TestService } from '../../test/http-service.ts';
import { accepted } from '../../test/verdicts.ts';
import { expandParts } from './openapi/share-parts.ts';

let service: TestService;
const callers = {} as Record<'live' | 'test' | 'session' | 'test session', CallOptions>;
beforeAll(async () => {
  service = await startService();
  const testKey = (await makeKey({ test: true })).api_key;
  callers.live = {};
  callers.test = { key: testKey };
  callers.session = await signIn(service.account.apiKey);
  callers['test session'] = await signIn(testKey);
});
afterAll(() => service.close());

const makeKey = async (more: object = {}, caller: CallOptions = {}) =>
  (await service.call('POST', '/v1/keys', { ...caller, body: { label: 'made', manage: true, ...more } }))
    .json;

async function signIn(apiKey: string): Promise<CallOptions> {
  const signedIn = await service.call('POST', '/session', { key: null, body: { api_key: apiKey } });
  const headers = {
    cookie: String(signedIn.headers['set-cookie']).split(';')[0]!,
    'mxproof-session-proof': signedIn.json.proof,
    origin: `http://127.0.0.1:${service.port}`,
    'x-mxproof-console': '1',
  };
  return { key: null, headers };
}

/** A finished list, which could be deleted with an undo. */
async function finishedList(caller: CallOptions = {}): Promise<string> {
  const { id } = (await service.call('POST', '/v1/lists', { ...caller, body: { emails: ['a@b.test'] } }))
    .json;
  await service.find(id, { 0: accepted });
  return `/v1/lists/${id}`;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  /** The names of its query parameters. */
  readonly known: readonly string[];
}

/** Everything behind the key, of nothing that exists. */
function operations(): Operation[] {
  const { paths } = expandParts(
    JSON.parse(readFileSync('openapi.json', 'utf8')) as {
      paths: Record<
        string,
        Record<string, { parameters?: { in: string; name: string }[]; security?: unknown[] }>
      >;
    },
  );
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security?.length !== 0)
        .map(([method, { parameters = [] }]) => ({
          method: method.toUpperCase(),
          path: path.replace(/\{\w+\}/g, '999999'),
          known: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
        })),
    );
}
const isDeletion = ({ method }: Operation) => method === 'DELETE';

describe.each(['live', 'test', 'session', 'test session'] as const)('a DELETE of a %s caller', (kind) => {
  test('names a parameter that it does not know, and deletes nothing', async () => {
    const path = await finishedList(callers[kind]);
    const answered = await service.call('DELETE', `${path}?undu=60`, callers[kind]);
    expect(answered.status).toBe(400);
    expect(answered.json).toEqual({ error: 'unknown parameter: undu' });
    expect(answered.headers['mxproof-error']).toBe('unknown_parameter');
    expect(answered.headers['mxproof-error-detail']).toBe('known here: undo');
    expect((await service.call('GET', path, callers[kind])).status).toBe(200);
    expect((await service.call('DELETE', path, callers[kind])).json).toEqual({ deleted: true });
  });

  test('of a key has no undo that could be misspelt, and refuses it', async () => {
    const { id } = await makeKey({}, callers[kind]);
    const answered = await service.call('DELETE', `/v1/keys/${id}?undo=60`, callers[kind]);
    expect(answered.json).toEqual({ error: 'unknown parameter: undo' });
    expect(answered.headers['mxproof-error-detail']).toBe('no parameter is known here');
    expect((await service.call('DELETE', `/v1/keys/${id}`, callers[kind])).status).toBe(200);
  });
});

test('every DELETE under /v1 refuses what it does not know, whether or not there is anything to delete', async () => {
  const deletions = operations().filter(isDeletion);
  expect(deletions.length).toBeGreaterThanOrEqual(2);
  for (const { path } of deletions) {
    const answered = await service.call('DELETE', `${path}?force=true`);
    expect(answered.json, path).toEqual({ error: 'unknown parameter: force' });
  }
});

test.each([
  ['undu=60', 'undu'],
  ['Undo=60', 'Undo'],
  ['UNDO=60', 'UNDO'],
  ['undo%20=60', 'undo '],
  ['+undo=60', ' undo'],
  ['undo%00=60', 'undo\\u0000'],
  ['undo[]=60', 'undo[]'],
  ['?undo=60', '?undo'],
  ['amp;undo=60', 'amp;undo'],
  ['undo%3D60', 'undo=60'],
  ['%zz=60', '%zz'],
  ['%FFundo=60', '%FFundo'],
  ['=60', ''],
  ['__proto__=60', '__proto__'],
  ['constructor=60', 'constructor'],
  ['toString', 'toString'],
  ['undo=60&undu=60', 'undu'],
  ['undu=1&undu=2', 'undu'],
  ['b=1&a=2&undo=60&c=3&d=4&e=5&f=6', 'b, a, c, d, e'],
  [`${'x'.repeat(65)}=1`, 'x'.repeat(64)],
  ['%C3%A4%0D%0ASet-Cookie:%20a=b', '\\u00e4\\u000d\\u000aSet-Cookie: a'],
])('?%s deletes nothing', async (query, named) => {
  const path = await finishedList();
  const answered = await service.call('DELETE', `${path}?${query}`);
  expect(answered.status).toBe(400);
  expect(answered.json).toEqual({ error: `unknown parameter: ${named}` });
  expect((await service.call('GET', path)).status).toBe(200);
});

test('a known name is known however it is encoded, and nothing at all is no parameter', async () => {
  for (const query of ['%75ndo=60', 'undo=%36%30', '&undo=60&']) {
    const path = await finishedList();
    expect((await service.call('DELETE', `${path}?${query}`)).status).toBe(200);
    expect((await service.call('POST', `${path}/undelete`)).status).toBe(200);
  }
  for (const query of ['', '&', '&&'])
    expect((await service.call('DELETE', `${await finishedList()}?${query}`)).status).toBe(200);
});

test('whatever the query, a DELETE is refused unless it says nothing, or one undo', async () => {
  const name = fc.oneof(
    fc.constantFrom('undo', 'Undo', 'undo ', ' undo', 'undo[]', 'und0', '__proto__'),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const value = fc.oneof(fc.constantFrom('60', '1', '0', '', '3601'), fc.string({ maxLength: 4 }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 3 }), async (pairs) => {
      const query = String(new URLSearchParams(pairs));
      const isUndo =
        pairs.length === 1 &&
        pairs[0]![0] === 'undo' &&
        ['60', '1'].includes(pairs[0]![1].replace(/^0+/, ''));
      const { status } = await service.call('DELETE', `/v1/lists/999999?${query}`);
      // 404: it would have deleted the list, had there been one.
      if (status === 404) expect(pairs.map(([each]) => each)).toEqual(['undo']);
      if (isUndo) expect(status).toBe(404);
    }),
    { numRuns: 200 },
  );
});

test('a key is asked for first, then the requests window, and the refusal counts in it like any other', async () => {
  const path = '/v1/lists/999999?undu=60';
  expect((await service.call('DELETE', path, { key: null })).status).toBe(401);
  const limited = await startService({ limits: { rateRequests: 2 } });
  try {
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) statuses.push((await limited.call('DELETE', path)).status);
    expect(statuses).toEqual([400, 400, 429]);
  } finally {
    await limited.close();
  }
});

/** A stream of a test key, which ends only with the connection. */
const isEndless = ({ path }: Operation) => path === '/v1/callbacks/listen';
const others = operations().filter((each) => !isDeletion(each));

describe.each(others)('$method $path', (operation) => {
  const { method, path, known } = operation;

  test('from a live key or a session: an unknown parameter is ignored, and the answer names it', async () => {
    const plain = await service.call(method, path);
    for (const caller of [callers.live, callers.session]) {
      const answered = await service.call(method, `${path}?Limit=5&colour=red`, caller);
      expect(answered.status).toBe(plain.status);
      expect(answered.headers['mxproof-warning']).toBe('unknown parameter: Limit, colour');
    }
    expect(plain.headers['mxproof-warning']).toBeUndefined();
  });

  test('from a test key: it is refused, before anything else is', async () => {
    const answered = await service.call(method, `${path}?Limit=5`, callers.test);
    expect(answered.status).toBe(400);
    expect(answered.json).toEqual({ error: 'unknown parameter: Limit' });
    expect(answered.headers['mxproof-error']).toBe('unknown_parameter');
  });

  test('what the document describes is known', async () => {
    const query = known.map((name) => `${name}=1`).join('&');
    const live = await service.call(method, `${path}?${query}`);
    expect(live.headers['mxproof-warning']).toBeUndefined();
    if (isEndless(operation)) return;
    const test = await service.call(method, `${path}?${query}`, callers.test);
    expect(test.headers['mxproof-error']).not.toBe('unknown_parameter');
  });
});

test('a session of a test key is a person at a page: it is warned, not refused', async () => {
  const answered = await service.call('GET', '/v1/account?x=1', callers['test session']);
  expect(answered.status).toBe(200);
  expect(answered.headers['mxproof-warning']).toBe('unknown parameter: x');
});

test('a warning names parameters and fields alike', async () => {
  const body = { emails: ['ann@example.com'], Name: 'x' };
  const answered = await service.call('POST', '/v1/lists?name=x', { body });
  expect(answered.status).toBe(201);
  expect(answered.headers['mxproof-warning']).toBe('unknown parameter: name; unknown field: Name');
});

test('an unknown parameter changes nothing else of an answer', async () => {
  const path = await finishedList();
  for (const format of ['json', 'csv']) {
    const plain = await service.call('GET', `${path}/results?format=${format}`);
    const warned = await service.call('GET', `${path}/results?format=${format}&State=risky`);
    expect(warned.text).toBe(plain.text);
    expect(warned.headers['mxproof-warning']).toBe('unknown parameter: State');
  }
});
