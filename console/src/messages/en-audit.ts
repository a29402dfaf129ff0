// English, of the audit trail of an account: loaded with what shows it.
import { formatCount, formatDuration } from '../design/format.ts';
import { some } from './en.ts';

/**
 * The name to choose it by, and what is said of it; who did it follows, or precedes where that is what it is about. Null: its
 * subject is none, or not known.
 */
export type ActionWords = readonly [
  name: string,
  sentence: (subject: string | null) => string,
  place?: 'who_first',
];

const numbered = (one: string, verb: string) => (subject: string | null) =>
  subject === null ? `A ${one} ${verb}` : `${subject} ${verb}`;

export const auditWords = {
  actions: {
    'account.created': ['Account opened', () => 'The account was opened'],
    'account.changed': ['Account changed', () => 'The account was changed'],
    'account.deleted': ['Account deleted', () => 'The account was deleted'],
    'credits.changed': ['Credits changed', () => 'Credits were changed'],
    'credits.granted': ['Monthly credits added', () => 'The credits of the month were added'],
    'key.created': ['Key made', numbered('key', 'was made')],
    'key.revoked': ['Key revoked', numbered('key', 'was revoked')],
    'webhook_secret.replaced': ['Webhook secret replaced', () => 'The webhook secret was replaced'],
    'session.begun': ['Signed in', () => 'signed in', 'who_first'],
    'session.ended': ['Signed out', () => 'signed out', 'who_first'],
    'sessions.ended': ['All signed out', () => 'All browsers were signed out'],
    'link.created': ['Sign-in link made', () => 'A sign-in link was made'],
    'webhook.created': ['Webhook endpoint added', numbered('webhook endpoint', 'was added')],
    'webhook.changed': ['Webhook endpoint changed', numbered('webhook endpoint', 'was changed')],
    'webhook.deleted': ['Webhook endpoint deleted', numbered('webhook endpoint', 'was deleted')],
    'webhook.secret_replaced': [
      'Webhook endpoint: secret replaced',
      (subject) => `The secret of ${subject?.toLowerCase() ?? 'a webhook endpoint'} was replaced`,
    ],
    'hook.created': ['Sending service added', numbered('sending service', 'was added')],
    'hook.deleted': ['Sending service removed', numbered('sending service', 'was removed')],
    'suppressions.removed': ['Suppressions removed', () => 'Addresses were taken off the suppression list'],
    'list.cancelled': ['List stopped', numbered('list', 'was stopped')],
    'list.deleted': ['List deleted', numbered('list', 'was deleted')],
    'list.restored': ['List brought back', numbered('list', 'was brought back')],
    'list.exported': ['List read', numbered('list', 'was read')],
    'callback.resent': [
      'Callback sent again',
      (subject) => `The callback of ${subject?.toLowerCase() ?? 'a list'} was sent again`,
    ],
    'address.erased': ['Address erased', () => 'An address was erased'],
    'member.invited': ['Member invited', numbered('member', 'was invited')],
    'member.joined': ['Member joined', () => 'joined', 'who_first'],
    'member.link_created': [
      'Link for a member made',
      (subject) => `A link for ${subject?.toLowerCase() ?? 'a member'} was made`,
    ],
    'member.changed': ['Member changed', numbered('member', 'was changed')],
    'member.removed': ['Member removed', numbered('member', 'was removed')],
  } as const satisfies Record<string, ActionWords>,
  other: (action: string) => action.replace(/[._]/g, ' '),
  subjects: {
    key: (id: string) => `Key no. ${id}`,
    webhook: (id: string) => `Webhook endpoint no. ${id}`,
    hook: (id: string) => `Sending service no. ${id}`,
    list: (id: string) => `List ${id}`,
    member: (id: string) => `Member no. ${id}`,
  } as Readonly<Record<string, (id: string) => string>>,
  keyNamed: (label: string) => `Key “${label}”`,
  memberNamed: (email: string) => `Member “${email}”`,
  credits: (change: number) =>
    change < 0
      ? `${some(-change, 'credit was', 'credits were')} taken back`
      : `${some(change, 'credit was', 'credits were')} added`,
  by: (what: string, who: string) => `${what} by ${who}`,
  whoFirst: (who: string, what: string) => `${who.charAt(0).toUpperCase()}${who.slice(1)} ${what}`,
  who: {
    key: (id: string | null) => (id === null ? 'a key' : `key no. ${id}`),
    keyNamed: (label: string) => `key “${label}”`,
    session: (key: string | null) => (key === null ? 'a browser with a link' : `a browser with ${key}`),
    member: (id: string | null) => (id === null ? 'a member' : `member no. ${id}`),
    memberNamed: (email: string) => `member “${email}”`,
    operator: 'the operator',
    service: 'the service',
  },
  fields: {
    credits: 'Balance',
    credits_used: 'Credits used',
    rate_requests: 'Requests a minute',
    rate_addresses: 'Addresses a minute',
    results_days: 'Keep results (days)',
    evidence_days: 'Keep evidence (days)',
    callbacks_days: 'Keep callbacks (days)',
    single_checks_days: 'Keep single checks (days)',
    email: 'E-mail address',
    allowed_ips: 'Allowed IP addresses',
    external_id: 'External id',
    low_credits: 'Credits are low below',
    manage: 'May manage keys',
    undo_seconds: 'Can be brought back for',
    seconds: 'For',
    test: 'Test',
    url: 'URL',
    sessions: 'Browsers signed in',
    off: 'Switched off',
    rested_by: 'Rests by',
    removed: 'Addresses',
    erased_again: 'Addresses erased again',
    revoked_again: 'Keys revoked again',
  } as Readonly<Record<string, string>>,
  changed: (field: string) => (field === 'Note' ? 'with a note' : `${field} changed`),
  /** Where a value is a time in seconds. */
  duration: formatDuration,
  number: formatCount,
  none: 'none',
  yes: 'yes',
  no: 'no',
  became: 'is now',
};

export const trail = {
  title: 'Who did what',
  intro:
    'Every change to this account, every sign-in and every time a list was read, newest first. For names, labels and URLs, only the fact that they changed is kept.',
  filter: 'What was done',
  all: 'Everything',
  from: (address: string) => `from ${address}`,
  more: 'Show older entries',
  none: 'Nothing yet. Changes to this account are listed here.',
  noneOfKind: 'Nothing of this kind.',
};
