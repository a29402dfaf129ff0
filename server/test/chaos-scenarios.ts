// What is done to nodes and database while a list runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { pauseList, resumeList } from '../src/flow/pause-list.ts';
import type { Chaos, Scenario } from './chaos.ts';
import type { Child } from './child.ts';
import { until } from './until.ts';

const ZOMBIE_MS = 30_000;

/** Some time into the work: after some of it was done since the last moment. False: all of it is done. */
async function moment(chaos: Chaos, most: number, since = 0): Promise<boolean> {
  for (;;) {
    const checked = await chaos.checked();
    if (checked === chaos.total) return false;
    if (checked > since) break;
    await sleep(20);
  }
  await sleep(chaos.between(50, most));
  return true;
}

/** `kill -9` at random moments, each time with another node in its place. */
export function killNodes(times: number): Scenario {
  return async (chaos, nodes) => {
    let last = 0;
    for (let n = 0; n < times && (await moment(chaos, 700, last)); n++) {
      const victim = nodes.splice(chaos.between(0, nodes.length - 1), 1)[0]!;
      last = await chaos.checked();
      chaos.explain(`kill -9 at ${last}`);
      victim.process.kill('SIGKILL');
      await victim.ended;
      nodes.push(await chaos.rig.node());
    }
  };
}

/** One of several dies and is not replaced. */
export const killOneOfMany: Scenario = async (chaos, nodes) => {
  await moment(chaos, 1_000);
  chaos.explain(`kill -9 at ${await chaos.checked()}`);
  nodes.splice(chaos.between(0, nodes.length - 1), 1)[0]!.process.kill('SIGKILL');
};

export function killPostgres(times: number): Scenario {
  return async (chaos) => {
    let last = 0;
    for (let n = 0; n < times && (await moment(chaos, 700, last)); n++) {
      last = await chaos.checked();
      chaos.explain(`PostgreSQL killed at ${last}`);
      chaos.rig.killPostgres();
      await chaos.checked();
    }
  };
}

/** Connections are cut, the database lives: whatever was in flight was answered, so nothing is asked again. */
export function cutConnections(times: number): Scenario {
  return async (chaos) => {
    for (let n = 0; n < times; n++) {
      await moment(chaos, 500);
      await until(() =>
        chaos.rig.context.db.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        ),
      );
    }
    // A claim whose answer was cut off lapses, and is made again; nothing of it had been asked.
  };
}

/**
 * The list is paused, then every node is killed with what it has at mail servers: with others in their place the list is still
 * paused, and it goes on when it is resumed.
 */
export const killWhilePaused: Scenario = async (chaos, nodes) => {
  await moment(chaos, 500);
  const { context, account } = chaos.rig;
  const [list] = await context.db.query<{ id: number }>('SELECT id FROM mxproof.lists');
  const change = async (how: typeof pauseList) => {
    const { kind } = await how(context, list!.id, account.accountId);
    if (kind !== 'changed') throw new Error(kind);
  };
  await change(pauseList);
  chaos.explain(`kill -9 while paused at ${await chaos.checked()}`);
  const dead = nodes.splice(0);
  for (const { process, ended } of dead) {
    process.kill('SIGKILL');
    await ended;
  }
  const checked = await chaos.checked();
  for (const _ of dead) nodes.push(await chaos.rig.node());
  // What the killed ones had is parked once it has lapsed.
  await until(async () => {
    const left = await context.db.query('SELECT FROM mxproof.jobs');
    if (left.length > 0) throw new Error(`${left.length} jobs are not parked`);
  });
  if ((await chaos.checked()) !== checked) throw new Error('addresses of a paused list were asked');
  await change(resumeList);
};

/** Stopped long enough to be thought dead, then it goes on. */
export const zombie: Scenario = async (chaos, nodes) => {
  await moment(chaos, 700);
  chaos.explain(`stopped at ${await chaos.checked()}`);
  nodes[0]!.process.kill('SIGSTOP');
  await sleep(ZOMBIE_MS);
  nodes[0]!.process.kill('SIGCONT');
};

/** Every node is replaced under load; what is in flight is answered within the grace, so nothing is asked twice. */
export const rollingRestart: Scenario = async (chaos, nodes) => {
  for (let n = 0; n < nodes.length; n++) {
    await moment(chaos, 800);
    await replace(chaos, nodes, n);
  }
};

async function replace(chaos: Chaos, nodes: Child[], n: number): Promise<void> {
  const old = nodes[n]!;
  nodes[n] = await chaos.rig.node();
  old.process.kill('SIGTERM');
  const status = await old.ended;
  if (status !== 0) throw new Error(`a node ended with ${status}:\n${old.lines.slice(-20).join('\n')}`);
}
