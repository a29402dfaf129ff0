import { describe, expect, test } from 'vitest';
import type { Answer } from '../state/answer.ts';
import type { Task } from '../state/task.ts';
import type { Meaning } from '../types.ts';
import { arrange, Look, type LookOutcome } from './look.ts';

const SESSION = { lines: [], bytes: 0 };
const X = { address: { local: 'gone', domain: 'a.example', mailbox: 'gone@a.example' } } as Task;
const C = { address: { local: 'anna', domain: 'a.example', mailbox: 'anna@a.example' } } as Task;

function said(code: number, text: string, meaning: Meaning, more: Partial<Answer> = {}): Answer {
  const reply = { code, enhanced: null, lines: [text] };
  const asked = { ip: '192.0.2.1', source: null, sender: '', session: SESSION };
  return { meaning, clarity: 'vague', reply, ...asked, ...more } as Answer;
}
const refused = (more?: Partial<Answer>) => said(550, '<gone@a.example> rejected', 'unclear', more);
const accepted = (more?: Partial<Answer>) => said(250, 'ok', 'accepted', more);
const LIKE = ['550 <*> rejected'];

/** Every pattern there is. */
const ALL = [0, 1].flatMap((turn) => [0, 0.4, 0.8].map((chance) => arrange(turn, () => chance)));

function look(slots = ALL[0] ?? [], answerOf: (slot: 'x' | 'c', at: number) => Answer): LookOutcome | null {
  const one = new Look(slots, refused(), LIKE);
  let outcome: LookOutcome | null = null;
  slots.forEach((slot, at) => {
    outcome = one.hear(at, slot === 'x' ? X : C, answerOf(slot, at));
  });
  return outcome;
}

const honest = (slot: 'x' | 'c') => (slot === 'x' ? refused() : accepted());

test('clean: the one refused every time in its own words, the others accepted every time', () => {
  for (const slots of ALL) expect(look(slots, honest)).toBe('clean');
});

describe('contradicted', () => {
  test.each([1, 2, 5])('it is accepted once, at %i', (at) => {
    expect(look(ALL[0], (slot, i) => (i === at ? accepted() : honest(slot)))).toBe('contradicted');
  });
  test.each([0, 3, 7])('another is refused once, at %i, in whatever words', (at) => {
    const other = said(550, 'no', 'no_mailbox');
    expect(look(ALL[0], (slot, i) => (i === at ? other : honest(slot)))).toBe('contradicted');
  });
});

describe('unheard', () => {
  const at3 = (answer: Answer) => look(ALL[0], (slot, i) => (i === 3 ? answer : honest(slot)));
  const at5 = (answer: Answer) => look(ALL[0], (slot, i) => (i === 5 ? answer : honest(slot)));
  test('in another session, from elsewhere, with another sender, at another host', () => {
    expect(at3(accepted({ session: { lines: [], bytes: 0 } }))).toBe('unheard');
    expect(at3(accepted({ source: '192.0.2.9' }))).toBe('unheard');
    expect(at3(accepted({ sender: 'probe@example.org' }))).toBe('unheard');
    expect(at3(accepted({ ip: '192.0.2.2' }))).toBe('unheard');
  });
  test('deferred, dropped, or answered otherwise', () => {
    expect(at3(said(451, 'later', 'temporary'))).toBe('unheard');
    expect(at3({ ...accepted(), reply: null })).toBe('unheard');
    expect(at5(said(550, 'blocked', 'blocked'))).toBe('unheard');
  });
  test('answered in another order than asked', () => {
    const one = new Look(ALL[0] ?? [], refused(), LIKE);
    expect(one.hear(1, X, refused())).toBe('unheard');
  });
});

describe('no host that does not look at who is asked about refuses just the one', () => {
  const matches = (refuses: (position: number) => boolean) =>
    ALL.filter((slots) => slots.every((slot, at) => (slot === 'x') === refuses(at)));

  test('by period: so many accepted, so many refused, beginning anywhere', () => {
    for (let period = 1; period <= 30; period += 1)
      for (let run = 0; run <= period; run += 1)
        for (let offset = 0; offset < period; offset += 1)
          expect(matches((at) => (at + offset) % period < run)).toEqual([]);
  });

  test('by number: from one on, up to one, between two, outside of two', () => {
    for (let from = 0; from <= 9; from += 1)
      for (let to = from; to <= 9; to += 1) {
        expect(matches((at) => at >= from && at < to)).toEqual([]);
        expect(matches((at) => at < from || at >= to)).toEqual([]);
      }
  });

  test('by pace: one is accepted whenever so much time has passed, at any speed', () => {
    for (let step = 0.01; step < 1; step += 0.003)
      for (let left = 0; left < 1; left += 0.05) {
        let bucket = left;
        const refusals = Array.from({ length: 8 }, () => {
          bucket = Math.min(1, bucket + step);
          const isRefused = bucket < 1;
          if (!isRefused) bucket -= 1;
          return isRefused;
        });
        expect(matches((at) => refusals[at] === true)).toEqual([]);
      }
  });
});
