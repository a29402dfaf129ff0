import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { charsLookedAt } from '../../../../common/test/looked-at.ts';
import { startService, type TestService } from '../../../test/http-service.ts';
import { addKey } from '../../flow/add-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { MAX_REPLY_TEXT_BYTES } from '../body/read-by-hand.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const ask = (query: Record<string, string>) => service.call('GET', `/v1/reply?${new URLSearchParams(query)}`);
const post = (text: unknown, key?: string | null) =>
  service.call('POST', '/v1/reply', { body: { text }, ...(key !== undefined && { key }) });

const LOG = `x: to=<bob@b.example>, dsn=5.1.1, status=bounced (host mx.b.example[192.0.2.1] said: 550 5.1.1 <bob@b.example>: User unknown (in reply to RCPT TO command))
x: to=<ann@b.example>, dsn=4.2.2, status=deferred (host mx.b.example[192.0.2.1] said: 452 4.2.2 Mailbox full (in reply to RCPT TO command))`;

describe('GET /v1/reply', () => {
  test('says what one reply means: nothing is charged, no list made, and nothing of it logged', async () => {
    const before = (await service.call('GET', '/v1/account')).json;
    const { status, json } = await ask({ code: '550', text: '5.1.1 <bob@b.example> User unknown' });
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        meaning: 'no_mailbox',
        clarity: 'plain',
        rule: expect.stringMatching(/^no mailbox, like "/),
        state: 'undeliverable',
        reason: 'rejected_email',
        detail: 'no_such_mailbox',
        explanation: 'The mail server says that this mailbox does not exist.',
        advice: expect.stringMatching(/^Remove this address/),
      },
    });
    expect((await service.call('GET', '/v1/account')).json).toEqual(before);
    expect(service.logged.join('')).not.toContain('bob');
  });

  test.each([
    [{ text: '552 5.2.2 Mailbox full' }, 'over_quota'],
    [{ code: '552', text: '552 5.2.2 Mailbox full' }, 'over_quota'],
    [{ code: '550' }, 'no_mailbox'],
    [{ code: '', text: '552 5.2.2 Mailbox full' }, 'over_quota'],
    [{ code: '550', text: '554 delivery error: This user doesn’t have an account' }, 'no_mailbox'],
    [{ text: 'host mx said: 550 no (in reply to MAIL FROM command)' }, 'sender_refused'],
    [{ code: '250', text: 'Ok' }, 'accepted'],
  ])('%j is %s', async (query, meaning) => {
    expect((await ask(query as Record<string, string>)).json.meaning).toBe(meaning);
  });

  test('a number alone is not said flatly, and a text without any is not plain', async () => {
    const bare = (await ask({ code: '550' })).json;
    expect(bare).toMatchObject({ meaning: 'no_mailbox', clarity: 'vague', state: 'undeliverable' });
    expect(bare.explanation).toMatch(/most likely .* does not say why/);
    expect(bare.advice).toMatch(/^Check the address before you remove it/);
    expect((await ask({ text: '550 5.1.1' })).json.explanation).toMatch(
      /says that this mailbox does not exist/,
    );
    expect((await ask({ text: 'foo' })).json).toMatchObject({ meaning: 'unclear', clarity: 'vague' });
  });

  test('what is no reply is refused with its own code', async () => {
    const refusal = async (path: string) => {
      const { status, headers } = await service.call('GET', path);
      return [status, headers['mxproof-error']];
    };
    expect(await refusal('/v1/reply')).toEqual([400, 'text_required']);
    expect(await refusal('/v1/reply?text=%20')).toEqual([400, 'text_required']);
    expect(await refusal('/v1/reply?text=a&text=b')).toEqual([400, 'text_required']);
    for (const code of ['55', '5500', '199', '600', 'abc'])
      expect(await refusal(`/v1/reply?text=a&code=${code}`)).toEqual([400, 'bad_code']);
    expect(await refusal(`/v1/reply?text=${'a'.repeat(4_001)}`)).toEqual([400, 'text_too_long']);
    expect((await service.call('GET', '/v1/reply?code=550', { key: null })).status).toBe(401);
  });
});

describe('POST /v1/reply', () => {
  test('tells of each recipient by position, never by address', async () => {
    const { json, text } = await post(LOG);
    expect(json.replies).toMatchObject([
      { position: 0, detail: 'no_such_mailbox', state: 'undeliverable' },
      { position: 1, detail: 'mailbox_full', state: 'risky' },
    ]);
    expect(text).not.toMatch(/bob|ann|@|b\.example/);
    expect(service.logged.join('')).not.toMatch(/bob|ann@/);
  });

  test('a text without a reply has none', async () => {
    expect((await post('Dear Ann, see you on Monday.')).json).toEqual({ replies: [] });
  });

  test('test keys ask as well, and a request counts as any', async () => {
    const { apiKey } = await service.context.db.transaction((tx) =>
      addKey(tx, THE_SERVICE, {
        accountId: service.account.accountId,
        label: 't',
        test: true,
        manage: false,
        expiresAtSeconds: null,
        allowedIps: null,
      }),
    );
    const { json, headers } = await post('550 5.1.1 User unknown', apiKey);
    expect(json.replies).toHaveLength(1);
    expect(headers['mxproof-mode']).toBe('test');
    expect(headers.ratelimit).toContain('"requests";r=99999');
    expect((await post('550', null)).status).toBe(401);
  });

  test('a text up to 256 KB is read to its end, however it is escaped; a longer one is refused', async () => {
    const longest = (line: string) => {
      const bytes = MAX_REPLY_TEXT_BYTES - LOG.length;
      const lines = Math.floor(bytes / Buffer.byteLength(line));
      return `${line.repeat(lines)}${'x'.repeat(bytes - lines * Buffer.byteLength(line) - 1)}\n${LOG}`;
    };
    const padded = longest(`${'\u0007'.repeat(63)}\n`);
    expect((await post(padded)).json.replies).toHaveLength(2);
    expect((await post(longest(`${'ä'.repeat(40)}\n`))).json.replies).toHaveLength(2);
    for (const longer of [
      `${padded}x`,
      'ä'.repeat(MAX_REPLY_TEXT_BYTES / 2 + 1),
      '\u0007'.repeat(MAX_REPLY_TEXT_BYTES + 1_024),
    ]) {
      const { status, headers, json } = await post(longer);
      expect([status, headers['mxproof-error'], json.error]).toEqual([
        413,
        'text_too_large',
        'text must be at most 256 KB',
      ]);
    }
  });

  test('the thread that serves requests reads no text, however long or hostile', async () => {
    const head = 'Received: x\nContent-Type: text/html\n\n';
    const text = (head + '<head>'.repeat(MAX_REPLY_TEXT_BYTES / 6)).slice(0, MAX_REPLY_TEXT_BYTES);
    for (const one of [text, `${LOG}\n`.repeat(200)]) {
      const looked = await charsLookedAt(async () => expect((await post(one)).status).toBe(200));
      expect(looked).toBeLessThan(one.length / 4);
    }
  });

  test('no text, or no JSON, is refused', async () => {
    for (const text of [undefined, null, 5, '', ' \n', ['a']])
      expect((await post(text)).headers['mxproof-error']).toBe('text_required');
    expect((await service.call('POST', '/v1/reply', { raw: '{' })).headers['mxproof-error']).toBe(
      'invalid_json',
    );
  });
});
