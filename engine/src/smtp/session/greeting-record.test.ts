import { expect, test } from 'vitest';
import { SessionLines } from '../../state/transcript.ts';
import type { Reply } from '../../types.ts';
import { GreetingRecord } from './greeting-record.ts';
import { DEFAULT_TIMEOUTS, type SessionPlan } from './session-plan.ts';

const said = (code: number, ...lines: string[]): Reply => ({ code, enhanced: null, lines });

function greeted(plan: Partial<SessionPlan> = {}) {
  const lines = new SessionLines();
  const hello = new GreetingRecord(
    {
      target: { ip: '192.0.2.1', port: 25, source: null, hostName: 'mx.a.example' },
      heloName: 'p.example',
      mayTls: true,
      demandsTls: false,
      heloOnly: false,
      mayPipeline: true,
      answerMs: null,
      timeouts: DEFAULT_TIMEOUTS,
      ...plan,
    },
    lines,
  );
  return { hello, lines };
}

test('what is offered through TLS replaces what was offered in clear', () => {
  const { hello, lines } = greeted();
  hello.heard('banner', said(220, 'mx.a.example Exim'), 1);
  hello.heard('ehlo', said(250, 'mx', 'PIPELINING', 'LIMITS RCPTMAX=5', 'STARTTLS'), 2);
  expect(hello).toMatchObject({ pipelining: true, recipientsMax: 5, smtpUtf8: false, tls: false });
  hello.heard('starttls', said(220, 'go ahead'), 3);
  expect(hello.pipelining).toBe(true);
  hello.secured(4);
  expect(hello.heard('ehlo', said(250, 'mx', 'SMTPUTF8', 'STARTTLS'), 5).kind).toBe('ready');
  expect(hello).toMatchObject({ pipelining: false, recipientsMax: null, smtpUtf8: true, tls: true });
  expect(hello.banner).toBe('mx.a.example Exim');
  // The banner is not among the replies that may come again in another's place: nothing asked for it.
  expect(hello.replies.map(({ code }) => code)).toEqual([250, 220, 250]);
  expect(lines.lines.map(({ text }) => text)).toEqual([
    '220 mx.a.example Exim',
    '250 mx [PIPELINING, LIMITS RCPTMAX=5, STARTTLS]',
    '220 go ahead',
    'TLS established',
    '250 mx [SMTPUTF8, STARTTLS]',
  ]);
});

test('a host that must be asked one by one is not pipelined, whatever it offers', () => {
  const { hello } = greeted({ mayPipeline: false });
  hello.heard('ehlo', said(250, 'mx', 'PIPELINING'), 1);
  expect(hello.pipelining).toBe(false);
});
