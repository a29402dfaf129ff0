import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address, CatchAll, Facts, Meaning, Reason, State } from '../types.ts';
import { meaningOutcome, verdict } from './verdict.ts';

const address: Address = {
  local: 'a',
  domain: 'example.org',
  mailbox: 'a@example.org',
  needsSmtpUtf8: false,
};
const accepted: Facts = {
  address,
  role: false,
  free: false,
  disposable: false,
  dns: 'ok',
  mx: 'mx.example.org',
  provider: 'other',
  mailbox: 'accepted',
  connected: true,
  catchAll: 'no',
  refusesAll: false,
  cause: null,
};

const MEANINGS: readonly (Meaning | null)[] = [
  null,
  'accepted',
  'no_mailbox',
  'over_quota',
  'mailbox_busy',
  'greylisted',
  'temporary',
  'rate_limited',
  'too_many_recipients',
  'blocked',
  'sender_refused',
  'tls_required',
  'relay_denied',
  'tenant_lapsed',
  'content',
  'protocol',
  'unclear',
];

/** The decided order, written down a second time: condition, state, reason. */
const ORDER: readonly (readonly [string, (f: Facts) => boolean, State, Reason])[] = [
  ['not a mailbox', (f) => f.address === null, 'undeliverable', 'invalid_email'],
  ['the domain cannot receive', (f) => f.dns === 'cannot_receive', 'undeliverable', 'invalid_domain'],
  ['disposable', (f) => f.disposable, 'risky', 'disposable'],
  ['no usable DNS answer', (f) => f.dns === 'error' || f.dns === 'not_asked', 'unknown', 'dns_error'],
  ['no MX host reached', (f) => !f.connected, 'unknown', 'no_connect'],
  ['no such mailbox', (f) => f.mailbox === 'no_mailbox' && !f.refusesAll, 'undeliverable', 'rejected_email'],
  ['over quota', (f) => f.mailbox === 'over_quota', 'risky', 'low_deliverability'],
  [
    'no answer about the mailbox',
    (f) => f.mailbox !== 'accepted' && f.mailbox !== 'mailbox_busy',
    'unknown',
    'unavailable_smtp',
  ],
  ['accepted, role', (f) => f.role, 'risky', 'low_quality'],
  ['accepted, catch-all or not known', (f) => f.catchAll !== 'no', 'risky', 'low_deliverability'],
  ['accepted', () => true, 'deliverable', 'accepted_email'],
];

function* everyCombination(): Generator<Facts> {
  const both = [false, true];
  for (const given of [null, address])
    for (const role of both)
      for (const free of both)
        for (const disposable of both)
          for (const dns of ['not_asked', 'ok', 'cannot_receive', 'error'] as const)
            for (const connected of both)
              for (const catchAll of ['yes', 'no', 'unknown'] as CatchAll[])
                for (const refusesAll of both)
                  for (const mailbox of MEANINGS)
                    yield {
                      ...accepted,
                      address: given,
                      role,
                      free,
                      disposable,
                      dns,
                      connected,
                      catchAll,
                      refusesAll,
                      mailbox,
                    };
}

describe('the first that holds, in the decided order', () => {
  it('for every combination of facts', () => {
    let combinations = 0;
    for (const facts of everyCombination()) {
      combinations++;
      const [name, , state, reason] = ORDER.find(([, holds]) => holds(facts))!;
      const given = verdict(facts);
      if (given.state !== state || given.reason !== reason) {
        expect.unreachable(`${name}: ${JSON.stringify(facts)} gave ${given.state} ${given.reason}`);
      }
    }
    expect(combinations).toBe(2 * 2 * 2 * 2 * 4 * 2 * 3 * 2 * 17);
  });

  it.each(
    ORDER.map(([name, , state, reason]) => [name, state, reason] as const),
  )('%s can happen: %s %s', (name) => {
    const holds = ORDER.findIndex(([other]) => other === name);
    const found = [...everyCombination()].some(
      (facts) => ORDER.findIndex(([, test]) => test(facts)) === holds,
    );
    expect(found).toBe(true);
  });
});

describe('scores', () => {
  it('are integers: 0 for undeliverable and unknown, 1–79 for risky, 80–100 for deliverable', () => {
    for (const facts of everyCombination()) {
      const { state, score } = verdict(facts);
      const [least, most] = {
        undeliverable: [0, 0],
        unknown: [0, 0],
        risky: [1, 79],
        deliverable: [80, 100],
      }[state]!;
      if (!Number.isInteger(score) || score < least! || score > most!)
        expect.unreachable(`${state} ${score}`);
    }
  });

  it.each([
    ['a selective host, an own domain', {}, 100],
    ['a selective host, a free provider', { free: true }, 95],
    ['catch-all not known', { catchAll: 'unknown' }, 70],
    ['a catch-all domain', { catchAll: 'yes' }, 60],
    ['a role at a selective host', { role: true }, 50],
    ['a role at a catch-all domain', { role: true, catchAll: 'yes' }, 35],
    ['over quota', { mailbox: 'over_quota' }, 15],
    ['disposable', { disposable: true }, 10],
  ] as const)('%s', (_what, change, score) => expect(verdict({ ...accepted, ...change }).score).toBe(score));
});

describe('flags are facts, whatever the state', () => {
  it('and accept_all is true only when known', () => {
    fc.assert(
      fc.property(fc.constantFrom(...everyCombination()), (facts) => {
        const { role, free, disposable, mx, provider, acceptAll } = verdict(facts);
        expect({ role, free, disposable, mx, provider }).toEqual({
          role: facts.role,
          free: facts.free,
          disposable: facts.disposable,
          mx: facts.mx,
          provider: facts.provider,
        });
        expect(acceptAll).toBe(facts.catchAll === 'yes');
      }),
    );
  });
});

describe('what a reply to RCPT leads to alone', () => {
  it('only a missing mailbox is a removal, only an acceptance or a busy mailbox a delivery, only a full one a risk', () => {
    for (const meaning of MEANINGS) {
      if (meaning === null) continue;
      const { state, reason } = meaningOutcome(meaning);
      const expected =
        meaning === 'accepted' || meaning === 'mailbox_busy'
          ? ['deliverable', 'accepted_email']
          : meaning === 'no_mailbox'
            ? ['undeliverable', 'rejected_email']
            : meaning === 'over_quota'
              ? ['risky', 'low_deliverability']
              : ['unknown', 'unavailable_smtp'];
      expect([state, reason]).toEqual(expected);
    }
  });
});
