// Members against the real service, and an answer that is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { json, startFake } from '../test/fake-service.ts';
import { MXProof } from './index.ts';

let service: TestService;
let mx: MXProof;
beforeAll(async () => {
  service = await startService();
  mx = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
});
afterAll(() => service.close());

test('a member is invited, listed without the link, given another role and removed', async () => {
  const {
    link,
    mailed: _,
    ...member
  } = await mx.members.invite({ email: 'anna@example.com', role: 'viewer' });
  expect(link).toMatch(/\/join\/[\w-]{43}$/);
  expect(await mx.members.list()).toEqual([member]);
  await expect(mx.members.invite({ email: 'anna@example.com', role: 'owner' })).rejects.toMatchObject({
    kind: 'already_member',
  });
  expect((await mx.members.update(member.id, { role: 'member' })).role).toBe('member');
  expect((await mx.members.link(member.id)).link).not.toBe(link);
  await mx.members.delete(member.id);
  expect(await mx.members.list()).toEqual([]);
  await expect(mx.members.delete(member.id)).rejects.toMatchObject({ kind: 'member_not_found' });
});

test('nobody is invited again after an answer that was lost, and a removal whose answer was lost is done', async () => {
  const fake = await startFake((response, _request, place) =>
    place < 2
      ? void response.destroy()
      : json(response, 404, { error: 'member not found' }, { 'mxproof-error': 'member_not_found' }),
  );
  const flaky = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url });
  await expect(flaky.members.invite({ email: 'a@example.com', role: 'viewer' })).rejects.toThrow();
  expect(fake.seen).toHaveLength(1);
  await flaky.members.delete(7);
  expect(fake.seen).toHaveLength(3);
  await fake.close();
});
