// What the operator is told of, on a real database: each condition begins, repeats and ends; once for all nodes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { addresses, quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { signBody, signStandard } from '../../callback/sign.ts';
import { openDatabase } from '../../store/database.ts';
import { countDifferences } from '../../store/verify-ledger.ts';
import { createIsolation } from '../../worker/isolate.ts';
import { noteNightly, sayNightly } from '../backup/stored-nightly.ts';
import { sayHealth } from '../sources/stored-obstacles.ts';
import type { AlertMessage } from './alert-message.ts';
import { ALERT_CONDITIONS, LEDGER_CONDITION } from './conditions.ts';
import { deliverAlerts } from './deliver-alerts.ts';
import { applyReadings, raiseAlerts } from './raise-alerts.ts';
import type { AlertSender } from './send-alert.ts';
import { startAlerts, VerdictTally } from './start-alerts.ts';
import { readAlerts } from './stored-alerts.ts';
import { addVerdicts, writeDisk } from './stored-readings.ts';

const SECRET = `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`;
const SETTINGS = { unknownPercent: 30, queueMs: 3_600_000, nodeLostSeconds: 0.2 };
const NODE = '00000000-0000-4000-8000-000000000001';
const isolation = createIsolation<string>({ name: 'alerts', log: quiet });
let service: TestService;
let receiver: Receiver;
let answer: number;
beforeAll(async () => {
  service = await startTestService();
  receiver = await startReceiver((response) => response.writeHead(answer).end());
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});
beforeEach(() => {
  answer = 204;
  receiver.received.length = 0;
});
/** Lists stay: the ledger counts them. */
afterEach(() =>
  sql(`TRUNCATE mxproof.alerts, mxproof.alert_messages, mxproof.verdict_tallies, mxproof.machine_disks, mxproof.turns,
         mxproof.backups, mxproof.nightly_backups, mxproof.source_states, mxproof.doctor_reports, mxproof.node_health, mxproof.nodes, mxproof.jobs, mxproof.callbacks`),
);

const sender = (): AlertSender => ({
  ways: { post: { url: receiver.url, secret: SECRET, format: 'json' }, mail: null },
  target: { isAllowed: () => true, dnsServers: [], ca: receiver.ca },
});
const received = (): AlertMessage[] =>
  receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { alert: AlertMessage }).alert);

/** Reads the conditions and sends what is to be sent; what arrived of it. */
async function look(): Promise<string[]> {
  const before = receiver.received.length;
  await raiseAlerts(service.db, ['post'], SETTINGS, isolation);
  await deliverAlerts(service.db, sender(), quiet);
  return received()
    .slice(before)
    .map(({ condition, subject, status }) => `${condition} ${subject ?? '-'} ${status}`);
}

/** As if so many minutes had passed. */
async function later(minutes: number): Promise<void> {
  for (const column of ['since', 'told_at', 'clear_since', 'resolved_at'])
    await service.db.query(`UPDATE mxproof.alerts SET ${column} = ${column} - make_interval(mins => $1)`, [
      minutes,
    ]);
}

const sql = (text: string) => service.db.query(text);

/** What makes a condition hold, and what ends it. */
const CASES: Readonly<
  Record<string, { subject: string; begin(): Promise<unknown>; end(): Promise<unknown> }>
