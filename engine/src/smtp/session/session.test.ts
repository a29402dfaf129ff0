// One session against scripted servers, in simulated time: hostile ones first.

import { UNWATCHED } from '@mxproof/common/watchdog';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../../world/src/virtual-clock.ts';
import type { Connect } from '../../ports.ts';
import type { Task } from '../../state/task.ts';
import type { Address } from '../../types.ts';
import { AT_ONCE, type LoopBudget } from '../wire/event-loop-budget.ts';
import { Flight } from './flight.ts';
import { Session } from './session.ts';
import { DEFAULT_TIMEOUTS, type SessionEnd, type SessionOwner } from './session-plan.ts';

type LineWriter = (text: string, afterMs?: number) => void;

/** Runs one session in which each flight asks about two recipients. `server` hears lines and says what it likes. */
async function run(
  server: {
    open?: (say: LineWriter) => void;
    line?: (line: string, say: LineWriter, drop: () => void) => void;
  },
  options: { flights?: number; limitMs?: number; loopBudget?: LoopBudget; answerMs?: number } = {},
) {
  const clock = createVirtualClock(0);
  const readBuffer = Buffer.alloc(1024);
  const heard: string[] = [];
  const replies: (number | null)[] = [];
  let end: SessionEnd | null = null;
  let closeAt = 0;
  const connect: Connect = (_target, events) => {
    let open = true;
    // As a real wire does: what has been handed over is overwritten by the next read.
    const hear = (text: string) => {
      if (text.length > readBuffer.length) return events.data(Buffer.from(text));
      events.data(readBuffer.subarray(0, readBuffer.write(text)));
      readBuffer.fill('*');
    };
    const drop = () => {
      if (!open) return;
      open = false;
      clock.setTimeout(() => events.closed(null), 0);
    };
    const say: LineWriter = (text, afterMs = 0) => {
      clock.setTimeout(() => open && hear(text), afterMs);
    };
    clock.setTimeout(() => {
      events.connected();
      server.open?.(say);
    }, 0);
    return {
      write: (text) => {
        for (const line of text.split('\r\n').slice(0, -1)) {
          heard.push(line);
          server.line?.(line, say, drop);
        }
      },
      startTls: () => {},
      destroy: drop,
    };
  };
  let left = options.flights ?? 1;
  const owner: SessionOwner<Session> = {
    backlog: 0,
    lots: [],
    connected: () => {},
    welcomed: () => {},
    next: (session) => {
      if (left === 0) return 'quit';
      left -= 1;
      const flight = new Flight(!session.pipelining);
      flight.add('probe@p.example', [task('anna@a.example'), task('ben@a.example')], 50);
      return flight;
    },
    landed: (_session, flight) => {
      for (const command of flight.commands)
        if (command.kind === 'rcpt') replies.push(command.reply?.code ?? null);
    },
    tooSlow: (session) => session.endAsSlow(),
    ended: (_session, how) => {
      end = how;
      closeAt = clock.now();
    },
  };
  const session = new Session(
    {
      target: { ip: '192.0.2.1', port: 25, source: null, hostName: 'mx.a.example' },
      heloName: 'p.example',
      mayTls: true,
      demandsTls: false,
      heloOnly: false,
      mayPipeline: true,
      answerMs: options.answerMs ?? null,
      timeouts: DEFAULT_TIMEOUTS,
    },
    owner,
    { connect, clock, loopBudget: options.loopBudget ?? AT_ONCE, watchdog: UNWATCHED },
  );
  const limitMs = options.limitMs ?? 3_600_000;
  await clock.run(
    (async () => {
      while (end === null && clock.now() < limitMs) {
        await new Promise<void>((resolve) => clock.setTimeout(resolve, 500));
        session.checkDeadline(clock.now());
      }
    })(),
  );
  return { heard, replies, end: end as SessionEnd | null, closeAt };
}

function task(mailbox: string): Task {
  const [local = '', domain = ''] = mailbox.split('@');
  const address: Address = { local, domain, mailbox, needsSmtpUtf8: false };
  return { address, kind: 'real' } as unknown as Task;
}

const EHLO_OK = '250-mx.a.example\r\n250-PIPELINING\r\n250 SIZE 1000\r\n';

