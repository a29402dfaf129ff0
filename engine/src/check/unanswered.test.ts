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

test('an address whose mail hosts DNS had not named by then ends dns_error, unless a server had spoken', () => {
  const unresolved: Resume = { ...asked, meaning: null, mx: null, provider: '', detail: 'dns_failed' };
  expect(unansweredVerdict('ann@example.com', unresolved)).toMatchObject({
    state: 'unknown',
    reason: 'dns_error',
    detail: 'dns_failed',
  });
  expect(unansweredVerdict('ann@example.com', { ...unresolved, meaning: 'greylisted' })).toMatchObject({
    reason: 'unavailable_smtp',
  });
});

test('what needs no network is decided without it', () => {
  expect(unansweredVerdict('no address', undefined)).toMatchObject({ reason: 'invalid_email' });
  expect(unansweredVerdict('ann@localhost', undefined)).toMatchObject({ reason: 'invalid_domain' });
  expect(unansweredVerdict('ann@mailinator.com', undefined)).toMatchObject({ reason: 'disposable' });
});

test('why: what an earlier attempt left it waiting for, else that the time of its list was over', () => {
  const detailOf = (resume: Resume | undefined) => unansweredVerdict('ann@example.com', resume).detail;
  expect(detailOf(undefined)).toBe('list_ended');
  expect(detailOf(asked)).toBe('list_ended');
  expect(detailOf({ ...asked, detail: 'greylisted' })).toBe('greylisted');
  expect(detailOf({ ...asked, meaning: null, detail: 'connection_refused' })).toBe('connection_refused');
  expect(detailOf({ ...asked, meaning: 'rate_limited', detail: 'rate_limited' })).toBe('rate_limited');
});

test('why: never a word that contradicts the verdict', () => {
  const accepted: Resume = { ...asked, meaning: 'accepted', detail: 'catch_all_unknown' };
  expect(unansweredVerdict('ann@example.com', accepted)).toMatchObject({
    reason: 'unavailable_smtp',
    detail: 'list_ended',
  });
  const greylisted: Resume = { ...asked, detail: 'greylisted' };
  expect(unansweredVerdict('no address', greylisted).detail).toBe('syntax');
  expect(unansweredVerdict('ann@localhost', greylisted).detail).toBe('no_such_domain');
  expect(unansweredVerdict('ann@mailinator.com', greylisted).detail).toBe('disposable');
});
