// A proxy's bytes, honest and hostile, in every cut.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SocksHandshake, type SocksStep, validateProxy } from './socks5.ts';

const TARGET = { ip: '192.0.2.25', port: 25 };
const LOGIN = { user: 'üser', password: 'p@ss:=%' };
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** What is sent, and how it ends: `connected` with what came behind the reply, an error, or null while more has to come. */
function talk(handshake: SocksHandshake, chunks: readonly Uint8Array[]) {
  const sent: string[] = [hex(handshake.greeting)];
  let end: SocksStep['end'] = null;
  for (const chunk of chunks) {
    if (end?.kind === 'failed') break;
    if (end?.kind === 'connected') {
      end = { kind: 'connected', rest: Buffer.concat([end.rest, chunk]) };
      continue;
    }
    const step = handshake.push(chunk);
    sent.push(...step.say.map(hex));
    ({ end } = step);
  }
  return {
    sent,
    end: end === null ? null : end.kind === 'failed' ? end.error : `connected ${hex(end.rest)}`,
  };
}

const CONNECT = '0501 0001 c0000219 0019'.replaceAll(' ', '');
const LOGIN_BYTES = `01 05 ${hex(Buffer.from('üser'))} 07 ${hex(Buffer.from('p@ss:=%'))}`.replaceAll(' ', '');
const BANNER = hex(Buffer.from('220 mx.example ESMTP\r\n'));

test('an address is asked for as an address of its family, never as a name', () => {
  expect(talk(new SocksHandshake(TARGET, null), [bytesOf('0500')]).sent).toEqual(['050100', CONNECT]);
  const six = new SocksHandshake({ ip: '2001:db8::19', port: 2525 }, null);
  expect(talk(six, [bytesOf('0500')]).sent[1]).toBe(`05010004${'20010db8000000000000000000000019'}09dd`);
});

test('with a login nothing else is offered, and it is sent as UTF-8', () => {
  const { sent, end } = talk(new SocksHandshake(TARGET, LOGIN), [bytesOf('0502'), bytesOf('0100')]);
  expect(sent).toEqual(['050102', LOGIN_BYTES, CONNECT]);
  expect(end).toBeNull();
});

/** What the proxy says in all, and what comes of it; `login`: with one. */
const ANSWERS: readonly (readonly [string, string, string | null])[] = [
  ['connected, an IPv4 address', `0500 0500 0001 7f000001 bdd3 ${BANNER}`, `connected ${BANNER}`],
  ['connected, an IPv6 address', `0500 0500 0004 ${'00'.repeat(16)} 0000`, 'connected '],
  ['connected, a name', `0500 0500 0003 03 6d782e 0019 ${BANNER}`, `connected ${BANNER}`],
  ['connected, a name without letters', `0500 0500 0003 00 0019 ${BANNER}`, `connected ${BANNER}`],
  ['general failure', '0500 0501 0001 00000000 0000', 'EPROXYREFUSED'],
  ['not allowed, and no more than that', '0500 0502', 'EPROXYREFUSED'],
  ['network unreachable', '0500 0503 0001 00000000 0000', 'EPROXYNOROUTE'],
  ['host unreachable', '0500 0504 0001 00000000 0000', 'EHOSTUNREACH'],
  ['connection refused', '0500 0505 0001 00000000 0000', 'ECONNREFUSED'],
  ['TTL expired', '0500 0506 0001 00000000 0000', 'ETIMEDOUT'],
  ['command not supported', '0500 0507 0001 00000000 0000', 'EPROXYREFUSED'],
  ['address type not supported', '0500 0508 0001 00000000 0000', 'EPROXYNOROUTE'],
  ['a code of its own', '0500 0599 0001 00000000 0000', 'EPROXYREFUSED'],
  ['an address of no known type', `0500 0500 0007 ${BANNER}`, 'EPROXYPROTO'],
  ['SOCKS4', '0400', 'EPROXYPROTO'],
  ['SOCKS4 in the reply', '0500 045a 0001 00000000 0000', 'EPROXYPROTO'],
  ['HTTP', hex(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')), 'EPROXYPROTO'],
  ['SMTP', BANNER, 'EPROXYPROTO'],
  ['no method it likes', '05ff', 'EPROXYLOGIN'],
  ['a method that was not offered', '0502', 'EPROXYPROTO'],
  ['half a reply', '0500 0500 0001 7f', null],
  ['login: accepted', `0502 0100 0500 0001 7f000001 bdd3 ${BANNER}`, `connected ${BANNER}`],
  ['login: refused', '0502 0102', 'EPROXYLOGIN'],
  ['login: of another version', '0502 0500', 'EPROXYPROTO'],
  ['login: not wanted', '0500', 'EPROXYPROTO'],
  ['login: no method it likes', '05ff', 'EPROXYLOGIN'],
];

test.each(ANSWERS)('%s', (name, said, end) => {
  const login = name.startsWith('login') ? LOGIN : null;
  expect(talk(new SocksHandshake(TARGET, login), [bytesOf(said)]).end).toBe(end);
});

const cut = (bytes: Buffer, at: readonly number[]) => {
  const places = [0, ...at.map((one) => one % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, i) => Buffer.from(bytes.subarray(places[i], end)));
};

test('however the bytes are cut, the same is sent and the end is the same', () => {
  const said = fc.oneof(
    fc.constantFrom(...ANSWERS.map(([, text]) => bytesOf(text))),
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([bytesOf('0500'), bytes])),
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([bytesOf('0500 0500 0003'), bytes])),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(said, fc.array(fc.nat(500), { maxLength: 12 }), fc.boolean(), (bytes, at, hasLogin) => {
      const login = hasLogin ? LOGIN : null;
      const whole = talk(new SocksHandshake(TARGET, login), [bytes]);
      expect(talk(new SocksHandshake(TARGET, login), cut(bytes, at))).toEqual(whole);
      expect(talk(new SocksHandshake(TARGET, login), cut(bytes, [...bytes.keys()]))).toEqual(whole);
    }),
  );
});

test('whatever it says, it has said enough after 262 bytes of a reply', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 262, maxLength: 262 }), (bytes) => {
      expect(talk(new SocksHandshake(TARGET, null), [bytesOf('0500'), bytes]).end).not.toBeNull();
    }),
  );
});

test.each([
  [{ user: 'u'.repeat(255), password: 'p'.repeat(255) }, true],
  [{ user: 'ü'.repeat(128), password: 'p' }, false],
  [{ user: 'u', password: '' }, false],
])('a login of 1 to 255 bytes each can be sent, and another is refused without being shown', (login, isFit) => {
  const wrong = validateProxy({ name: 'p.example:1080', ip: '10.0.0.1', port: 1080, login });
  expect(wrong === null).toBe(isFit);
  expect(wrong ?? '').not.toContain('uuu');
});
