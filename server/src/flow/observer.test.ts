import { expect, test } from 'vitest';
import { type Observer, tellAll, wireOf } from './observer.ts';

const AT = { source: null, provider: 'google' };

test('each observer is told what it listens to, and nothing is made where none does', () => {
  const told: unknown[] = [];
  class Counting implements Partial<Observer> {
    readonly #name = 'a';
    session(...what: Parameters<Observer['session']>) {
      told.push([this.#name, ...what]);
    }
    recipient(...what: Parameters<Observer['recipient']>) {
      told.push([this.#name, ...what]);
    }
    refusal(...what: Parameters<Observer['refusal']>) {
      told.push([this.#name, ...what]);
    }
  }
  const all = tellAll([
    new Counting(),
    {},
    { refusal: (...what) => told.push(['b', ...what]), listDone: (took) => told.push(['b', took]) },
  ]);
  all.session?.(AT, 'failed');
  all.refusal?.(AT, 'block', '550 no', 'payer');
  all.listDone?.(3);
  expect(told).toEqual([
    ['a', AT, 'failed'],
    ['a', AT, 'block', '550 no', 'payer'],
    ['b', AT, 'block', '550 no', 'payer'],
    ['b', 3],
  ]);
  expect(Object.keys(all)).toEqual(['session', 'recipient', 'refusal', 'listDone']);
  expect(Object.keys(wireOf(all)!)).toEqual(['session', 'recipient', 'refusal']);
  expect(wireOf(tellAll([{}, { listDone() {} }]))).toBeUndefined();
});

test('a feature that listens to one event of the wire is told of it', () => {
  const refused: string[] = [];
  const wire = wireOf(tellAll([{ refusal: (_, kind) => refused.push(kind) }]))!;
  wire.session(AT, 'failed');
  wire.recipient(AT, 'accepted', '');
  wire.refusal(AT, 'block', '550 no', '');
  expect(refused).toEqual(['block']);
});
