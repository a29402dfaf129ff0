// The table of docs/guide/blocked.md: published replies, and what each verifier makes of them. Promise: our column is asked
// of the engine each time, the others come from answers kept with their versions; a reply that a peer was not asked about
// stops the page.
import { type KeptAnswers, type PeerAnswers, readAnswers } from './blocked-answers.ts';
import { PUBLISHED_REPLIES, type PublishedReply } from './blocked-replies.ts';
import { type OwnAnswer, ownAnswer } from './blocked-world.ts';
import { fill } from './fill.ts';

/** `dead`: there is no such mailbox. `not valid`: for another reason than the mailbox. */
type Judgement = 'dead' | 'unknown' | 'not valid' | 'risky' | 'deliverable';

/** From a peer's own words to ours; how is explained on the page. */
const JUDGEMENTS: Readonly<Record<string, readonly (readonly [said: RegExp, Judgement])[]>> = {
  'AfterShip/email-verifier': [
    [/^reachable: no\b/, 'dead'],
    [/^reachable: unknown\b/, 'unknown'],
    [/^reachable: yes\b/, 'deliverable'],
  ],
  'deep-email-validator': [
    [/^valid: false, reason: Mailbox not found\./, 'dead'],
    [/^valid: false/, 'not valid'],
    [/^valid: true/, 'deliverable'],
  ],
  Reacher: [
    [/^is_reachable: invalid\b/, 'dead'],
    [/^is_reachable: unknown\b/, 'unknown'],
    [/^is_reachable: risky\b/, 'risky'],
    [/^is_reachable: safe\b/, 'deliverable'],
  ],
};

export function judgementOf({ name, said }: PeerAnswers, { id }: PublishedReply): Judgement {
  const words = said[id];
  if (words === undefined) throw new Error(`${name} was not asked about "${id}": npm run bench -- blocked`);
  const judgement = JUDGEMENTS[name]?.find(([pattern]) => pattern.test(words))?.[1];
  if (judgement === undefined) throw new Error(`${name} said "${words}", which has no meaning here`);
  return judgement;
}

export async function ownAnswers(): Promise<ReadonlyMap<string, OwnAnswer>> {
  const answers = new Map<string, OwnAnswer>();
  for (const reply of PUBLISHED_REPLIES) answers.set(reply.id, await ownAnswer(reply));
  return answers;
}

export const isCalledDead = ({ state }: OwnAnswer) => state === 'undeliverable';

const STAGES = { banner: 'connect', mail: 'MAIL', rcpt: 'RCPT' } as const;
const OTHER = PUBLISHED_REPLIES.filter(({ about }) => about === 'other');
const CONTROLS = PUBLISHED_REPLIES.filter(({ about }) => about !== 'other');
/** What is counted, and in which replies. */
const COUNTED: readonly (readonly [words: string, replies: readonly PublishedReply[]])[] = [
  ['replies about something else', OTHER.filter(({ mostlyAfterData }) => mostlyAfterData !== true)],
  [
    'replies about something else, usually said after a message',
    OTHER.filter((reply) => reply.mostlyAfterData),
  ],
  ['replies about the mailbox', CONTROLS.filter(({ about }) => about === 'mailbox')],
  ['replies that accept it', CONTROLS.filter(({ about }) => about === 'accepted')],
];

export async function fillBlockedPage(): Promise<void> {
  fill('blocked.md', 'replies', blockedTables(readAnswers(), await ownAnswers()));
}

export function blockedTables(kept: KeptAnswers, own: ReadonlyMap<string, OwnAnswer>): string {
  const count = (isDead: (reply: PublishedReply) => boolean) =>
    COUNTED.map(([, replies]) => replies.filter(isDead).length);
  const counts = [
    ['MXProof', ...count(({ id }) => isCalledDead(own.get(id)!))],
    ...kept.peers.map((peer) => [
      `${peer.name} ${peer.version}`,
      ...count((reply) => judgementOf(peer, reply) === 'dead'),
    ]),
  ];
  const heads = COUNTED.map(([words, replies]) => `${words} (${replies.length})`);
  return [
    ...lined([['calls the mailbox dead after', ...heads], ...counts]),
    '',
    `The other verifiers were asked on ${kept.date}.`,
    '',
    '### Replies about something else',
    '',
    ...lined(repliesTable(OTHER, kept.peers, own)),
    '',
    '### Replies about the mailbox',
    '',
    ...lined(repliesTable(CONTROLS, kept.peers, own)),
  ].join('\n');
}

function repliesTable(
  replies: readonly PublishedReply[],
  peers: readonly PeerAnswers[],
  own: ReadonlyMap<string, OwnAnswer>,
): string[][] {
  const rows = replies.map((reply) => {
    const { state, detail } = own.get(reply.id)!;
    const judged = [
      isCalledDead({ state, detail }) ? 'dead' : state,
      ...peers.map((peer) => judgementOf(peer, reply)),
    ];
    const [ours, ...theirs] = judged.map((word) => (word === 'dead' ? '**dead**' : word));
    const stage = `${STAGES[reply.at]}${reply.mostlyAfterData === true ? '\\*' : ''}`;
    return [reply.by, stage, `\`${textOf(reply)}\``, `${ours}, \`${detail}\``, ...theirs];
  });
  return [['said by', 'at', 'reply', 'MXProof', ...peers.map(({ name }) => name)], ...rows];
}

/** As Markdown; the first row is the head. */
function lined([head = [], ...rows]: readonly (readonly (string | number)[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** On one line, as logs have it. */
const textOf = ({ lines }: PublishedReply) => lines.join(' ').replaceAll('|', '\\|');
