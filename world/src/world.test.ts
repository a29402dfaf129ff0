// The world by its own sockets: each behaviour as a raw client sees it.
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { startWorld, type World, type WorldSpec } from './index.ts';

let world: World | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await world?.close();
  world = undefined;
});

async function start(spec: WorldSpec, seed = 1): Promise<World> {
  world = await startWorld(spec, { seed });
  return world;
}

/** A client that sends text and waits for what it wants to see. */
function client(host: string, source = '127.0.0.1') {
  const socket = connect({ host: world!.addressesOf(host)[0]!, port: world!.smtpPort, localAddress: source });
  sockets.push(socket);
  let heard = '';
  let over = false;
  let wake = () => {};
  const listen = (from: Socket) => {
    from.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      wake();
    });
    from.on('close', () => {
      over = true;
      wake();
    });
    from.on('error', () => {});
  };
  listen(socket);
  const until = async (done: () => boolean) => {
    while (!done() && !over)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return {
    socket,
    listen,
    send: (text: string) => socket.write(text),
    /** Sends and returns what came since, up to `replies` whole replies or the end of the connection. */
    async ask(text: string, replies = 1): Promise<string> {
      heard = '';
      if (text !== '') socket.write(text);
      await until(() => (heard.match(/^\d{3} .*\r\n/gm) ?? []).length >= replies);
      return heard;
    },
    async heardAll(replies = 1): Promise<string> {
      await until(() => (heard.match(/^\d{3} .*\r\n/gm) ?? []).length >= replies);
      return heard;
    },
    async end(): Promise<string> {
      await until(() => false);
      return heard;
    },
  };
}

async function greeted(host: string, source?: string) {
  const line = client(host, source);
  expect(await line.heardAll()).toMatch(/^220/);
  expect(await line.ask('EHLO probe.example\r\n')).toMatch(/^250-/);
  return line;
}

test('known mailboxes are accepted, others refused in the words of Postfix, and both are counted', async () => {
  const { seen } = await start({ domains: { 'a.example': { host: {}, mailboxes: ['Anna'] } } });
  const line = await greeted('mx.a.example');
  const flight = 'MAIL FROM:<>\r\nRCPT TO:<anna@a.example>\r\nRCPT TO:<nobody@a.example>\r\n';
  expect(await line.ask(flight, 3)).toBe(
    '250 2.1.0 Ok\r\n250 2.1.5 Ok\r\n550 5.1.1 <nobody@a.example>: Recipient address rejected: User unknown in virtual mailbox table\r\n',
  );
  expect(await line.ask('RCPT TO:<x@other.example>\r\n')).toMatch(/^554 5\.7\.1 .*Relay access denied/);
  await line.ask('QUIT\r\n');
  await line.end();
  expect(seen.hosts['mx.a.example']).toMatchObject({
    rcpts: 3,
    accepted: 1,
    refusals: 2,
    outOfPlace: 0,
    quits: 1,
  });
  expect(seen.asks.get('nobody@a.example')).toMatchObject([{ code: 550, source: '127.0.0.1', sender: '' }]);
});

test('from the 10th error replies are held back, at the 20th the connection is ended with 421', async () => {
  const { seen } = await start({ domains: { 'a.example': { host: { limits: { softErrorDelayMs: 5 } } } } });
  const line = await greeted('mx.a.example');
  const rcpts = Array.from({ length: 9 }, (_, i) => `RCPT TO:<u${i}@a.example>\r\n`).join('');
  await line.ask(`MAIL FROM:<>\r\n${rcpts}`, 10);
  expect(seen.total.delays).toBe(0);
  line.send(`${rcpts}${rcpts}`);
  expect(await line.end()).toMatch(/421 4\.7\.0 mx\.a\.example Error: too many errors\r\n$/);
  expect(seen.total).toMatchObject({ delays: 11, given421: 1, refusals: 20 });
});

test('limits on connections, recipients and rate are kept', async () => {
  const limits = {
    connectionsPerSource: 1,
    recipientsPerTransaction: 2,
    recipientsPerConnection: 4,
    recipientsPerMinute: 3,
  };
  const { seen } = await start({
    domains: { 'a.example': { host: { limits }, mailboxes: { catchAll: true } } },
  });
  const line = await greeted('mx.a.example');
  expect(await client('mx.a.example').end()).toMatch(/^421 4\.7\.0 .*too many connections from 127\.0\.0\.1/);
  expect(await client('mx.a.example', '127.0.0.2').heardAll()).toMatch(/^220/);
  const two = 'MAIL FROM:<>\r\nRCPT TO:<a@a.example>\r\nRCPT TO:<b@a.example>\r\n';
  expect(await line.ask(`${two}RCPT TO:<c@a.example>\r\n`, 4)).toMatch(/452 4\.5\.3 .*\r\n$/);
  expect(await line.ask(`RSET\r\nMAIL FROM:<>\r\nRCPT TO:<c@a.example>\r\n`, 3)).toMatch(
    /250 2\.1\.5 Ok\r\n$/,
  );
  line.send('RCPT TO:<d@a.example>\r\n');
  expect(await line.end()).toMatch(/421 4\.7\.0 .*too many recipients in this session/);
  expect(seen.total).toMatchObject({ peakPerSource: 2, given421: 2 });
});

