// The short version of `npm run test:chaos`: real nodes are killed, replaced and cut off while a list runs.
import { expect, test } from 'vitest';
import { runChaos } from '../../test/chaos.ts';
import { cutConnections, killNodes, killWhilePaused, rollingRestart } from '../../test/chaos-scenarios.ts';

const seed = Number(process.env.CHAOS_SEED ?? 7);

test(`killed nodes, cut connections and a rolling restart lose nothing (seed ${seed})`, {
  timeout: 120_000,
}, async () => {
  const report = await runChaos({
    seed,
    addresses: 6_000,
    nodes: 2,
    async scenario(chaos, nodes) {
      await killNodes(1)(chaos, nodes);
      await cutConnections(2)(chaos, nodes);
      await rollingRestart(chaos, nodes);
    },
  });
  expect(report.disturbances).toHaveLength(1);
});

test(`a rolling restart under load asks nothing twice (seed ${seed})`, { timeout: 120_000 }, async () => {
  const report = await runChaos({ seed, addresses: 6_000, nodes: 2, scenario: rollingRestart });
  expect(report.askedAgain).toBe(0);
});

test(`a list that is paused stays so when every node is killed, and is checked when it is resumed (seed ${seed})`, {
  timeout: 120_000,
}, async () => {
  const report = await runChaos({ seed, addresses: 6_000, nodes: 2, scenario: killWhilePaused });
  expect(report.disturbances).toHaveLength(1);
});