> = {
  source_resting: {
    subject: '192.0.2.10',
    begin: () =>
      sql(`INSERT INTO mxproof.source_states (source, provider, resting_since, resting_until, rested_by)
           VALUES ('192.0.2.10', 'google', now(), now() + interval '1 hour', 'refusals'),
                  ('192.0.2.11', 'google', now(), NULL, 'operator')`),
    end: () => sql(`UPDATE mxproof.source_states SET resting_until = now()`),
  },
  node_lost: {
    subject: 'machine-of-the-tests',
    async begin() {
      await sql(`INSERT INTO mxproof.nodes (id, sources, has_left, seen_at) VALUES
        (gen_random_uuid(), '{192.0.2.10,host stopped}', true, now() - interval '2 minutes'),
        (gen_random_uuid(), '{host restarted}', false, now() - interval '2 minutes'),
        (gen_random_uuid(), '{host restarted}', false, now() + interval '1 minute'),
        (gen_random_uuid(), '{host machine-of-the-tests}', false, now() + interval '1 minute')`);
      expect(await look()).toEqual([]);
      await sql(`UPDATE mxproof.nodes SET seen_at = now() - interval '2 minutes'
                 WHERE 'host machine-of-the-tests' = ANY (sources)`);
    },
    // Another one has taken its place.
    end: () =>
      sql(`INSERT INTO mxproof.nodes (id, sources, seen_at)
           VALUES (gen_random_uuid(), '{host machine-of-the-tests}', now() + interval '1 hour')`),
  },
  unknown_share: {
    subject: '-',
    async begin() {
      await addVerdicts(service.db, { checked: 199, unknown: 199 });
      expect(await look()).toEqual([]);
      await addVerdicts(service.db, { checked: 1, unknown: 0 });
    },
    end: () => addVerdicts(service.db, { checked: 1_000, unknown: 0 }),
  },
  queue_age: {
    subject: '-',
    async begin() {
      await service.submit(addresses(1));
      expect(await look()).toEqual([]);
      await sql(`UPDATE mxproof.lists SET created_at = now() - interval '61 minutes'`);
    },
    end: () => sql('DELETE FROM mxproof.jobs'),
  },
  callbacks_failing: {
    subject: '-',
    async begin() {
      for (let i = 0; i < 5; i++) await service.submit(addresses(1, `list${i}-`));
      await sql('DELETE FROM mxproof.jobs');
      await sql(`INSERT INTO mxproof.callbacks (list_id, account_id, url, body, state)
                 SELECT id, account_id, 'https://x.example/', '{}', 'failed' FROM mxproof.lists`);
    },
    end: () => sql(`UPDATE mxproof.callbacks SET created_at = now() - interval '2 hours'`),
  },
  disk_low: {
    subject: 'node-1',
    begin: () => writeDisk(service.db, 'node-1', 2 ** 30),
    end: () => writeDisk(service.db, 'node-1', 2 ** 40),
  },
  dns: {
    subject: '-',
    begin: () => sayHealth(service.db, NODE, { obstacles: [{ code: 'dns', since: 1 }], reachedAt: null }),
    end: () => sayHealth(service.db, NODE, { obstacles: [], reachedAt: null }),
  },
  port_25: {
    subject: '-',
    begin: () => sayHealth(service.db, NODE, { obstacles: [{ code: 'port_25', since: 1 }], reachedAt: null }),
    end: () => sayHealth(service.db, NODE, { obstacles: [], reachedAt: null }),
  },
  doctor: {
    subject: 'node-1',
    begin: () =>
      sql(`INSERT INTO mxproof.doctor_reports (machine, is_ok, checks) VALUES ('node-1', false,
             '[{"id": "clock", "status": "failure", "detail": "anna@example.com"}, {"id": "tls", "status": "ok"}]')`),
    end: () => sql('UPDATE mxproof.doctor_reports SET is_ok = true'),
  },
  backup: {
    subject: '-',
    async begin() {
      await sayNightly(service.db, 'node-1', '/backups');
      // Just set up: the first is not made yet.
      expect(await look()).toEqual([]);
      await sql(`UPDATE mxproof.nightly_backups SET since = now() - interval '47 hours'`);
      expect(await look()).toEqual([]);
      await sql(`UPDATE mxproof.nightly_backups SET since = now() - interval '49 hours'`);
    },
    end: () => madeBackup('1 hour'),
  },
  ledger_difference: {
    subject: '-',
    async begin() {
      await service.submit(addresses(3));
      await sql('DELETE FROM mxproof.jobs');
      expect(await differences()).toBe(0);
      await sql('UPDATE mxproof.lists SET total = total + 1');
      expect(await differences()).toBeGreaterThan(0);
    },
    async end() {
      await sql('UPDATE mxproof.lists SET total = total - 1');
      expect(await differences()).toBe(0);
    },
  },
};

const madeBackup = (ago: string) =>
  sql(`INSERT INTO mxproof.backups (machine, path, is_nightly, has_key, bytes, rows, made_at)
       VALUES ('node-1', '/backups/own.backup', false, true, 1, 1, now() - interval '${ago}')`);

/** As the node does that has this duty today. */
async function differences(): Promise<number | null> {
  const count = await countDifferences(service.db, async () => true);
  const readings = count === 0 ? [] : [{ subject: '', detail: `${count} places` }];
  await applyReadings(service.db, ['post'], new Map([[LEDGER_CONDITION, readings]]));
  return count;
}