test('greylisting is keyed on source, sender and recipient', async () => {
  await start({ domains: { 'a.example': { host: { greylist: { delayMs: 0 } }, mailboxes: ['anna'] } } });
  const ask = async (source: string, sender: string) => {
    const line = await greeted('mx.a.example', source);
    const heard = await line.ask(`MAIL FROM:<${sender}>\r\nRCPT TO:<anna@a.example>\r\n`, 2);
    return heard.split('\r\n')[1]!.slice(0, 3);
  };
  expect(await ask('127.0.0.1', '')).toBe('450');
  expect(await ask('127.0.0.2', '')).toBe('450');
  expect(await ask('127.0.0.1', 's@p.example')).toBe('450');
  expect(await ask('127.0.0.1', '')).toBe('250');
});

test('quota, disabled, tempfail and shares of mailboxes', async () => {
  const mailboxes = {
    overQuota: ['full'],
    fullForNow: ['fat'],
    disabled: ['old'],
    tempfail: ['tired'],
    share: 0.5,
  };
  const { truth } = await start({ domains: { 'a.example': { host: {}, mailboxes } } });
  const line = await greeted('mx.a.example');
  const locals = ['full', 'fat', 'old', 'tired'];
  const heard = await line.ask(
    `MAIL FROM:<>\r\n${locals.map((l) => `RCPT TO:<${l}@a.example>\r\n`).join('')}`,
    5,
  );
  expect(heard.match(/\d\.\d\.\d/g)).toEqual(['2.1.0', '5.2.2', '4.2.2', '5.2.1', '4.3.0']);
  const known = Array.from({ length: 1000 }, (_, i) => truth(`p${i}@a.example`).state).filter(
    (s) => s === 'deliverable',
  );
  expect(known.length).toBeGreaterThan(400);
  expect(known.length).toBeLessThan(600);
});

test.each([
  ['silent', { at: { banner: { next: 'silent' } } }, /^$/],
  ['421 at connect', { at: { banner: { reply: '421 4.3.2 busy' } } }, /^421 4\.3\.2 busy\r\n$/],
  ['554 at the banner', { at: { banner: { reply: '554 5.7.1 go away' } } }, /^554 .*\r\n(503 .*\r\n){3}221 /],
  ['drop at the banner', { at: { banner: { next: 'drop' } } }, /^$/],
  ['drop at EHLO', { at: { ehlo: { next: 'drop' } } }, /^220 .*\r\n$/],
  ['reset at MAIL', { at: { mail: { next: 'reset' } } }, /250 SMTPUTF8\r\n$/],
  ['drop at RCPT', { at: { rcpt: { next: 'drop' } } }, /250 2\.1\.0 Ok\r\n$/],
  ['slow RCPT', { at: { rcpt: { delayMs: 30 } } }, /250 2\.1\.5 Ok\r\n221 2\.0\.0 Bye\r\n$/],
  [
    'block by source',
    { at: { mail: { reply: '554 5.7.1 not you', sources: ['127.0.0.1'] } } },
    /554 5\.7\.1 not you/,
  ],
  ['HELO only', { heloOnly: true }, /^220 .*\r\n502 5\.5\.1/],
  ['multi-line everything', { multiline: true }, /250-2\.1\.5 .*\r\n250-2\.1\.5 \r\n250 2\.1\.5 Ok\r\n/],
  ['one byte at a time', { fragment: { bytes: 1, gapMs: 0 } }, /250 2\.1\.5 Ok\r\n221 2\.0\.0 Bye\r\n$/],
  ['other languages', { wording: 'german', everyRcpt: 'refuse' }, /550 5\.1\.1 Empf/],
  ['TLS required', { tls: 'required' }, /250-STARTTLS[\s\S]*530 5\.7\.0/],
  ['no null sender', { senders: 'not_null' }, /550 5\.7\.1 <>/],
  ['tempfail', { everyRcpt: 'tempfail' }, /451 4\.3\.0/],
  ['replies after a latency', { replyDelayMs: 10 }, /250 2\.1\.5 Ok\r\n221 2\.0\.0 Bye\r\n$/],
] as const)('%s', async (_, host, expected) => {
  await start({ domains: { 'a.example': { host, mailboxes: ['anna'] } } });
  const line = client('mx.a.example');
  if (!/^silent/.test(_)) {
    for (const text of [
      '',
      'EHLO p.example\r\n',
      'MAIL FROM:<>\r\n',
      'RCPT TO:<anna@a.example>\r\n',
      'QUIT\r\n',
    ]) {
      if (text !== '') line.send(text);
      await line.heardAll(['', 'EHLO', 'MAIL', 'RCPT', 'QUIT'].indexOf(text.slice(0, 4)) + 1);
    }
    expect(await line.end()).toMatch(expected);
  } else {
    line.send('EHLO p.example\r\n');
    await expect(
      Promise.race([line.end(), new Promise((resolve) => setTimeout(resolve, 100, 'silence'))]),
    ).resolves.toBe('silence');
  }
});

