// Hosts that lie, stall, flood and cut. Promise: whatever a host does, its addresses end unknown (never deliverable,
// never undeliverable by accident), every connection is closed, little is read, and honest hosts beside it are unaffected.

import { steadyNow } from '@mxproof/common/steady-now';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChecker } from '../src/checker.ts';
import type { Resolver } from '../src/ports.ts';
import type { Clock, Finding } from '../src/types.ts';
import { type HostileHost, type HostileHosts, hostileHosts } from './hostile/hostile-host.ts';
import { ANSWERS, ODD, SAYS_NOTHING } from './hostile/scripts.ts';
import { freePort } from './mail-servers/mail-server.ts';

const ADDRESS = (at: number): string => `127.0.${70 + Math.floor(at / 200)}.${1 + (at % 200)}`;
const GOOD = '127.0.69.1';
const ROWS: typeof ODD = [...SAYS_NOTHING, ...ANSWERS, ...ODD];

/** The engine's pauses are seconds; its time runs faster here than the hosts'. */
const SPEED = 8;
const startedAtMs = steadyNow();
const fastClock: Clock = {
  now: () => startedAtMs + (steadyNow() - startedAtMs) * SPEED,
  setTimeout: (callback, ms) => setTimeout(callback, ms / SPEED),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

const domain = (at: number): string => `h${at}.example`;

const resolver: Resolver = {
  mx: async (name) => ({
    kind: 'records',
    records: [{ preference: 0, exchange: `mx.${name}` }],
    ttlSeconds: 60,
  }),
  a: async (name) => {
    const at = /^mx\.h(\d+)\.example$/.exec(name)?.[1];
    return { kind: 'records', records: [at === undefined ? GOOD : ADDRESS(Number(at))], ttlSeconds: 60 };
  },
  aaaa: async () => ({ kind: 'nodata' }),
};

describe.each([
  ['the null sender', ''],
  ['a sender', 'probe@checker.example'],
])('asked with %s', (_how, mailFrom) => {
  let hosts: HostileHosts;
  const started = new Map<string, HostileHost>();
  const found = new Map<string, Finding>();

  beforeAll(async () => {
    hosts = hostileHosts(await freePort([GOOD, ...ROWS.map((_, at) => ADDRESS(at))]));
    await hosts.add({}, GOOD);
    for (const [at, [what, script]] of ROWS.entries())
      started.set(what, await hosts.add(script, ADDRESS(at)));
    const checker = createChecker({
      resolver,
      // Its resolver has a mail host for every name, which no honest one has.
      dnsSentinels: [],
      smtpPort: hosts.port,
      heloName: 'checker.example',
      mailFrom,
      allowPrivateTargets: true,
      clock: fastClock,
      retrySeconds: [1],
      timeouts: { connectMs: 8_000, bannerMs: 4_000, replyMs: 4_000, quitMs: 2_000, sessionMs: 16_000 },
    });
    const emails = ROWS.flatMap((_, at) => [`anna@${domain(at)}`, `nobody@${domain(at)}`]);
    const honest = Array.from({ length: 10 }, (_, n) =>
      n === 0 ? 'anna@good.example' : `n${n}@good.example`,
    );
    for await (const finding of checker.checkAll([...emails, ...honest])) found.set(finding.email, finding);
    await checker.close();
  }, 60_000);
  afterAll(() => hosts.close());

  const rows = (of: typeof ROWS) => of.map((row) => [row[0], ROWS.indexOf(row)] as const);

  describe('a host that does this says nothing about a mailbox', () => {
    it.each(rows(SAYS_NOTHING))('%s', (_what, at) => {
      for (const local of ['anna', 'nobody']) {
        const finding = found.get(`${local}@${domain(at)}`);
        expect([finding?.state, finding?.evidence.rule]).toEqual(['unknown', expect.anything()]);
        expect(['unavailable_smtp', 'no_connect']).toContain(finding?.reason);
        expect(Buffer.byteLength(JSON.stringify(finding?.evidence))).toBeLessThanOrEqual(2048);
      }
    });
  });

  describe('a host that does this is understood all the same', () => {
    it.each(rows(ANSWERS))('%s', (_what, at) => {
      const reasons = ['anna', 'nobody'].map((local) => found.get(`${local}@${domain(at)}`)?.reason);
      expect(reasons).toEqual(['accepted_email', 'rejected_email']);
    });
  });

  describe('a host that does this is not misread', () => {
    it.each(rows(ODD))('%s', (_what, at) => {
      expect(['deliverable', 'risky', 'unknown']).toContain(found.get(`anna@${domain(at)}`)?.state);
      expect(['undeliverable', 'unknown']).toContain(found.get(`nobody@${domain(at)}`)?.state);
    });
  });

  describe('and beside all that', () => {
    it('an honest host gets honest verdicts', () => {
      expect(found.get('anna@good.example')?.state).toBe('deliverable');
      for (let n = 1; n < 10; n += 1) expect(found.get(`n${n}@good.example`)?.state).toBe('undeliverable');
    });

    it('every connection is closed, and no host was heard for more than it takes to know', async () => {
      const deadlineMs = steadyNow() + 60_000;
      while ([...started.values()].some((host) => host.open() > 0) && steadyNow() < deadlineMs)
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const [what, host] of started) {
        expect([what, host.open()]).toEqual([what, 0]);
        // Ten lines at most, each with what the two sockets' buffers hold.
        expect(host.lines()).toBeLessThanOrEqual(16);
      }
    });
  });
});
