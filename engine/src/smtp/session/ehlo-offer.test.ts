import { expect, test } from 'vitest';
import { ehloOffer, ehloWords, NO_OFFER } from './ehlo-offer.ts';

const said = (...lines: string[]) => ({ code: 250, enhanced: null, lines });

test.each([
  [['PIPELINING', 'SIZE 1000'], { pipelining: true }],
  [['starttls', ' smtputf8 '], { startTls: true, smtpUtf8: true }],
  [['LIMITS MAILMAX=5 RCPTMAX=30'], { recipientsMax: 30 }],
  [['LIMITS RCPTMAX=0'], { recipientsMax: 1 }],
  [['LIMITS RCPTMAX=99999999'], {}],
  [['LIMITS XRCPTMAX=30'], {}],
  [['XPIPELINING', 'PIPELINING off'], {}],
  [[], {}],
])('an offer of %j', (lines, expected) => {
  expect(ehloOffer(said('mx.a.example', ...lines))).toEqual({ ...NO_OFFER, ...expected });
});

test("the first line is the host's name, whatever it says", () => {
  expect(ehloOffer(said('PIPELINING'))).toEqual(NO_OFFER);
  expect(ehloWords(said('mx.a.example', 'SIZE 1000', 'HELP'))).toBe('250 mx.a.example [SIZE 1000, HELP]');
  expect(ehloWords(said('mx.a.example'))).toBe('250 mx.a.example');
});
