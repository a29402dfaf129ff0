import { expect, test } from 'vitest';
import type { Resume } from '../types.ts';
import { unansweredVerdict } from './unanswered.ts';

const asked: Resume = {
  attempt: 2,
  source: null,
  mailFrom: '',
  firstAskedAtMs: 0,
  meaning: 'greylisted',
  mx: 'mx.example.com',
  provider: 'other',
};

test('an address a server had spoken about ends unavailable_smtp, with what is known of it', () => {
  expect(unansweredVerdict('info@example.com', asked)).toMatchObject({
    state: 'unknown',
    reason: 'unavailable_smtp',
    score: 0,
    role: true,
    mx: 'mx.example.com',
    provider: 'other',
  });
});

test('an address that was never asked about ends no_connect, its flags set all the same', () => {
  expect(unansweredVerdict('ann@gmail.com', undefined)).toMatchObject({
    state: 'unknown',
    reason: 'no_connect',
    free: true,
    mx: null,
    provider: '',
  });
});

test('what needs no network is decided without it', () => {
  expect(unansweredVerdict('no address', undefined)).toMatchObject({ reason: 'invalid_email' });
  expect(unansweredVerdict('ann@localhost', undefined)).toMatchObject({ reason: 'invalid_domain' });
  expect(unansweredVerdict('ann@mailinator.com', undefined)).toMatchObject({ reason: 'disposable' });
});
