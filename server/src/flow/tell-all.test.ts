import type { WireObserver } from '@mxproof/engine';
import { expect, test } from 'vitest';
import { tellAll } from './tell-all.ts';

test('each observer is told everything, and none is made where there is none', () => {
  const told: string[] = [];
  const observer = (name: string): WireObserver => ({
    session: (...what) => void told.push(`${name} ${JSON.stringify(what)}`),
    recipient: (...what) => void told.push(`${name} ${JSON.stringify(what)}`),
    refusal: (...what) => void told.push(`${name} ${JSON.stringify(what)}`),
  });
  const all = tellAll([observer('a'), undefined, observer('b')])!;
  const at = { source: null, provider: 'google' };
  all.session(at, 'failed');
  all.recipient(at, 'accepted');
  all.refusal(at, 'block', '550 no');
  const place = '{"source":null,"provider":"google"}';
  const facts = [`[${place},"failed"]`, `[${place},"accepted"]`, `[${place},"block","550 no"]`];
  expect(told).toEqual(facts.flatMap((fact) => [`a ${fact}`, `b ${fact}`]));
  expect(tellAll([undefined])).toBeUndefined();
});
