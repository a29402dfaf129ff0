import { expect, test, vi } from 'vitest';
import { validateHelo } from './address/own-names.ts';
import { defaultHeloName, findHeloName } from './helo.ts';

test('the default is a name servers take, or a literal with a warning', () => {
  const { name, warning } = defaultHeloName();
  expect(validateHelo(name)).toBeNull();
  expect(warning === null).toBe(!name.startsWith('['));
});

test('a short host name is completed from the hosts file or DNS, as hostname -f does', async () => {
  const machine = (names: Readonly<Record<string, string>>, host = 'mx1') => ({
    hostname: () => host,
    addresses: async () => Object.keys(names),
    nameOf: async (address: string) => names[address] ?? '',
  });
  const found = async (names: Readonly<Record<string, string>>, host?: string) =>
    (await findHeloName(machine(names, host))).name;
  expect(await found({ '127.0.1.1': 'mx1.example.org' })).toBe('mx1.example.org');
  expect(await found({ '127.0.0.1': 'localhost', '192.0.2.1': 'MX1.example.org.' })).toBe('mx1.example.org');
  expect(await found({}, 'mx2.example.org')).toBe('mx2.example.org');
  // The address's name is not the machine's; localhost names no machine.
  const { name } = defaultHeloName();
  for (const other of ['host-1.isp.example', 'localhost', 'mx1', 'mx1.localdomain', 'mx1.local_net', ''])
    expect(await found({ '192.0.2.1': other })).toBe(name);
});

test('a resolver that fails or is silent costs a short wait, and gives the literal with its warning', async () => {
  const broken = { hostname: () => 'mx1', nameOf: async () => '' };
  const failing = { ...broken, addresses: () => Promise.reject(new Error('EAI_AGAIN')) };
  expect(await findHeloName(failing)).toEqual(defaultHeloName());
  vi.useFakeTimers();
  const silent = findHeloName({ ...broken, addresses: () => new Promise(() => {}) });
  await vi.advanceTimersByTimeAsync(3_000);
  vi.useRealTimers();
  expect(await silent).toEqual(defaultHeloName());
});
