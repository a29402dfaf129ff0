import { expect, test } from 'vitest';
import { guessVerifier, verifierNamed } from './verifiers.ts';

const NOTHING = { verifier: null, column: null };

test.each([
  [
    'email,state,reason,score,accept_all,role,free,disposable,mx,provider',
    'a@b.c,deliverable,x,90',
    'mxproof',
    1,
  ],
  ['Name,email,mxproof_email,mxproof_state', 'Ann,a@b.c,a@b.c,risky', 'mxproof', 3],
  ['Email,Email: what to do,Email: status', 'a@b.c,Send,Deliverable', 'mxproof', 2],
  ['email,result,reason,sendex,did_you_mean', 'a@b.c,undeliverable,rejected_email,0', 'kickbox', 1],
  ['"Email Address",ZB Status,ZB Sub Status', 'a@b.c,catch-all,', 'zerobounce', 1],
  ['Email,Status,Sub Status', 'a@b.c,do_not_mail,role_based', 'zerobounce', 1],
  ['id,email,email_status', '1,a@b.c,valid', 'neverbounce', 2],
  ['Email,State,Reason,Tag,SMTP Provider', 'a@b.c,duplicate,,,', 'emailable', 1],
  ['Email,Status,Reason,Toxic', 'a@b.c,unknown,timeout,no', 'bouncer', 1],
  ['email,verdict', 'a@b.c,safe', 'other', 1],
])('%s is recognised', (headings, row, name, column) => {
  const guess = guessVerifier(headings.split(','), [row.split(',')], NOTHING);
  expect(guess).toMatchObject({ column, verifier: { name } });
});

test('what is named is taken; what fits no verifier is none', () => {
  const rows = [['a@b.c', 'fine', 'valid']];
  expect(guessVerifier(['email', 'note', 'x'], rows, NOTHING)).toBeNull();
  const named = { verifier: verifierNamed('neverbounce')!, column: 2 };
  expect(guessVerifier(['email', 'note', 'x'], rows, named)).toMatchObject(named);
  expect(guessVerifier(['email', 'note', 'x'], rows, { ...named, column: 1 })).toBeNull();
});
