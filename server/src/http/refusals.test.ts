import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const list = (emails: unknown, more: object = {}) => ({ body: { emails, ...more } });

const BEARER = 'send Authorization with the word Bearer, a space and the key';
const KEY = `mx_live_${'A'.repeat(43)}`;

describe('the key', () => {
  test.each<[string, Record<string, string>, string]>([
    ['none', {}, `no Authorization header: ${BEARER}`],
    ['another scheme', { authorization: 'Basic bXg6bXg=' }, `Basic is not supported: ${BEARER}`],
    ['a key without its scheme', { authorization: KEY }, `the word Bearer is missing: ${BEARER}`],
    ['a key in another header', { 'x-api-key': KEY }, `x-api-key is not read: ${BEARER}`],
    [
      'nothing behind the scheme',
      { authorization: 'Bearer' },
      'no key after the word Bearer: the variable that holds it may be empty',
    ],
    [
      'a variable without a value',
      { authorization: 'Bearer undefined' },
      'no key after the word Bearer but the name of a variable, or what one without a value is written as',
    ],
    [
      'a variable that was not replaced',
      { authorization: 'Bearer $MXPROOF_API_KEY' },
      'no key after the word Bearer but the name of a variable, or what one without a value is written as',
    ],
    [
      'the scheme twice',
      { authorization: `Bearer Bearer ${KEY}` },
      `the word Bearer is there twice: ${BEARER}`,
    ],
    [
      'a key in quotes',
      { authorization: `Bearer "${KEY}"` },
      'the key is in quotes or brackets: send it without them',
    ],
    [
      'a key in two pieces',
      { authorization: `Bearer ${KEY.slice(0, 20)} ${KEY.slice(20)}` },
      'the key has white space in it: send it in one piece',
    ],
    [
      'a word',
      { authorization: 'Bearer nonsense' },
      'this is not a key of MXProof: they begin with mx_live_ or mx_test_',
    ],
    [
      'the beginning of a key',
      { authorization: `Bearer ${KEY.slice(0, 16)}` },
      'the key is too short: send all of it. It is shown once, when it is made; lists of keys show its beginning',
    ],
    [
      'more than a key',
      { authorization: `Bearer ${KEY},` },
      'the key is too long: something was added to its end',
    ],
    [
      'a character that no key has',
      { authorization: `Bearer ${KEY.slice(0, -1)}*` },
      'the key has a character that keys do not have',
    ],
    [
      'an unknown key',
      { authorization: `Bearer ${KEY}` },
      'no such key can be used here: it is of another service, revoked, expired, or not allowed from this IP address',
    ],
  ])('%s is answered 401', async (_, headers, detail) => {
    for (const [method, path] of [
      ['GET', '/v1/account'],
      ['POST', '/v1/lists'],
      ['GET', '/v1/lists/1'],
      ['PATCH', '/v1/lists/1'],
      ['GET', '/v1/no/such/path'],
      ['GET', '/v1'],
    ] as const) {
      const answered = await service.call(method, path, { key: null, headers });
      expect(answered.status).toBe(401);
      expect(answered.json).toEqual({ error: 'missing or invalid API key' });
      expect(answered.headers['mxproof-error']).toBe('invalid_api_key');
      expect(answered.headers['mxproof-error-detail']).toBe(detail);
      expect(answered.headers.ratelimit).toBeUndefined();
    }
  });

  test.each(['api_key', 'token', 'anything'])('a key in the URL as %s is answered 401', async (name) => {
    const answered = await service.call('GET', `/v1/account?${name}=${KEY}`, { key: null });
    expect([answered.status, answered.headers['mxproof-error-detail']]).toEqual([
      401,
      `a key in the URL is not read, and logs keep it: ${BEARER}`,
    ]);
  });

  test('the scheme is written in any case', async () => {
    const headers = { authorization: `bEARER  ${service.account.apiKey}` };
    expect((await service.call('GET', '/v1/account', { key: null, headers })).status).toBe(200);
  });

  test('a revoked key is none', async () => {
    const owner = await service.open();
    await service.context.db.query('UPDATE mxproof.api_keys SET revoked_at = now() WHERE account_id = $1', [
      owner.accountId,
    ]);
    expect((await service.call('GET', '/v1/account', { key: owner.apiKey })).status).toBe(401);
  });

  test("another account's list is not found", async () => {
    const { json } = await service.call('POST', '/v1/lists', list(['a@b.test']));
    const { apiKey: key } = await service.open();
    for (const [method, path] of [
      ['GET', `/v1/lists/${json.id}`],
      ['GET', `/v1/lists/${json.id}/results`],
      ['DELETE', `/v1/lists/${json.id}`],
    ] as const) {
      const answered = await service.call(method, path, { key });
      expect({ status: answered.status, json: answered.json }).toEqual({
        status: 404,
        json: { error: 'list not found' },
      });
      expect(answered.headers['mxproof-error-detail']).toBe(NO_LIST);
    }
    expect((await service.call('GET', '/v1/lists/999999999')).headers['mxproof-error-detail']).toBe(NO_LIST);
    const word = await service.call('GET', '/v1/lists/mine');
    expect(word.headers['mxproof-error-detail']).toBe('the id of a list is a whole number from 1');
  });
});