test('every condition of the table has a case here', () => {
  expect(Object.keys(CASES).sort()).toEqual(ALERT_CONDITIONS.map(({ id }) => id).sort());
});

test.each(Object.keys(CASES))('%s begins, is told again every hour, and ends', async (id) => {
  const { subject, begin, end } = CASES[id]!;
  expect(await look()).toEqual([]);
  await begin();
  expect(await look()).toEqual([`${id} ${subject} began`]);
  expect(await look()).toEqual([]);
  await later(59);
  expect(await look()).toEqual([]);
  await later(2);
  expect(await look()).toEqual([`${id} ${subject} continues`]);
  await end();
  expect(await look()).toEqual([]);
  await later(6);
  expect(await look()).toEqual([`${id} ${subject} resolved`]);
  await later(120);
  expect(await look()).toEqual([]);
  for (const { title, detail, advice } of received())
    for (const sentence of [title, detail, advice]) {
      expect(sentence.length).toBeGreaterThan(5);
      expect(sentence).not.toMatch(/example\.com|@|tester/);
    }
});

test('a backup that failed is told at once, an old one after two days, and nothing where none is wanted', async () => {
  await madeBackup('9 days');
  expect(await look()).toEqual([]);
  await sayNightly(service.db, 'node-1', '/backups');
  await sql(`UPDATE mxproof.nightly_backups SET since = now() - interval '9 days'`);
  expect(await look()).toEqual(['backup - began']);
  await madeBackup('47 hours');
  await look();
  await later(6);
  expect(await look()).toEqual(['backup - resolved']);
  await later(60);
  await noteNightly(service.db, 'node-1', 'Cannot write /backups/mxproof.backup (ENOSPC).');
  expect(await look()).toEqual(['backup - began']);
  // Where one is made by another node, all is well.
  await madeBackup('0 seconds');
  await look();
  await later(6);
  expect(await look()).toEqual(['backup - resolved']);
  expect(received().map(({ detail }) => detail)).toEqual([
    'The newest backup is 9 days old.',
    'The newest backup is 9 days old.',
    'The latest backup failed: Cannot write /backups/mxproof.backup (ENOSPC).',
    'The latest backup failed: Cannot write /backups/mxproof.backup (ENOSPC).',
  ]);
});

test('an alert is signed as callbacks are, with an id that stays the same until it arrives', async () => {
  await CASES.disk_low!.begin();
  answer = 500;
  expect(await look()).toEqual(['disk_low node-1 began']);
  answer = 302;
  await hurry();
  expect(await look()).toHaveLength(1);
  answer = 200;
  await hurry();
  expect(await look()).toHaveLength(1);
  await hurry();
  expect(await look()).toEqual([]);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  // client/test/alerts.test.ts verifies them as receivers do.
  for (const { body, headers } of receiver.received) {
    const id = String(headers['webhook-id']);
    const timestampSeconds = Number(headers['webhook-timestamp']);
    expect(id).toMatch(/^alert\.[0-9a-f-]{36}$/);
    expect(headers['webhook-signature']).toBe(signStandard(SECRET, { id, timestampSeconds, body }));
    expect(headers['x-mx-signature']).toBe(signBody(SECRET, body));
  }
});

/** Whatever waits for its next attempt is due. */
const hurry = () => sql('UPDATE mxproof.alert_messages SET next_attempt_at = now()');

test('what is not taken is kept, told once when it is, and over only afterwards', async () => {
  answer = 503;
  await CASES.disk_low!.begin();
  await look();
  await later(61);
  await look();
  await CASES.disk_low!.end();
  await look();
  await later(6);
  await look();
  await hurry();
  answer = 200;
  receiver.received.length = 0;
  expect(await look()).toEqual(['disk_low node-1 began']);
  expect(await look()).toEqual(['disk_low node-1 resolved']);
  expect(await look()).toEqual([]);
});

test('a node that ends between sending and writing has it sent again, not lost', async () => {
  await CASES.disk_low!.begin();
  await raiseAlerts(service.db, ['post'], SETTINGS, isolation);
  const broken = openDatabase({ url: service.url, poolSize: 1, onError: () => {} });
  const mayConnect = () => {
    void broken.close();
    return true;
  };
  const closing = { ...sender(), target: { ...sender().target, mayConnect } };
  await expect(deliverAlerts(broken, closing, quiet)).rejects.toThrow();
  expect(received()).toHaveLength(1);
  // The claim of the dead node lapses.
  expect(await look()).toEqual([]);
  await hurry();
  expect(await look()).toEqual(['disk_low node-1 began']);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a day without success is given up', async () => {
  answer = 500;
  await CASES.disk_low!.begin();
  await look();
  await sql(
    `UPDATE mxproof.alert_messages SET made_at = now() - interval '25 hours', next_attempt_at = now()`,
  );
  await look();
  expect(await sql('SELECT FROM mxproof.alert_messages')).toEqual([]);
});