test('an endless banner goes on until the client has had enough, and garbage is no SMTP', async () => {
  await start({
    domains: {
      'e.example': { host: { speaks: 'endless_banner' } },
      'g.example': { host: { speaks: 'garbage' } },
    },
  });
  const endless = client('mx.e.example');
  let bytes = 0;
  await new Promise<void>((resolve) => {
    endless.socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > 2000) resolve();
    });
  });
  const garbage = client('mx.g.example');
  const chunk = await new Promise<Buffer>((resolve) => garbage.socket.once('data', resolve));
  expect(chunk.length).toBe(4096);
});

test('STARTTLS makes a TLS session that starts over with EHLO; a broken one makes none', async () => {
  const { seen } = await start({
    domains: {
      't.example': { host: { tls: 'required' }, mailboxes: ['anna'] },
      'b.example': { host: { tls: 'broken' } },
    },
  });
  const line = await greeted('mx.t.example');
  expect(await line.ask('STARTTLS\r\n')).toMatch(/^220/);
  line.socket.removeAllListeners('data');
  const secure = connectTls({ socket: line.socket, rejectUnauthorized: false });
  sockets.push(secure);
  await new Promise((resolve) => secure.once('secureConnect', resolve));
  const said = await new Promise<string>((resolve) => {
    let heard = '';
    secure.on('data', (chunk) => {
      heard += chunk.toString();
      if (/2\.1\.5/.test(heard)) resolve(heard);
      else if (/SMTPUTF8\r\n$/.test(heard)) secure.write('MAIL FROM:<>\r\nRCPT TO:<anna@t.example>\r\n');
    });
    secure.write('EHLO p.example\r\n');
  });
  expect(said).not.toMatch(/STARTTLS/);
  expect(seen.total.tlsSessions).toBe(1);
  const broken = await greeted('mx.b.example');
  await broken.ask('STARTTLS\r\n');
  broken.send('\x16\x03\x01');
  expect(await broken.end()).toMatch(/no handshake/);
});

test('pipelining: lost replies where promised, out of place where not offered', async () => {
  const { seen } = await start({
    domains: {
      'l.example': { host: { pipelining: 'loses_replies' }, mailboxes: ['anna'] },
      'n.example': { host: { pipelining: 'none' }, mailboxes: ['anna'] },
    },
  });
  const flight = 'MAIL FROM:<>\r\nRCPT TO:<anna@l.example>\r\n';
  const loses = await greeted('mx.l.example');
  expect(await loses.ask(flight)).toBe('250 2.1.0 Ok\r\n');
  expect(await loses.ask('NOOP\r\n')).toBe('250 2.0.0 Ok\r\n');
  expect(seen.total.outOfPlace).toBe(0);
  const none = await greeted('mx.n.example');
  await none.ask(flight, 2);
  expect(seen.hosts['mx.n.example']!.outOfPlace).toBe(1);
});

test('an internationalised address needs SMTPUTF8 on both sides', async () => {
  await start({
    domains: {
      'bücher.example': { host: {}, mailboxes: ['jürgen'] },
      'o.example': { host: { smtpUtf8: false } },
    },
  });
  const line = await greeted('mx.xn--bcher-kva.example');
  const rcpt = 'RCPT TO:<jürgen@bücher.example>\r\n';
  expect(await line.ask(`MAIL FROM:<>\r\n${rcpt}`, 2)).toMatch(/553 5\.6\.7/);
  expect(await line.ask(`RSET\r\nMAIL FROM:<> SMTPUTF8\r\n${rcpt}`, 3)).toMatch(/250 2\.1\.5 Ok\r\n$/);
  const old = await greeted('mx.o.example');
  expect(await old.ask('MAIL FROM:<> SMTPUTF8\r\n')).toMatch(/^555/);
});

test('a host that is down refuses, and one may answer on ::1', async () => {
  await start({
    domains: { 'd.example': { host: { down: true } }, 's.example': { host: { ipv6: true, addresses: [] } } },
  });
  const line = client('mx.d.example');
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => line.socket.once('error', resolve));
  expect(error.code).toBe('ECONNREFUSED');
  expect(await client('mx.s.example', '::1').heardAll()).toMatch(/^220/);
});