/** The same whether it exists or not. */
const NO_LIST = 'this account has no such list, or not in this mode: a live key finds live lists only';

describe('paths', () => {
  test.each([
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/nothing'],
    ['GET', '/v1/account/'],
    ['GET', '/v1//account'],
    ['GET', '/v1/Account'],
    ['PUT', '/v1/account'],
    ['POST', '/v1/account'],
    ['PATCH', '/v1/lists'],
    ['DELETE', '/v1/lists'],
    ['GET', '/v1/verify'],
    ['OPTIONS', '/v1/account'],
    ['TRACE', '/v1/account'],
    ['PROPFIND', '/v1/account'],
    ['QUERY', '/v1/lists'],
    ['GET', '/v1/lists/1/results/'],
    ['GET', '/v1/lists/1%2Fresults/x'],
    ['GET', '/v1/account%'],
    ['GET', '/v1/%zz'],
    ['POST', '/v1/openapi.json'],
  ])('%s %s names nothing', async (method, path) => {
    const answered = await service.call(method, path);
    expect(answered.status).toBe(404);
    expect(answered.json).toEqual({ error: 'not found' });
    expect(answered.headers['ratelimit-policy']).toBeDefined();
    expect((await service.call(method, path, { key: null })).status).toBe(401);
  });

  test.each([
    ['GET', '/v1/verify', 'this path takes POST'],
    ['PUT', '/v1/lists/17/callback', 'this path takes GET'],
    ['POST', '/v1/list', 'did you mean POST /v1/lists?'],
    ['GET', '/v1/account/', 'did you mean GET /v1/account?'],
    ['POST', '/verify', 'did you mean POST /v1/verify?'],
    ['GET', '/v1/ann@example.com', undefined],
  ])('%s %s is told what was meant: %s', async (method, path, detail) => {
    const answered = await service.call(method, path);
    expect([answered.status, answered.headers['mxproof-error-detail']]).toEqual([404, detail]);
  });

  test.each([
    '0',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '01',
    'abc',
    '9007199254740992',
    '9'.repeat(300),
    '%20',
    '1%00',
    '%F0%9F%92%8C',
  ])('the identifier %s is no list', async (id) => {
    for (const path of [`/v1/lists/${id}`, `/v1/lists/${id}/results`]) {
      const answered = await service.call('GET', path);
      expect({ status: answered.status, json: answered.json }).toEqual({
        status: 404,
        json: { error: 'list not found' },
      });
    }
    expect((await service.call('DELETE', `/v1/lists/${id}`)).json).toEqual({ error: 'list not found' });
  });

  test.each([
    '/',
    '/v2/account',
    '/V1/account',
    '/healthz/',
    '/favicon.ico',
    '/%',
    '/nowhere',
  ])('%s outside /v1 is not found, key or not', async (path) => {
    for (const key of [null, service.account.apiKey]) {
      const answered = await service.call('GET', path, { key });
      expect({ status: answered.status, json: answered.json }).toEqual({
        status: 404,
        json: { error: 'not found' },
      });
    }
  });

  test('an encoded letter is the same path', async () => {
    expect((await service.call('GET', '/v1/%61ccount')).status).toBe(200);
  });

  test('the absolute form that proxies send is the same path', async () => {
    expect((await service.call('GET', 'http://mx.example/v1/account')).status).toBe(200);
  });

  test('HEAD is GET without the body', async () => {
    const got = await service.call('GET', '/v1/account');
    const head = await service.call('HEAD', '/v1/account');
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect((await service.call('HEAD', '/v1/account', { key: null })).status).toBe(401);
  });
});

