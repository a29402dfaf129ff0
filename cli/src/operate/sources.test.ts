// mxproof sources on a real store: what nodes have counted, and rests by hand.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SourceTally } from '../../../server/src/features/sources/source-tally.ts';
import { addCounts, readStates } from '../../../server/src/features/sources/stored-health.ts';
import { startNode } from '../../../server/test/child.ts';
import { startTestService } from '../../../server/test/service.ts';

const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');

test('the matrix, a rest by hand and its end, and what is refused', async () => {
  const service = await startTestService();
  const mxproof = async (...args: readonly string[]) => {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: service.url,
      HOME: tmpdir(),
      MXPROOF_SECRET_KEY: 'a key',
    };
    const child = startNode([launcher, 'sources', ...args], {
      ...env,
      MXPROOF_SOURCE_ADDRESSES: '192.0.2.20=b.example.org',
    });
    return { status: await child.ended, lines: child.lines };
  };
  try {
    const tally = new SourceTally();
    const at = { source: '192.0.2.10', provider: 'google' };
    tally.recipient(at, 'accepted', '');
    tally.recipient(at, 'unknown', '');
    tally.refusal(at, 'block', '554 see https://www.spamhaus.org/query/ip/192.0.2.10', '');
    await addCounts(service.db, tally.take());
    await service.db.query(
      `INSERT INTO mxproof.nodes (id, sources) VALUES (gen_random_uuid(), '{192.0.2.30,host a}'), (gen_random_uuid(), '{host b}')`,
    );

    const { lines } = await mxproof('--json');
    const all = JSON.parse(lines.join('')) as { source: string; provider: string }[];
    expect(all.map(({ source, provider }) => `${source} ${provider}`)).toEqual([
      'own other',
      '192.0.2.10 google',
      '192.0.2.30 other',
    ]);
    expect(all[1]).toMatchObject({
      today: { asked: 2, accepted: 1, unknown_recipients: 1, deferred: 0, refused: { block: 1 } },
      last_7_days: { asked: 2 },
      refusal: { kind: 'block', link: 'https://www.spamhaus.org/query/ip/192.0.2.10' },
      rest: null,
    });

    expect((await mxproof('rest', '192.0.2.20', 'google', '--hours', '2')).lines[0]).toMatch(
      /^192\.0\.2\.20 rests at google until .* UTC\. Nodes that run obey within seconds\.$/,
    );
    const [state] = await readStates(service.db, ['192.0.2.20']);
    expect(state?.rest).toMatchObject({ by: 'operator', leftMs: expect.closeTo(2 * 3_600_000, -5) });
    expect((await mxproof()).lines.join('\n')).toContain('by hand, until');
    expect((await mxproof('resume', '192.0.2.20', 'google')).status).toBe(0);
    expect((await readStates(service.db, ['192.0.2.20']))[0]?.rest).toBeNull();

    const refused = await Promise.all([
      mxproof('rest', '192.0.2.99', 'google'),
      mxproof('rest', '192.0.2.10', 'gogle'),
      mxproof('rest', '192.0.2.10', 'other'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([1, 1, 1]);
    expect(refused[0]?.lines.at(-1)).toBe(
      '"192.0.2.99" is not a source address of this service: own, 192.0.2.10, 192.0.2.20, 192.0.2.30.',
    );
    expect(refused[1]?.lines.at(-1)).toMatch(/^"gogle" is not a provider: .*google/);
    expect(refused[2]?.lines.at(-1)).toMatch(/^A source cannot rest at "other"/);
  } finally {
    await service.close();
  }
});
