// What verifiers say to published replies that are not about a mailbox, and to some that are. Promise: all are asked about
// the same hosts, each address once; the answers are kept and docs/guide/blocked.md is written from them. Without the
// peers, the kept answers stay.
import { spawnWorld } from '../../world/src/world-process.ts';
import { keepAnswers, type PeerAnswers, readAnswers } from './blocked-answers.ts';
import { PUBLISHED_REPLIES } from './blocked-replies.ts';
import { fillBlockedPage, isCalledDead, judgementOf, ownAnswers } from './blocked-table.ts';
import { blockedWorld, emailFor } from './blocked-world.ts';
import { askPeer, findAfterShip, findDeep, findPeers, findReacher, PEER_PORTS } from './find-peers.ts';
import { type Bench, row } from './runner.ts';

const FINDERS = [findAfterShip, findDeep, findReacher];
/** One after another: no host has a reason to slow down. */
const CONCURRENCY = 1;

export const run: Bench = async ({ log }) => {
  const asked = await askPeers(log);
  if (asked.length === FINDERS.length)
    keepAnswers({ date: new Date().toISOString().slice(0, 10), peers: asked });
  else log('the kept answers stay: not all of the other verifiers could be asked');
  await fillBlockedPage();
  const own = [...(await ownAnswers())];
  const other = PUBLISHED_REPLIES.filter(({ about }) => about === 'other');
  const wrong = own.filter(([id, answer]) => other.some((reply) => reply.id === id) && isCalledDead(answer));
  return [
    row('dead by a reply about something else: MXProof', 'replies', [wrong.length], {
      at: 'most',
      value: 0,
    }),
    ...readAnswers().peers.map((peer) =>
      row(`dead by a reply about something else: ${peer.name} ${peer.version}`, 'replies', [
        other.filter((reply) => judgementOf(peer, reply) === 'dead').length,
      ]),
    ),
  ];
};

async function askPeers(log: (line: string) => void): Promise<readonly PeerAnswers[]> {
  const peers = findPeers(FINDERS, log);
  if (peers.length === 0) return [];
  const world = await spawnWorld({ spec: blockedWorld(PUBLISHED_REPLIES) }, PEER_PORTS);
  try {
    const answers: PeerAnswers[] = [];
    for (const peer of peers) {
      const { said } = await askPeer(peer, PUBLISHED_REPLIES.map(emailFor), CONCURRENCY);
      const entries = PUBLISHED_REPLIES.map(({ id }, i) => [id, said[i]!]);
      answers.push({ name: peer.name, version: peer.version, said: Object.fromEntries(entries) });
      log(`${peer.name} ${peer.version}: asked about ${said.length} addresses`);
    }
    return answers;
  } finally {
    await world.close();
  }
}
