import { expect, test } from 'vitest';
import type { Answer } from '../state/answer.ts';
import type { Address } from '../types.ts';
import { type ComparedAddress, Comparison, type ControlAvailability, comparedAnswer } from './comparison.ts';

const IP = '192.0.2.1';
const WITH_CONTROL: ControlAvailability = { hasControl: true, mayCome: true };
const NO_CONTROL_YET: ControlAvailability = { hasControl: false, mayCome: true };
const NO_CONTROL: ControlAvailability = { hasControl: false, mayCome: false };

interface RefusedRecipient {
  readonly address: Address;
  readonly single: boolean;
  readonly answer: Answer;
}

interface WaitingRecipient extends ComparedAddress {
  readonly answer: Answer;
}

function refusedOne(
  local: string,
  text = 'rejected',
  single = false,
  domain = 'a.example',
): RefusedRecipient {
  const address = { local, domain, mailbox: `${local}@${domain}`, needsSmtpUtf8: false };
  const reply = { code: 550, enhanced: null, lines: [text] };
  const answer: Partial<Answer> = {
    meaning: 'unclear',
    clarity: 'vague',
    temporary: false,
    rule: 'code 550',
    reply,
    ip: IP,
    dialogue: [{ atMs: 1, from: 'us', text: `RCPT TO:<${local}@a.example>` }],
  };
  return { address, single, answer: answer as Answer };
}

/** A comparison with the addresses that wait for it, as the index keeps them. */
class WaitingComparison {
  #waiting: WaitingRecipient[] = [];
  readonly comparison = new Comparison({
    atHost: (ip) => this.#waiting.filter(({ refusal }) => refusal.ip === ip).length,
    ofDomain: (ip, domain) =>
      this.#waiting.filter(({ refusal }) => refusal.ip === ip && refusal.domain === domain).length,
  });

  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  hold({ address, single, answer }: RefusedRecipient, wasAccepted: boolean, nowMs: number): boolean {
    const refusal = this.comparison.begin(address, answer, wasAccepted, nowMs);
    if (refusal !== null) this.#waiting.push({ address, single, answer, refusal });
    return refusal !== null;
  }

  withdraw(): void {
    this.#waiting = [];
  }

