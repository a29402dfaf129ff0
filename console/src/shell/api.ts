// The one connection to the service: its public API with this browser's session.
import { MXProof } from '@mxproof/client';
import { sessionProof } from './session-proof.ts';

const UNAUTHORIZED = 401;
let onSignedOut = () => {};
let onRoleRefused = () => {};

export const mx = new MXProof({
  session: true,
  sessionProof,
  async fetch(input, init) {
    // A deletion leaves although its tab is closed at once.
    const answer = await fetch(input, { ...init, keepalive: init?.method === 'DELETE' });
    // The account's own answer is what the others make it ask for.
    if (answer.status === UNAUTHORIZED && !new URL(answer.url).pathname.endsWith('/account')) onSignedOut();
    if (answer.headers.get('mxproof-error') === 'role') onRoleRefused();
    return answer;
  },
});

/** Called by the first request that finds that the session has ended. */
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/** Called when the role turns out to be less than it was. */
export function whenRoleRefused(handler: () => void): void {
  onRoleRefused = handler;
}

/** What is cached, by name. */
export const keys = {
  status: ['status'] as const,
  session: ['session'] as const,
  ways: ['ways'] as const,
  account: ['account'] as const,
  kept: ['account', 'kept'] as const,
  usage: (days: number) => ['account', 'usage', days] as const,
  histories: ['account', 'history'] as const,
  history: (kind: string) => ['account', 'history', kind] as const,
  apiKeys: ['api-keys'] as const,
  settings: ['account', 'settings'] as const,
  extras: ['account', 'extras'] as const,
  webhooks: ['webhooks'] as const,
  deliveries: (webhookId: number) => ['webhooks', 'deliveries', webhookId] as const,
  callbacks: ['callbacks'] as const,
  outcomes: ['outcomes'] as const,
  accuracy: (days: string) => ['outcomes', 'accuracy', days] as const,
  wrong: (days: string) => ['outcomes', 'wrong', days] as const,
  suppressions: ['outcomes', 'suppressions'] as const,
  hooks: ['hooks'] as const,
  members: ['members'] as const,
  ownMember: ['members', 'me'] as const,
  requests: (id: string, status: number | null) => ['requests', id, status] as const,
  callback: (listId: number) => ['callbacks', 'of', listId] as const,
  checks: ['checks'] as const,
  lists: ['lists'] as const,
  group: (group: string) => ['lists', 'group', group] as const,
  list: (id: number) => ['list', id] as const,
  deletions: ['deletions'] as const,
  whole: (id: number) => ['list', id, 'whole'] as const,
  retention: (id: number) => ['list', id, 'retention'] as const,
  retries: (id: number) => ['list', id, 'retries'] as const,
  corrections: (id: number) => ['list', id, 'corrections'] as const,
  waiting: (id: number) => ['list', id, 'waiting'] as const,
};