test('nodes that read and send at once tell the operator once', async () => {
  const nodes = Array.from({ length: 4 }, () => openDatabase({ url: service.url, poolSize: 4 }));
  await CASES.disk_low!.begin();
  await CASES.dns!.begin();
  for (let round = 0; round < 3; round++) {
    await Promise.all(nodes.map((db) => raiseAlerts(db, ['post'], SETTINGS, isolation)));
    await Promise.all(nodes.map((db) => deliverAlerts(db, sender(), quiet)));
  }
  expect(
    received()
      .map(({ condition, status }) => `${condition} ${status}`)
      .sort(),
  ).toEqual(['disk_low began', 'dns began']);
  await Promise.all(nodes.map((db) => db.close()));
});

test('running nodes count their verdicts, measure their disks and tell once; a restart tells nothing again', async () => {
  const start = () => {
    const verdicts = new VerdictTally();
    const db = openDatabase({ url: service.url, poolSize: 4 });
    const running = startAlerts({
      db,
      sender: sender(),
      verdicts,
      settings: SETTINGS,
      heartbeatUrl: null,
      dataDir: '/tmp',
      isEmbedded: false,
      isBackingUp: false,
      log: quiet,
    });
    return { verdicts, stop: () => running.stop().then(() => db.close()) };
  };
  for (let i = 0; i < 3; i++) await addVerdicts(service.db, { checked: 100, unknown: 100 });
  const nodes = [start(), start()];
  await until(() => received().length > 0);
  await until(async () => (await sql('SELECT machine FROM mxproof.machine_disks')).length === 1);
  expect(await sql('SELECT machine FROM mxproof.machine_disks')).toEqual([{ machine: hostname() }]);
  nodes[0]!.verdicts.count({ state: 'unknown' });
  nodes[0]!.verdicts.count({ state: 'risky' });
  await Promise.all(nodes.map(({ stop }) => stop()));
  const [tally] = await sql(
    'SELECT sum(checked)::int AS checked, sum(unknown)::int AS unknown FROM mxproof.verdict_tallies',
  );
  expect(tally).toEqual({ checked: 302, unknown: 301 });
  await sql('TRUNCATE mxproof.turns');
  const again = start();
  await until(async () => (await sql(`SELECT FROM mxproof.turns WHERE duty = 'ledger'`)).length === 1);
  await again.stop();
  expect(received().map(({ condition, status }) => `${condition} ${status}`)).toEqual([
    'unknown_share began',
  ]);
  expect((await readAlerts(service.db)).map(({ condition }) => condition)).toEqual(['unknown_share']);
});

test('the heartbeat is called while all is well, also where alerts go nowhere, and not while a condition holds', async () => {
  const beats: string[] = [];
  const server = createServer((request, response) => {
    beats.push(`${request.method} ${request.url}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const start = (state: string) =>
    startAlerts({
      ...{ db: service.db, verdicts: new VerdictTally(), settings: SETTINGS, log: quiet },
      heartbeatUrl: `${origin}/${state}`,
      sender: { ways: { post: null, mail: null }, target: { isAllowed: () => false, dnsServers: [] } },
      ...{ dataDir: '/tmp', isEmbedded: false, isBackingUp: false },
    });
  const hasBegun = async () => (await sql(`SELECT FROM mxproof.turns WHERE duty = 'heartbeat'`)).length === 1;
  const well = start('well');
  await until(() => beats.length > 0);
  await well.stop();
  await addVerdicts(service.db, { checked: 300, unknown: 300 });
  await sql('TRUNCATE mxproof.turns');
  const unwell = start('unwell');
  await until(hasBegun);
  await unwell.stop();
  await sql('TRUNCATE mxproof.turns, mxproof.alerts, mxproof.verdict_tallies');
  const again = start('again');
  await until(() => beats.includes('GET /again'));
  await again.stop();
  expect(beats).toEqual(['GET /well', 'GET /again']);
  await new Promise((resolve) => server.close(resolve));
});
