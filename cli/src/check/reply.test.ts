import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { run as runCommand } from '../main.ts';

async function run(args: string[], input: readonly (string | Uint8Array)[] = []) {
  let out = '';
  let err = '';
  const status = await runCommand(['reply', ...args], {
    stdin: Readable.from(input, { objectMode: true }),
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
  });
  return { status, out, err };
}

const json = async (...lines: string[]) => {
  const { status, out } = await run(['--json'], [`${lines.join('\n')}\n`]);
  return {
    status,
    rows: out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as object),
  };
};

describe('mxproof reply', () => {
  it('tells what a reply means, what it leads to and which rule decided', async () => {
    const { status, out } = await run(['550 5.1.1 <a@b.example>... User unknown']);
    expect(status).toBe(0);
    expect(out).toMatch(
      /^meaning {2}no_mailbox: .*\nverdict {2}undeliverable, rejected_email\nrule {5}no mailbox, like ".+"\n$/,
    );
  });

  it('takes an unquoted reply as one', async () => {
    const { out } = await run(['550', '5.2.2', 'mailbox', 'full']);
    expect(out).toContain('risky, low_deliverability');
  });

  it('names the delay a reply names', async () => {
    const { out } = await run(['451 4.7.1 Greylisted, try again in 5 minutes']);
    expect(out).toContain('retry    after 300 s');
  });

  it('says where a refusal that alone says nothing would be decided', async () => {
    const vague = '550 I cannot deliver mail for <a@b.example>';
    expect((await run([vague])).out).toContain('\ncompared where the host takes others of the domain');
    expect((await run(['--stage', 'data', vague])).out).not.toContain('compared');
    expect((await run(['550 5.7.1 Rejected by local policy'])).out).not.toContain('compared');
  });

  it('before RCPT says nothing about a mailbox, refused or welcomed', async () => {
    expect((await run(['--stage', 'banner', '550 5.1.1 User unknown'])).out).toContain(
      'unknown, unavailable_smtp',
    );
    expect((await run(['--stage=mail', '250 ok'])).out).toContain('unknown, unavailable_smtp');
  });

  it.each([
    [[]],
    [['--stage', 'recpt', '250 ok']],
    [['--nonsense', '250 ok']],
    [['--stage']],
  ])('%j is a wrong call: one sentence on standard error, status 2', async (args) => {
    const { status, out, err } = await run(args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^[A-Z-][^\n]+\.\n$/);
  });

  it('with --json answers a reply that is an argument as one of standard input, which it leaves alone', async () => {
    const { rows } = await json(JSON.stringify({ reply: '550 5.7.1 Access denied' }));
    const { status, out, err } = await run(['--json', '550', '5.7.1 Access denied'], ['not read']);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.endsWith('\n')).toBe(true);
    expect([JSON.parse(out)]).toEqual(rows);
  });

  it('with --json says what is wrong in JSON as well', async () => {
    const { status, out, err } = await run(['--json', '--stage', 'recpt', '250 ok']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(JSON.parse(err)).toEqual({ error: expect.stringContaining('--stage') });
  });

  it('explains itself on --help', async () => {
    expect(await run(['--help'])).toMatchObject({
      status: 0,
      out: expect.stringContaining('Usage: mxproof reply'),
    });
  });
});