describe('what is said about a submission', () => {
  const long = 'x'.repeat(1001);
  const COMMA = ': no comma before a closing bracket';
  test.each<[string, unknown, string]>([
    ['no emails', {}, 'emails required'],
    ['emails null', { emails: null }, 'emails required'],
    ['emails a text', { emails: 'a@b.test' }, 'emails required'],
    ['emails an object', { emails: { 0: 'a@b.test' } }, 'emails required'],
    ['emails like an array', { emails: { length: 1, 0: 'a@b.test' } }, 'emails required'],
    ['an empty list', { emails: [] }, 'emails required'],
    ['nothing but blanks', { emails: ['', ' ', '\t\r\n', '\u00a0'] }, 'emails required'],
    ['a number among them', { emails: ['a@b.test', 1] }, 'emails must be an array of strings'],
    ['a null among them', { emails: [null] }, 'emails must be an array of strings'],
    ['an array among them', { emails: [['a@b.test']] }, 'emails must be an array of strings'],
    ['an endless address', { emails: [long] }, 'email too long'],
    ['a name of another type', { emails: ['a@b.test'], name: 1 }, 'name must be a string'],
    ['a name of null', { emails: ['a@b.test'], name: null }, 'name must be a string'],
    ['an endless name', { emails: ['a@b.test'], name: 'n'.repeat(201) }, 'name too long'],
    [
      'a callback over http',
      { emails: ['a@b.test'], callback_url: 'http://b.test/' },
      'callback_url must be https',
    ],
    ['a callback of null', { emails: ['a@b.test'], callback_url: null }, 'callback_url must be https'],
    [
      'a callback without host',
      { emails: ['a@b.test'], callback_url: 'https://' },
      'callback_url must be https',
    ],
    [
      'a callback with user info',
      { emails: ['a@b.test'], callback_url: 'https://u:p@b.test/' },
      'callback_url must be https',
    ],
    [
      'a callback behind a blank',
      { emails: ['a@b.test'], callback_url: ' https://b.test/' },
      'callback_url must be https',
    ],
    [
      'an endless callback',
      { emails: ['a@b.test'], callback_url: `https://b.test/${'x'.repeat(2000)}` },
      'callback_url too long',
    ],
    ['null', null, 'emails required'],
    ['an array', ['a@b.test'], 'emails required'],
    ['a text', 'emails', 'emails required'],
    ['a number', 7, 'emails required'],
  ])('%s', async (_, body, error) => {
    const answered = await service.call('POST', '/v1/lists', { raw: JSON.stringify(body) });
    expect({ status: answered.status, json: answered.json }).toEqual({ status: 400, json: { error } });
  });

  test.each<[string, unknown, string]>([
    ['no email', {}, 'email required'],
    ['a blank one', { email: ' \n' }, 'email required'],
    ['one of another type', { email: ['a@b.test'] }, 'email required'],
    ['an endless one', { email: long }, 'email too long'],
    ['null', null, 'email required'],
    ['an array', [], 'email required'],
  ])('a single check with %s', async (_, body, error) => {
    const answered = await service.call('POST', '/v1/verify', { raw: JSON.stringify(body) });
    expect({ status: answered.status, json: answered.json }).toEqual({ status: 400, json: { error } });
  });

  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'the body is empty: send a JSON object'],
    ['a form', 'email=a%40b.test', 'the body has form fields: send a JSON object'],
    ['a comma too many', '{"emails":["a@b.test",]}', `unexpected byte at position 22${COMMA}`],
    [
      'one behind a byte order mark',
      '\ufeff{"emails":["ä@b.test",]}',
      `unexpected byte at position 26${COMMA}`,
    ],
    ['an end too early', '{"emails":["a@b.test"', 'unexpected end at position 21: the body ends too early'],
    ['another encoding', Buffer.from([0x7b, 0xff, 0x7d]), 'not UTF-8'],
    [
      'a mistake behind 300 KB',
      `{"emails":["${' '.repeat(300_000)}"],}`,
      `unexpected byte at position 300015${COMMA}`,
    ],
  ])('a body that is no JSON is told where: %s', async (_, raw, detail) => {
    const answered = await service.call('POST', '/v1/lists', { raw });
    expect(answered.text).toBe('{"error":"invalid JSON"}');
    expect(answered.headers['mxproof-error']).toBe('invalid_json');
    expect(answered.headers['mxproof-error-detail']).toBe(detail);
  });

  test.each<[string, unknown, string | undefined]>([
    ['/v1/lists', { email: 'a@b.test' }, 'emails is missing: send an array of strings'],
    ['/v1/lists', { emails: 'a@b.test' }, 'emails is a string: send an array of strings'],
    ['/v1/lists', ['a@b.test'], 'the body is an array: send an object with emails'],
    ['/v1/lists', { emails: ['a@b.test', 7] }, 'emails[1] is not a string'],
    ['/v1/lists', { emails: ['a@b.test', long] }, 'emails[1] is too long'],
    ['/v1/lists', { emails: [' '] }, 'emails has no address in it'],
    ['/v1/lists', { emails: ['a@b.test'], name: null }, 'name is null: send a string'],
    [
      '/v1/lists',
      { emails: ['a@b.test'], callback_url: 'http://b.test/' },
      'callback_url does not begin with https://',
    ],
    ['/v1/verify', { email: ['a@b.test'] }, 'email is an array: send a string'],
    ['/v1/verify', {}, 'email is missing: send a string'],
    [
      '/v1/keys',
      { label: 'a', expires_at: 1_800_000_000_000 },
      'expires_at is too large: it is in seconds, not milliseconds',
    ],
    ['/v1/keys', { label: 'a', test: 'true' }, 'test is a string: send true or false'],
  ])('%s with %j is told which field is wrong: %s', async (path, body, detail) => {
    const answered = await service.call('POST', path, { raw: JSON.stringify(body) });
    expect([answered.status, answered.headers['mxproof-error-detail']]).toEqual([400, detail]);
  });

  test('what is just allowed is taken', async () => {
    const { status, json } = await service.call(
      'POST',
      '/v1/lists',
      list(['😀'.repeat(1000), 'x'.repeat(1000), 'not an address'], {
        name: '😀'.repeat(200),
        callback_url: 'https://b.test:8443/x?y=z',
        unknown: { fields: ['are', 'ignored'] },
      }),
    );
    expect(status).toBe(201);
    expect(json).toMatchObject({ total: 3, name: '😀'.repeat(200) });
  });
});

