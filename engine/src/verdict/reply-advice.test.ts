import { expect, test } from 'vitest';
import { explainReply, replyAdvice } from './reply-advice.ts';

const advice = (meaning: Parameters<typeof explainReply>[1], detail: 'blocked' | 'unclear', text: string) =>
  replyAdvice({ meaning, detail, retryAfterMs: null }, text);

test('who refuses all of us is told what to correct, and which list has the address', () => {
  expect(advice('blocked', 'blocked', '550 5.7.1 not allowed')).toMatch(/SPF, DKIM, DMARC/);
  expect(advice('blocked', 'blocked', '554 blocked using zen.spamhaus.org')).toMatch(/check\.spamhaus\.org/);
});

test('a recipient who takes no mail from outside is nothing that a sender could correct', () => {
  const external = '550 5.7.1 External mail to this account is disabled';
  expect(advice('blocked', 'unclear', external)).not.toMatch(/SPF/);
  expect(advice('blocked', 'unclear', external)).toMatch(/^Keep the address.*Ask the recipient/);
  expect(explainReply({ reason: 'unavailable_smtp', detail: 'unclear' }, 'blocked')).toMatch(
    /^The recipient, or their organization/,
  );
});

test('a lapsed tenant is explained as a check explains it', () => {
  expect(explainReply({ reason: 'unavailable_smtp', detail: 'tenant_lapsed' }, 'tenant_lapsed')).toMatch(
    /no mail service for the domain/,
  );
});