/** As an ordinary server, with some answers changed. */
function ordinary(changed: Record<string, string | null> = {}, ehlo = EHLO_OK) {
  return {
    open: (say: LineWriter) => say('220 mx.a.example\r\n'),
    line: (line: string, say: LineWriter) => {
      for (const [start, reply] of Object.entries(changed))
        if (line.startsWith(start)) {
          if (reply !== null) say(reply);
          return;
        }
      say(line.startsWith('EHLO') ? ehlo : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
    },
  };
}

test('an ordinary session asks in one flight and says goodbye', async () => {
  const { heard, replies, end } = await run(ordinary({ 'RCPT TO:<ben': '550 5.1.1 no\r\n' }));
  expect(heard).toEqual([
    'EHLO p.example',
    'MAIL FROM:<probe@p.example>',
    'RCPT TO:<anna@a.example>',
    'RCPT TO:<ben@a.example>',
    'RSET',
    'QUIT',
  ]);
  expect(replies).toEqual([250, 550]);
  expect(end?.how).toBe('done');
});

test('without PIPELINING one command waits for the other', async () => {
  let waiting = 0;
  const base = ordinary({}, '250 mx.a.example\r\n');
  const { replies } = await run({
    ...base,
    line: (line, say) => {
      waiting += 1;
      expect(waiting).toBe(1);
      base.line(line, (text) => {
        waiting -= 1;
        say(text, 10);
      });
      if (waiting === 0) waiting = 1;
      say('', 10);
      waiting = 0;
    },
  });
  expect(replies).toEqual([250, 250]);
});

test.each([
  [
    'a banner of a byte every ten seconds',
    {
      open: (say: LineWriter) => {
        for (let i = 0; i < 60; i += 1) say('220-slowly'.charAt(i) || 'y', i * 10_000);
      },
    },
  ],
  ['no banner at all', {}],
  [
    'an endless banner',
    {
      open: (say: LineWriter) => {
        for (let i = 0; i < 5_000; i += 1) say(`220-line ${i}\r\n`, i * 100);
      },
    },
  ],
  ['a banner of garbage', { open: (say: LineWriter) => say('\x00\x01\x02\x03') }],
])('%s is over within the banner time', async (_what, server) => {
  const { end, closeAt } = await run(server);
  expect(end?.stage).toBe('banner');
  expect(closeAt).toBeLessThanOrEqual(DEFAULT_TIMEOUTS.bannerMs + 1_000);
});

test('a reply of a byte every ten seconds is not progress', async () => {
  const base = ordinary();
  const { end, closeAt, replies } = await run({
    ...base,
    line: (line, say) => {
      if (line.startsWith('RCPT TO:<ben') || line === 'RSET') return;
      if (!line.startsWith('RCPT')) base.line(line, say);
      else for (let i = 0; i < 60; i += 1) say('250-slowly\r\n'.charAt(i % 12), i * 10_000);
    },
  });
  expect(end?.how).toBe('timeout');
  expect(replies).toEqual([null, null]);
  expect(closeAt).toBeLessThanOrEqual(DEFAULT_TIMEOUTS.replyMs + 2_000);
});

/** Each line answered so many seconds after it came, the banner first. */
function slow(...seconds: number[]) {
  const next = () => (seconds.shift() ?? 0) * 1000;
  return {
    open: (say: LineWriter) => say('220 mx.a.example\r\n', next()),
    line: (line: string, say: LineWriter) => say(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n', next()),
  };
}

test.each([
  ['70 s for the banner', [70], 'done', null],
  ['70 s for the banner, then 55 for a second recipient', [70, 0, 0, 0, 55], 'done', null],
  ['70 s for the banner, then 65 for a second recipient', [70, 0, 0, 0, 65], 'timeout', 'rcpt'],
  ['110 s for the first recipient', [0, 0, 0, 110], 'done', null],
  ['45 s for everything', [45, 45, 45, 45], 'timeout', 'mail'],
] as const)('after a silence a host has 120 s in all until it answers about a recipient: %s', async (_what, seconds, how, stage) => {
  const { end, closeAt } = await run(slow(...seconds), { answerMs: DEFAULT_TIMEOUTS.secondTryMs });
  expect(end?.how).toBe(how);
  if (stage !== null) expect(end?.stage).toBe(stage);
  if (stage === 'mail') expect(closeAt).toBeLessThanOrEqual(DEFAULT_TIMEOUTS.secondTryMs + 1_000);
});

test('a server that is always just in time is over with the budget of the session', async () => {
  const base = ordinary();
  const { closeAt } = await run(
    { ...base, line: (line, say) => base.line(line, (text) => say(text, 200_000)) },
    { flights: 100 },
  );
  expect(closeAt).toBeLessThanOrEqual(DEFAULT_TIMEOUTS.sessionMs + 1_000);
});

test('one reply too many shows at the goodbye', async () => {
  const { end } = await run(ordinary({ 'RCPT TO:<anna': '250 ok\r\n550 5.1.1 surprise\r\n' }));
  expect(end?.how).toBe('out_of_step');
});

test('in one piece with the others it discredits the flight at once', async () => {
  let flight = '';
  const base = ordinary();
  const { replies, end } = await run({
    ...base,
    line: (line, say) => {
      if (!/^(MAIL|RCPT|RSET)/.test(line)) return base.line(line, say);
      flight += line.startsWith('RCPT TO:<anna') ? '250 ok\r\n550 5.1.1 surprise\r\n' : '250 ok\r\n';
      if (line === 'RSET') say(flight);
    },
  });
  expect(replies).toEqual([null, null]);
  expect(end?.how).toBe('out_of_step');
});

test('one reply too few and no reply of the flight counts', async () => {
  const { replies, end } = await run(ordinary({ 'RCPT TO:<anna': null, 'RCPT TO:<ben': '550 5.1.1 no\r\n' }));
  expect(replies).toEqual([null, null]);
  expect(end?.how).toBe('timeout');
});

test.each([
  '354 go ahead\r\n',
  '221 bye\r\n',
  '220 hello\r\n',
])('%j is not an answer to a recipient', async (said) => {
  const { replies, end } = await run(ordinary({ 'RCPT TO:<anna': said }));
  expect(replies).toEqual([null, null]);
  expect(end?.how).toBe('out_of_step');
});

test('421 in the middle ends the session; what was answered before it counts', async () => {
  const { replies, end } = await run(ordinary({ 'RCPT TO:<ben': '421 4.7.0 enough\r\n' }));
  expect(replies).toEqual([250, 421]);
  expect(end).toMatchObject({ how: 'refused', stage: 'rset' });
});

test('EHLO not known is followed by HELO', async () => {
  const { heard, replies } = await run(ordinary({ EHLO: '502 5.5.2 what?\r\n' }));
  expect(heard.slice(0, 3)).toEqual(['EHLO p.example', 'HELO p.example', 'MAIL FROM:<probe@p.example>']);
  expect(replies).toEqual([250, 250]);
});

test('STARTTLS that is refused goes on in clear', async () => {
  const { replies } = await run(
    ordinary({ STARTTLS: '454 4.7.0 not now\r\n' }, '250-mx\r\n250-STARTTLS\r\n250 PIPELINING\r\n'),
  );
  expect(replies).toEqual([250, 250]);
});

test('a hanging handshake is a failed one', async () => {
  const { end } = await run(ordinary({ STARTTLS: '220 go\r\n' }, '250-mx\r\n250 STARTTLS\r\n'));
  expect(end?.how).toBe('tls_failed');
});

test('a server that says nothing to QUIT is left, and nothing is proven by it', async () => {
  const { end, replies, closeAt } = await run(ordinary({ QUIT: null }));
  expect(end?.how).toBe('no_goodbye');
  expect(replies).toEqual([250, 250]);
  expect(closeAt).toBeLessThanOrEqual(DEFAULT_TIMEOUTS.quitMs + 1_000);
});

test('a server that takes its time for each reply has it for its goodbye', async () => {
  const base = ordinary();
  const { end } = await run({ ...base, line: (line, say) => base.line(line, (text) => say(text, 10_000)) });
  expect(end?.how).toBe('done');
});

test('only 221 is a goodbye', async () => {
  const { end: closing } = await run(ordinary({ QUIT: '421 4.3.2 closing\r\n' }));
  expect(closing).toMatchObject({ how: 'no_goodbye', reply: { code: 421 } });
  const own = ordinary({ QUIT: null }, '250 mx.a.example\r\n');
  const { end: odd } = await run({
    ...own,
    line: (line, say, drop) => {
      if (line === 'QUIT') {
        say('250 bye\r\n');
        drop();
      } else own.line(line, say);
    },
  });
  expect(odd?.how).toBe('no_goodbye');
});

test('DATA is never said, nor anything a server could smuggle in', async () => {
  const { heard } = await run(ordinary({ EHLO: '250-mx\r\n250-PIPELINING\r\n250 X\x00DATA\r\n' }), {
    flights: 3,
  });
  expect(heard.filter((line) => !/^(EHLO|MAIL|RCPT|RSET|QUIT)/.test(line))).toEqual([]);
});

test('what has to wait for its turn is heard as it came', async () => {
  const waiting: (() => void)[] = [];
  const loopBudget: LoopBudget = {
    now: () => false,
    later: (_, look) => waiting.push(look),
    makeWay: () => () => {},
    isMakingWay: false,
  };
  const session = run(ordinary({ 'RCPT TO:<ben': '550 5.1.1 no\r\n' }), { loopBudget });
  for (let turn = 0; turn < 2_000; turn += 1) {
    for (const look of waiting.splice(0)) look();
    await new Promise(setImmediate);
  }
  const { replies, end } = await session;
  expect(replies).toEqual([250, 550]);
  expect(end?.how).toBe('done');
});

test('one by one, no recipient is asked about after a MAIL that was refused', async () => {
  const { heard, replies, end } = await run(ordinary({ MAIL: '550 5.7.1 no\r\n' }, '250 mx.a.example\r\n'));
  expect(heard.filter((line) => /^(?:RCPT|RSET)/.test(line))).toEqual([]);
  expect(replies).toEqual([null, null]);
  expect(end?.how).toBe('done');
});
