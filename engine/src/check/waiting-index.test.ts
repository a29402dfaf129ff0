// The index of who waits for what: exactly what the states say, however checks move.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer } from '../state/answer.ts';
import type { CheckState } from '../state/check-state.ts';
import type { VagueRefusal } from '../state/vague-refusal.ts';
import {
  comparedKey,
  hostKey,
  keyOf,
  networkKey,
  secondKeyOf,
  WaitingIndex,
  type WaitKey,
} from './waiting-index.ts';

const ANSWER = {} as Answer;
const LOOKUPS = [{ isHeldBack: false }, { isHeldBack: false }];
const TRUSTS = [{}, {}];
const DOMAINS = [{}, {}];
const refusal = (ip: string, domain: string) => ({ ip, domain }) as VagueRefusal;

const STATES: readonly CheckState[] = [
  { at: 'dns', lookup: null },
  ...LOOKUPS.map((lookup): CheckState => ({ at: 'dns', lookup })),
  { at: 'queued', queue: { mx: null, heldUpBy: () => null }, place: 'front' },
  ...TRUSTS.map((trust): CheckState => ({ at: 'dns_trust', trust, answer: ANSWER })),
  ...DOMAINS.map((knowledge): CheckState => ({ at: 'catch_all', knowledge, answer: ANSWER })),
  { at: 'comparison', refusal: refusal('192.0.2.1', 'a.example'), answer: ANSWER },
  { at: 'comparison', refusal: refusal('192.0.2.1', 'b.example'), answer: ANSWER },
  { at: 'comparison', refusal: refusal('192.0.2.2', 'a.example'), answer: ANSWER },
  { at: 'network', what: 'smtp', answer: ANSWER },
  { at: 'network', what: 'dns', answer: ANSWER },
  { at: 'done', step: null },
];
const KEYS: readonly WaitKey[] = [
  ...LOOKUPS,
  ...TRUSTS,
  ...DOMAINS,
  hostKey('192.0.2.1'),
  hostKey('192.0.2.2'),
  comparedKey('a.example'),
  comparedKey('b.example'),
  networkKey('smtp'),
  networkKey('dns'),
];

const keysOf = (state: CheckState) => [keyOf(state), secondKeyOf(state)].filter((key) => key !== null);

interface Check {
  state: CheckState;
}

const moves = fc.array(fc.record({ check: fc.nat({ max: 9 }), to: fc.nat({ max: STATES.length - 1 }) }), {
  maxLength: 200,
});

test('whatever moves where, those of a key are those whose state names it, in the order they came', () => {
  fc.assert(
    fc.property(moves, (all) => {
      const waiting = new WaitingIndex<Check>();
      const checks = Array.from({ length: 10 }, (): Check => ({ state: STATES[0]! }));
      /** The plainest index there is: for each key, who came when. */
      const came = new Map<WaitKey, Check[]>(KEYS.map((key) => [key, []]));
      for (const move of all) {
        const check = checks[move.check]!;
        const before = check.state;
        check.state = STATES[move.to]!;
        waiting.moved(check, before);
        for (const key of keysOf(before))
          came.set(
            key,
            came.get(key)!.filter((one) => one !== check),
          );
        for (const key of keysOf(check.state)) came.get(key)!.push(check);
      }
      for (const key of KEYS) {
        expect(waiting.at(key)).toEqual(came.get(key));
        expect([waiting.count(key), waiting.has(key)]).toEqual([
          came.get(key)!.length,
          came.get(key)!.length > 0,
        ]);
      }
    }),
  );
});
