// Watches every test: nothing may leave this machine, and nothing may be left open.
// Promise: an attempt to reach anything but loopback fails the test that made it, even when the code under test takes
// the refusal for an ordinary network error; a file that leaves a socket, server, process or timer open fails too.

import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';

const attempts: string[] = [];

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (net.isIPv4(bare)) return bare.startsWith('127.');
  return bare === '::1' || /^::ffff:127\./.test(bare) || /^localhost\.?$/.test(bare) || bare === hostname();
}

function refuse(attempt: string): never {
  attempts.push(attempt);
  throw Object.assign(new Error(`this test tried to leave loopback: ${attempt}`), { code: 'ENETUNREACH' });
}

// ---- TCP: also TLS, HTTP and fetch, which all end here
const connect = net.Socket.prototype.connect as (...args: unknown[]) => net.Socket;
net.Socket.prototype.connect = function guarded(this: net.Socket, ...args: unknown[]): net.Socket {
  // net.connect hands on an array it has already put in order.
  const given = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const first = given[0];
  const options =
    typeof first === 'object' && first !== null
      ? (first as net.TcpSocketConnectOpts & { path?: string })
      : null;
  const isPath = options
    ? options.path !== undefined && options.port === undefined
    : Number.isNaN(Number(first));
  const host = options
    ? (options.host ?? 'localhost')
    : typeof given[1] === 'string'
      ? given[1]
      : 'localhost';
  if (!isPath && !isLoopback(host)) refuse(`connect to ${host}`);
  return connect.apply(this, args);
} as typeof net.Socket.prototype.connect;

// ---- UDP
for (const name of ['send', 'connect'] as const) {
  const plain = dgram.Socket.prototype[name] as (...args: unknown[]) => unknown;
  const guarded = function (this: dgram.Socket, ...args: unknown[]): unknown {
    const address = args.slice(1).find((arg) => typeof arg === 'string');
    if (typeof address === 'string' && !isLoopback(address)) refuse(`datagram to ${address}`);
    return plain.apply(this, args);
  };
  Object.defineProperty(dgram.Socket.prototype, name, { value: guarded, writable: true, configurable: true });
}

// ---- DNS: c-ares has sockets of its own, so its questions are looked at before they are asked
interface Asker {
  getServers(): string[];
}
function serverHost(server: string): string {
  return server.startsWith('[')
    ? server.slice(1, server.indexOf(']'))
    : net.isIP(server)
      ? server
      : server.replace(/:\d+$/, '');
}
function guardQuestions(target: object, serversOf: (self: Asker) => string[]): void {
  for (const name of Object.getOwnPropertyNames(target)) {
    if (!/^(resolve|reverse)/.test(name)) continue;
    const plain = (target as Record<string, unknown>)[name];
    if (typeof plain !== 'function') continue;
    const guarded = function (this: Asker, ...args: unknown[]): unknown {
      const away = serversOf(this).find((server) => !isLoopback(serverHost(server)));
      if (away !== undefined) refuse(`DNS ${name} asked of ${away}`);
      return plain.apply(this, args);
    };
    Object.defineProperty(target, name, { value: guarded, writable: true, configurable: true });
  }
}
guardQuestions(dns.Resolver.prototype, (self) => self.getServers());
guardQuestions(dns.promises.Resolver.prototype, (self) => self.getServers());
// The class above them carries the questions in some versions of Node.
guardQuestions(Object.getPrototypeOf(dns.Resolver.prototype), (self) => self.getServers());
guardQuestions(Object.getPrototypeOf(dns.promises.Resolver.prototype), (self) => self.getServers());
guardQuestions(dns, () => dns.getServers());
guardQuestions(dns.promises, () => dns.promises.getServers());
for (const target of [dns, dns.promises] as Array<{ lookup: unknown }>) {
  const plain = target.lookup as (...args: unknown[]) => unknown;
  target.lookup = (name: unknown, ...rest: unknown[]): unknown => {
    if (typeof name === 'string' && name !== '' && net.isIP(name) === 0 && !isLoopback(name))
      refuse(`lookup of ${name}`);
    return plain.call(target, name, ...rest);
  };
}
syncBuiltinESMExports();

afterEach(() => {
  const seen = attempts.splice(0);
  if (seen.length > 0) throw new Error(`this test tried to leave loopback: ${seen.slice(0, 5).join('; ')}`);
});

// ---- leaks
const WATCHED = ['TCPSocketWrap', 'TCPServerWrap', 'UDPWrap', 'ProcessWrap', 'Worker'];
const SETTLE_LIMIT_MS = 6_000;
const SWEEP_EVERY = 1_000;

function openThings(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (WATCHED.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const timers = [...timersMade].filter((timer) => timer.hasRef() && !timer._destroyed).length;
  if (timers > 0) counts.set('Timeout', timers);
  return counts;
}

// Vitest took its own timers before this file was loaded, so only those of the code under test are seen here.
const timersMade = new Set<NodeJS.Timeout & { _destroyed?: boolean }>();
for (const name of ['setTimeout', 'setInterval'] as const) {
  const plain = globalThis[name] as (...args: unknown[]) => NodeJS.Timeout;
  const watched = (...args: unknown[]): NodeJS.Timeout => {
    const timer = plain(...args);
    timersMade.add(timer);
    if (timersMade.size % SWEEP_EVERY === 0) sweepTimers();
    return timer;
  };
  // util.promisify finds its way by a property of the function.
  for (const key of Object.getOwnPropertySymbols(plain)) {
    Object.defineProperty(watched, key, Object.getOwnPropertyDescriptor(plain, key)!);
  }
  Object.assign(globalThis, { [name]: watched });
}
function sweepTimers(): void {
  for (const timer of timersMade) if (timer._destroyed) timersMade.delete(timer);
}

let before = new Map<string, number>();
beforeAll(() => {
  before = openThings();
});

// The first afterAll to be declared is the last to run: the file's own have closed what they opened.
afterAll(async () => {
  const deadline = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const left = [...openThings()].filter(([name, count]) => count > (before.get(name) ?? 0));
    if (left.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`this file left open: ${left.map(([name, count]) => `${count} ${name}`).join(', ')}`);
    }
    await sleep(20, undefined, { ref: false });
  }
});
