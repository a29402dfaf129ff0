// Published replies as hosts that give them to everyone, the catch-all probe included, and what MXProof says there. A
// host that accepts is an ordinary one.
// Promise: each reply has a domain, a host and a checker of its own, so that no answer depends on another.
import { createChecker, type Detail, type State } from '../../engine/src/index.ts';
import { createRandom } from '../../world/src/random.ts';
import type { DomainSpec, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import { createVirtualWorld } from '../../world/src/virtual.ts';
import { ASKED, type PublishedReply } from './blocked-replies.ts';
import { SENDER } from './engine-run.ts';

export interface OwnAnswer {
  readonly state: State;
  readonly detail: Detail;
}

export const emailFor = ({ id }: PublishedReply) => `someone@${id}.example`;

export function blockedWorld(replies: readonly PublishedReply[]): WorldSpec {
  const hosts: Record<string, HostSpec> = {};
  const domains: Record<string, DomainSpec> = {};
  for (const reply of replies) {
    const { id, about, at, lines, mxSuffix } = reply;
    const mx = `${id}.${mxSuffix ?? 'mx.example'}`;
    const fault = { reply: lines.join('\r\n').replaceAll(ASKED, emailFor(reply)) };
    hosts[mx] = about === 'accepted' ? {} : { at: { [at]: fault } };
    domains[`${id}.example`] = { mx: [mx], mailboxes: ['someone'] };
  }
  return { hosts, domains };
}

/** In simulated time, all retries included. */
export async function ownAnswer(reply: PublishedReply): Promise<OwnAnswer> {
  const world = createVirtualWorld(blockedWorld([reply]), { seed: 1 });
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    random: createRandom(1).next,
    allowPrivateTargets: true,
    heloName: 'bench.example.com',
    mailFrom: SENDER,
  });
  const asked = async () => {
    const finding = await checker.check(emailFor(reply));
    await checker.close(0);
    return finding;
  };
  const { state, detail } = await world.run(asked());
  return { state, detail };
}
