import { expect, test } from 'vitest';
import type { Answer } from '../state/answer.ts';
import type { Address, Meaning } from '../types.ts';
import { DomainKnowledge } from './domain-knowledge.ts';

const ANNA: Address = {
  local: 'anna',
  domain: 'a.example',
  mailbox: 'anna@a.example',
  needsSmtpUtf8: false,
};
const said = (meaning: Meaning): Answer =>
  ({
    meaning,
    temporary: meaning !== 'accepted',
    clarity: 'plain',
    rule: '',
    host: null,
    ip: '192.0.2.1',
    reply: null,
  }) as Answer;

function told(knowledge: DomainKnowledge, address: Address, answer: Answer, nowMs: number) {
  knowledge.learn(address, answer);
  return knowledge.standing(address, answer, nowMs);
}

/** Two addresses, one accepted; the probe is deferred twice. */
function missedTwice(knowledge: DomainKnowledge, nowMs: number): void {
  knowledge.begin(2, nowMs);
  for (let i = 0; i < 2; i += 1) knowledge.probed(ANNA, said('greylisted'), nowMs, '');
  expect(told(knowledge, ANNA, said('accepted'), nowMs)).toBe('ready');
  knowledge.left();
}

test('a probe that missed twice is given up for this round, and asked again in the next', () => {
  const knowledge = new DomainKnowledge();
  missedTwice(knowledge, 1_000);
  knowledge.left();
  knowledge.begin(1, 2_000);
  expect(told(knowledge, ANNA, said('accepted'), 2_000)).toBe('catch_all_alone');
});

test('a domain with open recipients all the time is probed again too, after a while', () => {
  const knowledge = new DomainKnowledge();
  missedTwice(knowledge, 1_000);
  knowledge.begin(1, 2_000);
  expect(told(knowledge, ANNA, said('accepted'), 2_000)).toBe('ready');
  knowledge.begin(1, 70_000);
  expect(told(knowledge, ANNA, said('accepted'), 70_000)).toBe('catch_all_alone');
});

test('where three are refused and the probe got lost, it is asked again before they count as refused', () => {
  const refused = { ...said('no_mailbox'), reply: { code: 550, enhanced: null, lines: ['no'], said: null } };
  const toldAll = (lost: boolean) => {
    const knowledge = new DomainKnowledge();
    knowledge.begin(3, 1_000);
    const answer = lost ? said('temporary') : { ...said('greylisted'), reply: refused.reply };
    knowledge.probed(ANNA, answer, 1_000, '');
    return ['a', 'b', 'c'].map((local) => {
      knowledge.left();
      const address = { ...ANNA, local, mailbox: `${local}@a.example` };
      return told(knowledge, address, refused, 1_000);
    });
  };
  expect(toldAll(true)).toEqual(['wait', 'wait', 'catch_all_alone']);
  // Deferred, it would be deferred again.
  expect(toldAll(false)).toEqual(['ready', 'ready', 'ready']);
});

test('at a host that accepts all, the catch-all probe is a control for comparisons; roles never are', () => {
  const knowledge = new DomainKnowledge();
  knowledge.probed({ ...ANNA, local: 'q7x' }, said('accepted'), 1_000, '');
  expect(knowledge.refuseAll.controlsAt('192.0.2.1')).toEqual(['q7x']);
  for (const local of ['postmaster', 'abuse', 'anna', 'anna', 'bert', 'carla'])
    told(knowledge, { ...ANNA, local }, said('accepted'), 1_000);
  expect(knowledge.refuseAll.controlsAt('192.0.2.1')).toEqual(['q7x', 'anna', 'bert']);
  expect(knowledge.refuseAll.controlsAt('192.0.2.2')).toEqual([]);
});
