// Stands in for alone-process.ts: the address says what becomes of the process.
import type { Outcome } from '@mxproof/engine';
import type { AloneQuestions, FromAlone, ToAlone } from '../src/worker/process-of-its-own.ts';

const send = (message: FromAlone) => process.send!(message);
const unasked = { kind: 'unasked' } as const;
const saying = (why: string): Outcome => ({
  kind: 'later',
  notBeforeMs: 0,
  why,
  resume: { attempt: 1, source: null, mailFrom: '', firstAskedAtMs: 0, meaning: null },
});
const answers: Readonly<Record<string, (message: AloneQuestions) => string>> = {
  pid: () => `${process.pid}`,
  'asked before': ({ how }) => JSON.stringify(how.askedBefore),
};

process.on('disconnect', () => process.exit());
process.on('message', (message: ToAlone) => {
  if (message.kind === 'settings') {
    if (message.settings === 'does not start') process.exit(1);
    setInterval(() => send({ kind: 'alive' }), message.aliveEveryMs);
    send({ kind: 'ready' });
  }
  if (message.kind === 'stop') process.exit(1);
  if (message.kind !== 'ask') return;
  for (const [index, { email }] of message.questions.entries()) {
    if (email === 'exits') process.exit(3);
    if (email === 'computes') for (;;);
    if (email === 'eats memory')
      for (const eaten: number[][] = []; ; ) eaten.push(Array.from({ length: 1e6 }, Math.random));
    if (email === 'throws') send({ kind: 'defect', message: 'thrown' });
    if (email === 'waits') return;
    const answer = answers[email];
    send({ kind: 'outcome', index, outcome: answer ? saying(answer(message)) : unasked });
  }
  send({ kind: 'done' });
});