describe('credits', () => {
  test('a list that cannot be paid is refused whole', async () => {
    const { apiKey: key } = await service.open({ credits: 2 });
    const answered = await service.call('POST', '/v1/lists', {
      key,
      ...list(['a@b.test', 'c@d.test', 'e@f.test']),
    });
    expect({ status: answered.status, json: answered.json }).toEqual({
      status: 402,
      json: { error: 'insufficient credits: 3 needed' },
    });
    expect(answered.headers['mxproof-error']).toBe('insufficient_credits');
    expect(answered.headers['mxproof-credits-needed']).toBe('3');
    expect((await service.call('GET', '/v1/account', { key })).json).toMatchObject({
      credits: 2,
      credits_used: 0,
      lists: 0,
    });
    expect((await service.call('POST', '/v1/lists', { key, ...list(['a@b.test', 'c@d.test']) })).status).toBe(
      201,
    );
    const single = await service.call('POST', '/v1/verify', { key, body: { email: 'a@b.test' } });
    expect({ status: single.status, json: single.json }).toEqual({
      status: 402,
      json: { error: 'insufficient credits: 1 needed' },
    });
  });
});

describe('pages', () => {
  test.each([
    'offset=-1',
    'offset=1.5',
    'offset=',
    'offset=%2B1',
    'offset=1&offset=2',
    'limit=0',
    'limit=-1',
    'limit=ten',
    'limit=1e3',
    'limit=5&limit=5',
    'limit=0x10',
  ])('%s is refused', async (query) => {
    const { json } = await service.call('POST', '/v1/lists', list(['a@b.test']));
    for (const path of [`/v1/lists/${json.id}/results?${query}`, `/v1/lists?${query}`]) {
      const answered = await service.call('GET', path);
      expect(answered.status).toBe(400);
      expect(answered.headers['mxproof-error']).toBe(`bad_${query.split('=')[0]}`);
    }
  });

  test.each([
    'format=xml',
    'format=',
    'format=CSV',
    'format=csv&format=json',
  ])('%s is refused', async (query) => {
    const { json } = await service.call('POST', '/v1/lists', list(['a@b.test']));
    const answered = await service.call('GET', `/v1/lists/${json.id}/results?${query}`);
    expect({ status: answered.status, json: answered.json }).toEqual({
      status: 400,
      json: { error: 'format must be json or csv' },
    });
  });

  test.each([
    'status=pending',
    'group=',
    'group=a%20b',
    'group=a&group=a',
    'include=',
    'include=name',
    'status=',
    'status=done&status=done',
    'single=1',
    'single=',
  ])('%s is refused', async (query) => {
    expect((await service.call('GET', `/v1/lists?${query}`)).status).toBe(400);
  });

  test('unknown parameters are ignored', async () => {
    expect((await service.call('GET', '/v1/lists?colour=red&limit=1')).status).toBe(200);
  });
});

test('a callback to a port that the operator does not allow is refused, and nothing is charged', async () => {
  const strict = await startService({ callbackPorts: [{ from: 443, to: 443 }] });
  const submit = (port: string) =>
    strict.call('POST', '/v1/lists', list(['a@b.test'], { callback_url: `https://you.example${port}/hook` }));
  const refused = await submit(':8443');
  expect([refused.status, refused.json]).toEqual([
    400,
    { error: 'callback_url has a port that is not allowed' },
  ]);
  expect(refused.headers['mxproof-error']).toBe('callback_port_not_allowed');
  expect((await strict.call('GET', '/v1/account')).json).toMatchObject({ lists: 0, credits_used: 0 });
  for (const port of ['', ':443']) expect((await submit(port)).status).toBe(201);
  await strict.close();
});
