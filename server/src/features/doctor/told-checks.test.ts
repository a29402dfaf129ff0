import { expect, test } from 'vitest';
import { judgeEndpoints, judgeMail } from './told-checks.ts';

test('endpoints that fail are their owners’ matter, until most of them do', () => {
  const none = { on: 0, failing: 0, paused: 0, off: 0 };
  expect(judgeEndpoints(none).status).toBe('skipped');
  expect(judgeEndpoints({ ...none, on: 1, failing: 4, off: 3 })).toMatchObject({
    status: 'ok',
    detail: 'Webhook endpoints: 1 on, 4 failing, 0 paused, 3 switched off.',
  });
  expect(judgeEndpoints({ ...none, on: 9, failing: 9 }).status).toBe('ok');
  expect(judgeEndpoints({ ...none, on: 4, failing: 5 }).status).toBe('warning');
});

const NO_LINKS = { waiting: 0, error: null };
const SET = { canSend: true, publicUrl: 'https://verify.example' };
const UNSET = { ...SET, canSend: false };

test('mail that fails, or has no relay, is a warning that says why', () => {
  const state = { recipients: 2, failing: 0, error: null, waiting: 3 };
  expect(judgeMail({ ...state, recipients: 0 }, NO_LINKS, UNSET).status).toBe('skipped');
  expect(judgeMail(state, NO_LINKS, SET)).toMatchObject({
    status: 'ok',
    detail: 'People who get mail about accounts: 2; events not told yet: 3.',
  });
  expect(judgeMail(state, NO_LINKS, UNSET)).toMatchObject({
    status: 'warning',
    detail: expect.stringMatching(/No mail is sent\.$/),
  });
  expect(judgeMail(state, NO_LINKS, { ...SET, publicUrl: null })).toMatchObject({
    status: 'warning',
    advice: expect.stringContaining('Set MXPROOF_PUBLIC_URL to where browsers'),
  });
  expect(judgeMail({ ...state, failing: 1, error: 'The relay is away.' }, NO_LINKS, SET)).toMatchObject({
    status: 'warning',
    detail: expect.stringMatching(/Mail to 1 of them fails: The relay is away\.$/),
  });
  const nobody = { ...state, recipients: 0, waiting: 0 };
  expect(judgeMail(nobody, { waiting: 1, error: 'The relay is away.' }, SET)).toMatchObject({
    status: 'warning',
    detail: expect.stringMatching(/links not sent yet: 1\. .* was not taken: The relay is away\.$/),
  });
});