  next(nowMs: number, others: ControlAvailability) {
    const next = this.comparison.next(IP, this.#waiting, nowMs, () => others);
    const gone = new Set(next.freed.map(({ compared }) => compared));
    this.#waiting = this.#waiting.filter((one) => !gone.has(one));
    return next;
  }

  looked(
    { refusal, address }: WaitingRecipient,
    outcome: 'clean' | 'contradicted' | 'unheard',
    nowMs: number,
  ): void {
    this.comparison.looked(refusal, address.mailbox, outcome, nowMs);
  }
}

/** Looks that all end the same way, until there is nothing to look at any more. */
function seeThrough(
  comparison: WaitingComparison,
  outcome: 'clean' | 'contradicted' | 'unheard',
  nowMs = 0,
  others = WITH_CONTROL,
) {
  const freed: { compared: WaitingRecipient; isMailbox: boolean }[] = [];
  let looks = 0;
  for (;;) {
    const next = comparison.next(nowMs, others);
    freed.push(...next.freed);
    if (next.look === null) break;
    looks += 1;
    comparison.looked(next.look, outcome, nowMs);
  }
  return { freed, looks, mailboxes: freed.filter(({ isMailbox }) => isMailbox).length };
}

test('the first of a sentence is looked at three times, every other twice, and then they are the mailboxes’', () => {
  const comparison = new WaitingComparison();
  for (const local of ['one', 'two', 'three'])
    expect(comparison.hold(refusedOne(local), false, 0)).toBe(true);
  expect(seeThrough(comparison, 'clean')).toMatchObject({ looks: 7, mailboxes: 3 });
  expect(comparison.waiting).toBe(false);
});

test('who was found out is not looked at again for hours, then anew', () => {
  const comparison = new WaitingComparison();
  comparison.hold(refusedOne('one'), false, 0);
  seeThrough(comparison, 'clean');
  comparison.hold(refusedOne('one'), false, 1_000);
  expect(seeThrough(comparison, 'clean', 1_000)).toMatchObject({ looks: 0, mailboxes: 1 });
  const later = 7 * 3_600_000;
  comparison.hold(refusedOne('one'), false, later);
  expect(seeThrough(comparison, 'clean', later)).toMatchObject({ looks: 3, mailboxes: 1 });
});

test('after a contradiction the sentence says nothing about any mailbox for hours', () => {
  const comparison = new WaitingComparison();
  comparison.hold(refusedOne('one'), false, 0);
  comparison.hold(refusedOne('two'), false, 0);
  const { freed, looks, mailboxes } = seeThrough(comparison, 'contradicted');
  expect([freed.length, looks, mailboxes]).toEqual([2, 1, 0]);
  expect(comparison.hold(refusedOne('three'), false, 5 * 3_600_000)).toBe(false);
  expect(comparison.hold(refusedOne('three', 'not permitted'), false, 5 * 3_600_000)).toBe(true);
});

test('after an unheard look it is not compared for minutes', () => {
  const comparison = new WaitingComparison();
  comparison.hold(refusedOne('one'), false, 0);
  expect(seeThrough(comparison, 'unheard')).toMatchObject({ looks: 1, mailboxes: 0 });
  expect(comparison.hold(refusedOne('two'), false, 60_000)).toBe(false);
  expect(comparison.hold(refusedOne('two'), false, 11 * 60_000)).toBe(true);
});

test('an address that was refused so and is accepted, or the other way round, contradicts it too', () => {
  const accepted = new WaitingComparison();
  accepted.hold(refusedOne('one'), false, 0);
  seeThrough(accepted, 'clean');
  accepted.comparison.accepted(IP, 'a.example', 'one@a.example');
  expect(accepted.hold(refusedOne('two'), false, 0)).toBe(false);
  const refused = new WaitingComparison();
  expect(refused.hold(refusedOne('one'), true, 0)).toBe(false);
  expect(refused.hold(refusedOne('two'), false, 0)).toBe(false);
});

test('while others are still asked it waits for one that is accepted, a minute at most', () => {
  const comparison = new WaitingComparison();
  comparison.hold(refusedOne('one'), false, 0);
  expect(seeThrough(comparison, 'clean', 59_000, NO_CONTROL_YET).freed).toEqual([]);
  expect(seeThrough(comparison, 'clean', 61_000, NO_CONTROL_YET)).toMatchObject({ looks: 0, mailboxes: 0 });
  expect(comparison.waiting).toBe(false);
  comparison.hold(refusedOne('two'), false, 70_000);
  expect(seeThrough(comparison, 'clean', 70_000, NO_CONTROL).freed).toHaveLength(1);
});

test('an address waits for looks for minutes at most, a single check for seconds', () => {
  for (const [single, lateMs] of [
    [true, 11_000],
    [false, 301_000],
  ] as const) {
    const comparison = new WaitingComparison();
    comparison.hold(refusedOne('one', 'rejected', single), false, 0);
    const { look } = comparison.next(0, WITH_CONTROL);
    if (look !== null) comparison.looked(look, 'clean', lateMs);
    expect(seeThrough(comparison, 'clean', lateMs)).toMatchObject({ looks: 0, mailboxes: 0 });
    expect(comparison.waiting).toBe(false);
  }
});

test('single checks are looked at first, and one look is had at a time', () => {
  const comparison = new WaitingComparison();
  comparison.hold(refusedOne('one'), false, 0);
  comparison.hold(refusedOne('two', 'rejected', true), false, 0);
  expect(comparison.next(0, WITH_CONTROL).look?.address.local).toBe('two');
  expect(comparison.next(0, WITH_CONTROL).look).toBeNull();
});

test('who was handed back is forgotten', () => {
  const comparison = new WaitingComparison();
  comparison.hold(refusedOne('one'), false, 0);
  comparison.withdraw();
  expect(seeThrough(comparison, 'clean')).toMatchObject({ looks: 0, freed: [] });
  expect(comparison.waiting).toBe(false);
});

test('sixty looks a domain and host in six hours, thirty who wait, four sentences', () => {
  const comparison = new WaitingComparison();
  const held = Array.from({ length: 40 }, (_, i) => comparison.hold(refusedOne(`n${i}`), false, 0));
  expect(held.filter(Boolean)).toHaveLength(30);
  const { looks, mailboxes, freed } = seeThrough(comparison, 'clean');
  expect([looks, mailboxes, freed.length]).toEqual([59, 29, 30]);
  comparison.hold(refusedOne('late'), false, 0);
  expect(seeThrough(comparison, 'clean')).toMatchObject({ looks: 0, mailboxes: 0 });
  for (const text of ['a', 'b', 'c']) expect(comparison.hold(refusedOne('one', text), false, 0)).toBe(true);
  expect(comparison.hold(refusedOne('one', 'd'), false, 0)).toBe(false);
});

test('two hundred who wait at a host, whatever their domains', () => {
  const comparison = new WaitingComparison();
  const hold = (i: number) =>
    comparison.hold(refusedOne('one', 'rejected', false, `d${i}.example`), false, 0);
  expect(Array.from({ length: 300 }, (_, i) => hold(i)).filter(Boolean)).toHaveLength(200);
});

test('a reply that names another mailbox is not compared, nor is a temporary one', () => {
  const comparison = new WaitingComparison();
  expect(comparison.hold(refusedOne('one', '<one@a.example> rejected'), false, 0)).toBe(true);
  expect(comparison.hold(refusedOne('one', '<probe@example.org> rejected'), false, 0)).toBe(false);
  const one = refusedOne('one');
  const told = (more: Partial<Answer>) => ({ ...one, answer: { ...one.answer, ...more } });
  expect(comparison.hold(told({ temporary: true }), false, 0)).toBe(false);
  expect(comparison.hold(told({ clarity: 'plain' }), false, 0)).toBe(false);
});

test('the evidence says that it was compared, and names only its own address', () => {
  const comparison = new WaitingComparison();
  comparison.hold(refusedOne('one'), false, 0);
  const [freed] = seeThrough(comparison, 'clean').freed;
  if (freed === undefined) throw new Error('one address must be released');
  const { meaning, rule, dialogue } = comparedAnswer(freed.compared.answer, freed.compared.refusal);
  expect(meaning).toBe('no_mailbox');
  expect(rule).toMatch(/^compared: .*\(code 550\)$/);
  expect(dialogue.map(({ text }) => text)).toEqual([
    'RCPT TO:<one@a.example>',
    'compared: asked 9 times more in 3 sessions, between 15 questions about others; refused alike every time, while others of the domain were taken every time',
  ]);
});

test('of many domains at many hosts the oldest hosts are forgotten, but not one where an address waits', () => {
  const comparison = new WaitingComparison();
  const at = (host: number, domain: number) => {
    const one = refusedOne('one', 'rejected', false, `d${domain}.example`);
    return { ...one, answer: { ...one.answer, ip: `host${host}` } };
  };
  const waits = at(0, 0);
  comparison.hold(waits, false, 0);
  // Accepted before: noted, and no address waits.
  for (let host = 1; host <= 60; host += 1)
    for (let domain = 0; domain < 1_000; domain += 1) comparison.hold(at(host, domain), true, 0);
  expect(comparison.comparison.notes).toBeLessThanOrEqual(20_000);
  expect(comparison.hold(at(1, 0), false, 0)).toBe(true);
  expect(comparison.hold(at(60, 999), false, 0)).toBe(false);
  // Its sentence is still known: four of them are all that a domain may have at a host.
  for (const text of ['b', 'c', 'd', 'e']) {
    const one = at(0, 0);
    const reply = { code: 550, enhanced: null, lines: [text] };
    expect(comparison.hold({ ...one, answer: { ...one.answer, reply } }, false, 0)).toBe(text !== 'e');
  }
});