describe('mxproof reply --file', () => {
  const LOG =
    'to=<bob@b.example>, dsn=5.1.1, status=bounced (550 5.1.1 User unknown)\nto=<ann@b.example>, dsn=5.2.2, status=bounced (552 5.2.2 Mailbox full)\n';
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-reply-'));
  const file = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('tells of each recipient: meaning, verdict, what to do and the rule, and never its address', async () => {
    const { status, out } = await run(['--file', file('bounce.log', LOG)]);
    expect(status).toBe(0);
    expect(out).toMatch(
      /^Recipient 1\nmeaning {2}no_mailbox: The mail server says .*\nverdict {2}undeliverable, rejected_email \(no_such_mailbox\)\ndo {7}Remove .*\nrule {5}no mailbox, .*\n\nRecipient 2\nmeaning {2}over_quota: /,
    );
    expect(out).not.toMatch(/bob|ann/);
  });

  it('prints what the API answers with --json, also from standard input', async () => {
    const { status, out } = await run(['--file', '-', '--json'], [LOG]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      replies: [
        {
          position: 0,
          meaning: 'no_mailbox',
          clarity: 'plain',
          state: 'undeliverable',
          detail: 'no_such_mailbox',
        },
        { position: 1, meaning: 'over_quota', state: 'risky', reason: 'low_deliverability' },
      ],
    });
  });

  it('reads what is not UTF-8 as Latin-1', async () => {
    const latin = Buffer.from('said: 550 Der Empf\u00e4nger ist unbekannt', 'latin1');
    expect((await run(['--file', file('latin.log', latin)])).out).toContain('no_mailbox');
  });

  it('reads 256 KB to their end, and no byte more', async () => {
    const longest = `${'x'.repeat(256 * 1_024 - LOG.length - 1)}\n${LOG}`;
    expect((await run(['--file', file('longest.log', longest)])).out).toContain('Recipient 2');
    const { status, err } = await run(['--file', file('longer.log', `${longest}x`)]);
    expect([status, err]).toEqual([1, expect.stringContaining('longer than 256 KB')]);
  });

  it('says that there is no reply with status 1', async () => {
    const path = file('letter.txt', 'Dear Ann, see you on Monday.');
    expect(await run(['--file', path])).toEqual({
      status: 1,
      out: '',
      err: 'No reply of a mail server was found in this text.\n',
    });
    expect(await run(['--file', path, '--json'])).toEqual({ status: 1, out: '{"replies":[]}\n', err: '' });
  });

  it.each([
    [['--file', '/nowhere'], 1, /^Cannot read \/nowhere \(ENOENT\)\.\n$/],
    [['--file', tmpdir()], 1, /^Cannot read .* \(EISDIR\)\.\n$/],
    [['--file', '/dev/zero'], 1, /^The text is longer than 256 KB: .*\n$/],
    [['--file', '-', '550 no'], 2, /^With --file, .*\n$/],
    [['--file', '-', '--stage', 'rcpt'], 2, /^With --file, .*\n$/],
  ])('%j ends in one sentence', async (args, status, sentence) => {
    const ended = await run(args);
    expect({ ...ended, err: '' }).toEqual({ status, out: '', err: '' });
    expect(ended.err).toMatch(sentence);
  });
});

