// The roles as processes: HTTP alone, checking alone, both; any of them answers for all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Rig, startRig } from '../../test/rig.ts';
import { until } from '../../test/until.ts';

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

async function call(base: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${base}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${rig.account.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

test('a node that only speaks HTTP answers with what a node that only checks has found', async () => {
  const speaker = await rig.node(['serve', '--no-checks'], { PORT: '0' });
  const base = /"url":"([^"]+)"/.exec(await speaker.line(/"url"/))![1]!;
  await rig.node(['work']);
  const [good, missing, grey] = await Promise.all(
    ['anna@good.example', 'nobody@good.example', 'anna@grey.example'].map((email) =>
      call(base, 'POST', '/verify', { email }),
    ),
  );
  expect([good!.status, missing!.status, grey!.status]).toEqual([200, 200, 200]);
  expect(await good!.json()).toMatchObject({ state: 'deliverable', reason: 'accepted_email' });
  expect(await missing!.json()).toMatchObject({ state: 'undeliverable', reason: 'rejected_email' });
  expect(await grey!.json()).toMatchObject({ state: 'deliverable' });

  const emails = ['anna@good.example', 'nobody@good.example', 'not an address'];
  const posted = await call(base, 'POST', '/lists', { emails, callback_url: rig.callbackUrl });
  const { id } = (await posted.json()) as { id: number };
  await until(() => expect(rig.receiver.received).toHaveLength(1));
  const { list } = JSON.parse(rig.receiver.received[0]!.body.toString()) as { list: { id: number } };
  expect(list).toEqual(await (await call(base, 'GET', `/lists/${id}`)).json());
});
