// Each address in one state, and which of them a new session goes to.

import { expect, test } from 'vitest';
import { CERTAINLY } from '../../../test/behalf.ts';
import { unknownMxHost } from '../../../test/mx-host.ts';
import { NO_PERMITS } from '../../../test/permits.ts';
import { backOff } from '../../pace/pace.ts';
import { NO_SHARED_LINES } from '../../state/transcript.ts';
import { type Choice, chooseHost } from './choose-host.ts';
import type { MxHost } from './mx-host.ts';
import type { ShutPeriod } from './parts/host-availability.ts';
import { SourceBreaker } from './source-breaker.ts';

const NOW_MS = 1_000_000;
/** Those who wait have been without an answer for a second. */
const SINCE_MS = NOW_MS - 1_000;

let breaker: SourceBreaker;

/** What an address is called below, and how it gets so. */
const STATES: Readonly<Record<string, (mxHost: MxHost) => void>> = {
  free: () => {},
  used: ({ pace }) => {
    pace.open = 1;
  },
  full: ({ pace }) => {
    pace.open = pace.allowed;
  },
  // A first pause: five seconds.
  paused: ({ pace }) => backOff(pace, NOW_MS),
  dialled: ({ connects }) => connects.began(NOW_MS - 499),
  slow: ({ connects }) => connects.began(NOW_MS - 500),
  lost: ({ connects }) => connects.began(NOW_MS - 4_000),
  swallows: ({ connects }) => connects.failed('ETIMEDOUT', NOW_MS - 60_000),
  down: ({ availability }) => availability.shut(null, shut('down', { untilMs: NOW_MS + 60_000 })),
  refusing: ({ availability }) =>
    availability.shut(
      null,
      shut('refusing', { kind: 'refusing', untilMs: NOW_MS + 60_000, connected: true }),
    ),
  enough: ({ availability }) =>
    availability.shut(null, shut('enough', { untilMs: NOW_MS + 9_000, kind: 'busy' })),
  // It was tried for those who wait, and its time is over.
  tried: ({ availability }) => availability.shut(null, shut('tried', { atMs: SINCE_MS, untilMs: NOW_MS })),
  resting: (mxHost) => breaker.refused(mxHost, 'mx.example', CERTAINLY, NOW_MS),
  'tried before': ({ availability }) =>
    availability.shut(null, shut('tried', { atMs: SINCE_MS - 1, untilMs: NOW_MS })),
};

function shut(rule: string, more: Partial<ShutPeriod>): ShutPeriod {
  return {
    kind: 'unreachable',
    atMs: NOW_MS - 100,
    untilMs: NOW_MS,
    meaning: null,
    detail: 'connection_refused',
    temporary: true,
    rule,
    connected: false,
    unresponsive: 'no',
    retryAfterMs: null,
    host: 'mx.example',
    tls: false,
    session: NO_SHARED_LINES,
    ...more,
  };
}

/** `free, slow | down`: two addresses of the first rank, one of the second. */
function choose(words: string): string {
  breaker = new SourceBreaker({ ip: null, heloName: 'p.example' }, () => {}, NO_PERMITS);
  const names = new Map<MxHost, string>();
  const targets = words.split(' | ').flatMap((ofRank, rank) =>
    ofRank.split(', ').map((state) => {
      const ip = `192.0.2.${names.size}`;
      const mxHost = unknownMxHost(ip);
      STATES[state]?.(mxHost);
      names.set(mxHost, `${names.size} ${state}`);
      return { target: { host: 'mx.example', ip, rank }, mxHost };
    }),
  );
  return inWords(chooseHost(targets, breaker, NOW_MS, SINCE_MS, ''), names);
}

function inWords(choice: Choice, names: ReadonlyMap<MxHost, string>): string {
  switch (choice.kind) {
    case 'open':
      return `open ${names.get(choice.to.mxHost)}`;
    case 'wait': {
      const on = choice.on.map((mxHost) => names.get(mxHost)).join(', ');
      return `wait for ${on || 'time'}${choice.untilMs === 0 ? '' : ` until +${choice.untilMs - NOW_MS}`}`;
    }
    case 'nowhere':
      return `nowhere: ${choice.shut?.rule}`;
    default:
      return choice satisfies never;
  }
}

test.each([
  // The most preferred rank, and in it the least busy.
  ['free | free', 'open 0 free'],
  ['used, free | free', 'open 1 free'],
  ['used, used', 'open 0 used'],
  ['full | free', 'wait for 0 full'],
  ['paused | free', 'wait for 0 paused until +5000'],
  ['paused, full', 'wait for 0 paused, 1 full until +5000'],
  // A connect that is not answered at once.
  ['dialled, used', 'open 0 dialled'],
  ['slow, free', 'open 1 free'],
  ['slow', 'open 0 slow'],
  ['slow | free', 'wait for 0 slow until +3500'],
  ['slow, paused', 'wait for 0 slow, 1 paused until +3500'],
  ['lost | free', 'open 1 free'],
  ['lost, slow | free', 'wait for 0 lost, 1 slow until +3500'],
  ['lost | down', 'wait for 0 lost'],
  // One that swallowed connects before is the last of its rank, and before the next rank.
  ['swallows, free', 'open 1 free'],
  ['swallows, full | free', 'wait for 1 full'],
  ['swallows, slow | free', 'wait for 1 slow until +3500'],
  ['swallows | free', 'open 0 swallows'],
  ['swallows, down', 'open 0 swallows'],
  // A rank is left when all of it is shut.
  ['down | free', 'open 1 free'],
  ['down, full | free', 'wait for 1 full'],
  ['tried | free', 'open 1 free'],
  ['tried before | free', 'open 0 tried before'],
  ['down | refusing', 'nowhere: refusing'],
  ['refusing | down', 'nowhere: refusing'],
  ['down | tried', 'nowhere: down'],
  ['enough | free', 'open 1 free'],
  // Where our source rests.
  ['resting | free', 'open 1 free'],
  ['down | resting', 'nowhere: source: this source is resting at mx.example after being refused once'],
  ['tried, resting', 'nowhere: source: this source is resting at mx.example after being refused once'],
  ['enough | down', 'wait for time until +9000'],
])('%s: %s', (addresses, choice) => {
  expect(choose(addresses)).toBe(choice);
});
