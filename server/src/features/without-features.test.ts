// The service without any feature: it starts, checks, charges, calls back and stops. The specification's other tests of the HTTP
// interface run without features as well, in vitest's project `without-features`.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Rig, startRig } from '../../test/rig.ts';
import { until } from '../../test/until.ts';
import { verifyLedger } from '../store/verify-ledger.ts';

const PROGRAM = join(import.meta.dirname, '../../test/bare-service.ts');

let rig: Rig;
beforeAll(async () => {
  rig = await startRig(
    {
      domains: {
        'good.example': { host: {}, mailboxes: ['anna'] },
        'grey.example': { host: { greylist: { delayMs: 300 } }, mailboxes: ['anna'] },
      },
    },
    1,
  );
});
afterAll(() => rig.close());

test('without features, addresses are checked, lists end, callbacks arrive and credits are exact', async () => {
  const service = await rig.program(PROGRAM, { PORT: '0' });
  const base = /"url":"([^"]+)"/.exec(await service.line(/"msg":"ready"/))![1]!;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${base}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${rig.account.apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the test reads what it expects.
    return { status: answer.status, json: (await answer.json()) as any };
  };
  expect((await call('POST', '/verify', { email: 'anna@good.example' })).json).toMatchObject({
    state: 'deliverable',
    reason: 'accepted_email',
  });
  const emails = ['anna@good.example', 'nobody@good.example', 'anna@grey.example', 'not an address'];
  const posted = await call('POST', '/lists', { emails, callback_url: rig.callbackUrl });
  expect(posted.status).toBe(201);
  await until(() => expect(rig.receiver.received).toHaveLength(1));
  const { list } = JSON.parse(rig.receiver.received[0]!.body.toString());
  expect(list).toMatchObject({
    status: 'done',
    counts: { deliverable: 2, undeliverable: 2, unknown: 0 },
  });
  const { json } = await call('GET', `/lists/${posted.json.id}/results`);
  expect(json.results.map(({ email, state }: { email: string; state: string }) => [email, state])).toEqual([
    ['anna@good.example', 'deliverable'],
    ['nobody@good.example', 'undeliverable'],
    ['anna@grey.example', 'deliverable'],
    ['not an address', 'undeliverable'],
  ]);
  expect((await verifyLedger(rig.context.db)).differences).toEqual([]);
  // What features add is not there.
  expect((await call('GET', '/status')).status).toBe(404);
  expect((await call('GET', '/requests')).status).toBe(404);
  expect((await call('POST', '/erase', { email: 'anna@good.example' })).status).toBe(404);
  for (const path of ['/operator/session', '/admin/v1/accounts', '/admin/v1/openapi.json'])
    expect((await fetch(`${base}${path}`)).status).toBe(404);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