describe('mxproof reply --json', () => {
  it('answers a line for each line', async () => {
    const { status, rows } = await json(
      '{"stage":"rcpt","reply":"550 5.1.1 User unknown"}',
      '{"reply":"250 2.1.5 Ok"}',
      '{"stage":"banner","reply":"554 5.7.1 blocked using zen.spamhaus.org"}',
      '{"stage":"ehlo","reply":"250 hello"}',
      '{"stage":"rcpt","provider":"microsoft","reply":"550 5.4.1 Recipient address rejected: Access denied."}',
    );
    expect(status).toBe(0);
    expect(rows).toEqual([
      { meaning: 'no_mailbox', state: 'undeliverable', reason: 'rejected_email' },
      { meaning: 'accepted', state: 'deliverable', reason: 'accepted_email' },
      { meaning: 'blocked', state: 'unknown', reason: 'unavailable_smtp' },
      { meaning: 'accepted', state: 'unknown', reason: 'unavailable_smtp' },
      { meaning: 'no_mailbox', state: 'undeliverable', reason: 'rejected_email' },
    ]);
  });

  it('answers a malformed line with an error, goes on, and ends with status 2', async () => {
    const { status, rows } = await json(
      'nonsense',
      '[]',
      'null',
      '{"reply":5}',
      '{"reply":"250 ok","stage":7}',
      '{"reply":"250 ok","provider":7}',
      '',
      '{"reply":"250 ok"}',
    );
    expect(status).toBe(2);
    expect(rows.map((row) => 'error' in row)).toEqual([true, true, true, true, true, true, false]);
  });

  it.each([
    ['data', '550 5.1.1 User unknown', 'undeliverable'],
    ['data', '552 5.2.2 Mailbox full', 'risky'],
    ['data', '550 5.1.1', 'unknown'],
    ['data', '550', 'unknown'],
    ['data', '250 2.0.0 queued', 'unknown'],
    ['DATA', '554 5.7.1 spam', 'unknown'],
    ['.', '550 no such user', 'undeliverable'],
    ['__proto__', '550 5.2.1', 'unknown'],
    ['MAIL FROM', '550 5.1.1 User unknown', 'unknown'],
    ['helo', '550 User unknown', 'unknown'],
    ['greeting', '554 User unknown', 'unknown'],
    ['RCPT TO', '550', 'undeliverable'],
    ['', '550 5.1.1', 'undeliverable'],
    [null, '550 5.1.1', 'undeliverable'],
  ])('at stage %j, "%s" leads to %s: elsewhere than at RCPT no number is about the mailbox', async (stage, reply, state) => {
    const { status, rows } = await json(JSON.stringify({ stage, reply }));
    expect(status).toBe(0);
    expect(rows).toMatchObject([{ state }]);
  });

  it.each([
    ['', 'unclear'],
    [' ', 'unclear'],
    ['\u0000\u0007', 'unclear'],
    ['5.1.1', 'no_mailbox'],
    ['4.2.2', 'over_quota'],
    ['550 550 5.1.1 <a@b.example>... User Unknown', 'no_mailbox'],
    ['sorry, no mailbox here by that name. (#5.1.1)', 'no_mailbox'],
    [
      "554 delivery error: dd This user doesn't have a yahoo.com account (a@yahoo.com) [0] - mta1.mail.yahoo.com",
      'no_mailbox',
    ],
    ['smtp; 550 5.1.1 <a@b.example>: User unknown (in reply to RCPT TO command)', 'no_mailbox'],
    ['SMTP; 450 User unknown', 'temporary'],
    ['host mx.b.example[192.0.2.1] said: 450 User unknown (in reply to RCPT TO command)', 'temporary'],
    ['550 5.1.1 User unknown (in reply to MAIL FROM command)', 'sender_refused'],
    [
      '550 5.1.1 user unknown"}],"timestamp":"2016-10-21T00:06:40.502Z","mail":{"source":"a@b.example"}}',
      'no_mailbox',
    ],
    ['550 5.1.1 <a@b.example>... User unknown 550 5.2.2 <c@b.example>... Mailbox full', 'no_mailbox'],
    ['550 \x8c\xe7\x9b\xb6', 'unclear'],
    [`550 User unknown ${'x'.repeat(65_000)}`, 'no_mailbox'],
    [`550 ${'x'.repeat(65_000)} User unknown`, 'unclear'],
  ])('reads the odd shape %j as %s', async (reply, meaning) => {
    const { rows } = await json(JSON.stringify({ reply }));
    expect(rows).toMatchObject([{ meaning }]);
  });

  it('takes lines in any fragmentation, bytes included, and a last line without an end', async () => {
    const bytes = new TextEncoder().encode('{"reply":"550 Пользователь не найден"}\n{"reply":"250 ok"}');
    const { out } = await run(
      ['--json'],
      [...bytes].map((byte) => Uint8Array.of(byte)),
    );
    expect(out.match(/"meaning":"[a-z_]+"/g)).toEqual(['"meaning":"no_mailbox"', '"meaning":"accepted"']);
  });

  it('refuses a line without end in bounded memory and answers the next', async () => {
    const flood = Array.from({ length: 20 }, () => 'x'.repeat(50_000));
    const { status, out } = await run(['--json'], [...flood, '\n{"reply":"250 ok"}\n', ...flood]);
    expect(status).toBe(2);
    const rows = out.split('\n').filter(Boolean);
    expect(rows.map((row) => 'error' in JSON.parse(row))).toEqual([true, false, true]);
  });

  it('answers nothing to nothing', async () => {
    expect(await run(['--json'], [])).toEqual({ status: 0, out: '', err: '' });
  });
});
