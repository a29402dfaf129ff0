import { expect, test } from 'vitest';
import { unknownMxHost } from '../../../test/mx-host.ts';
import type { MxHost } from '../hosts/mx-host.ts';
import { OVER, type OverReason, type SessionView, whyOver } from './session-over.ts';

const NOW_MS = 10_000;

interface SessionScene {
  readonly host?: (mxHost: MxHost) => void;
  readonly session?: Partial<SessionView['session']>;
  readonly alone?: boolean;
  readonly isResting?: boolean;
  readonly closing?: boolean;
}

function view({
  host,
  session,
  alone = false,
  isResting = false,
  closing = false,
}: SessionScene = {}): SessionView {
  const mxHost = unknownMxHost();
  host?.(mxHost);
  const plan = { mayTls: true, demandsTls: false } as SessionView['session']['plan'];
  return {
    session: { isLate: () => false, flights: 1, pipelining: true, plan, tls: false, ...session },
    at: { mxHost, alone },
    breaker: { isResting: () => isResting, name: null },
    closing,
    nowMs: NOW_MS,
  };
}

const pauses = ({ pace }: MxHost) => {
  pace.pausedUntilMs = NOW_MS + 1;
};
const SHUT = { kind: 'refusing', atMs: NOW_MS, untilMs: NOW_MS + 1 } as Parameters<
  MxHost['availability']['shut']
>[1];
const mixesUp = ({ replies }: MxHost) => replies.mixedUp(NOW_MS);

test('a session that nothing speaks against goes on', () => {
  expect(whyOver(view())).toBeNull();
});

const CASES: { readonly [Why in OverReason]: SessionView } = {
  closing: view({ closing: true }),
  late: view({ session: { isLate: () => true } }),
  paused: view({ host: pauses }),
  shut: view({ host: ({ availability }) => availability.shut(null, SHUT) }),
  source_resting: view({ isResting: true }),
  wants_tls: view({ host: ({ greeting }) => greeting.demandedTls() }),
  had_its_flight: view({ alone: true }),
  not_believed: view({ host: mixesUp }),
};

test.each(Object.keys(OVER) as OverReason[])('%s', (why) => {
  expect(whyOver(CASES[why])).toBe(why);
});

test('a pause asked of new connections does not end open sessions', () => {
  const host = (mxHost: MxHost) => {
    pauses(mxHost);
    mxHost.availability.pausedNewcomers(NOW_MS + 1);
  };
  expect(whyOver(view({ host }))).toBeNull();
});

test('what is alone has one flight, and a host that mixes up replies is asked one by one', () => {
  expect(whyOver(view({ alone: true, session: { flights: 0 } }))).toBeNull();
  expect(whyOver(view({ host: mixesUp, session: { pipelining: false } }))).toBeNull();
});
