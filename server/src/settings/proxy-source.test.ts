import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseProxySource } from './proxy-source.ts';

test.each([
  ['socks5://10.0.0.5:1080=out.example.com', '10.0.0.5:1080', null],
  ['socks5://Proxy.Example.com:1080=out.example.com', 'proxy.example.com:1080', null],
  ['socks5://gateway:1080 = out.example.com', 'gateway:1080', null],
  ['SOCKS5://u:p@[2001:DB8::1]:9050=out.example.com', '[2001:db8::1]:9050', { user: 'u', password: 'p' }],
  // HELO after the last `=`, user and password percent-encoded.
  [
    'socks5://a%3Ab:p=%40%2C%3D%25@h.example:1=out.example.com',
    'h.example:1',
    { user: 'a:b', password: 'p=@,=%' },
  ],
  ['socks5://%C3%BC:%F0%9F%94%91@h.example:1=out.example.com', 'h.example:1', { user: 'ü', password: '🔑' }],
])('%s is %s', (text, name, login) => {
  expect(parseProxySource(text)).toMatchObject({ name, ip: null, helo: 'out.example.com', proxy: { login } });
});

test.each([
  'socks5://h.example:1080',
  'socks5://h.example=out.example.com',
  'socks5://h.example:0=out.example.com',
  'socks5://h.example:65536=out.example.com',
  'socks5://:1080=out.example.com',
  'socks5://10.0.0:1080=out.example.com',
  'socks5://2001:db8::1:1080=out.example.com',
  'socks5://[10.0.0.1]:1080=out.example.com',
  'socks5://[fe80::1%eth0]:1080=out.example.com',
  'socks5://-h.example:1080=out.example.com',
  'socks5://h.example:1080/=out.example.com',
  'socks5://h.example:1080=localhost',
  'socks5://h.example:1080=',
  'socks5://u@h.example:1080=out.example.com',
  'socks5://u:@h.example:1080=out.example.com',
  'socks5://:p@h.example:1080=out.example.com',
  'socks5://@h.example:1080=out.example.com',
  'socks5://u:p:q@h.example:1080=out.example.com',
  'socks5://u:p@q@h.example:1080=out.example.com',
  'socks5://u:p%zz@h.example:1080=out.example.com',
  'socks5://u:p%ff@h.example:1080=out.example.com',
  'socks4://h.example:1080=out.example.com',
  'http://h.example:1080=out.example.com',
  `socks5://${'u'.repeat(256)}:p@h.example:1080=out.example.com`,
])('%s is not understood', (text) => {
  expect(parseProxySource(text)).toBeNull();
});

test('any login of up to 255 bytes comes out as it went in', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  const fit = text.filter((one) => one.isWellFormed() && Buffer.byteLength(one) <= 255);
  fc.assert(
    fc.property(fit, fit, (user, password) => {
      const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
      expect(parseProxySource(`socks5://${login}@h.example:1080=out.example.com`)?.proxy.login).toEqual({
        user,
        password,
      });
    }),
  );
});

test('any text is read or refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseProxySource(text);
      parseProxySource(`socks5://${text}`);
    }),
  );
});
