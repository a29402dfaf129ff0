// Who did what: the words of the audit trail. Promise: closed words and numbers, and of text no more than that it changed, so that
// an erasure has nothing to look for in the trail.

/** What is acted on, for each action; null: the account itself, or the deployment. */
export const AUDIT_ACTIONS = {
  'account.created': null,
  'account.changed': null,
  'account.deleted': null,
  'credits.changed': null,
  'credits.granted': null,
  'key.created': 'key',
  'key.revoked': 'key',
  'webhook_secret.replaced': null,
  'session.begun': null,
  'session.ended': null,
  'sessions.ended': null,
  'link.created': null,
  'webhook.created': 'webhook',
  'webhook.changed': 'webhook',
  'webhook.deleted': 'webhook',
  'webhook.secret_replaced': 'webhook',
  'hook.created': 'hook',
  'hook.deleted': 'hook',
  'suppressions.removed': null,
  'list.cancelled': 'list',
  'list.deleted': 'list',
  'list.restored': 'list',
  'list.exported': 'list',
  'callback.resent': 'list',
  'address.erased': 'erasure',
  'member.invited': 'member',
  'member.joined': 'member',
  'member.link_created': 'member',
  'member.changed': 'member',
  'member.removed': 'member',
  'source.rested': null,
  'source.resumed': null,
  'admin_key.created': 'admin_key',
  'admin_key.revoked': 'admin_key',
  'operator.link_created': null,
  'operator.signed_in': null,
  'operator.signed_out': null,
  'operators.signed_out': null,
  'doctor.run': null,
  'settings.changed': null,
  'secret_key.rotated': null,
  'store.backed_up': null,
  'store.restored': null,
  'store.reapplied': null,
  'audit.exported': null,
} as const satisfies Record<string, string | null>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const AUDIT_WORDS = Object.keys(AUDIT_ACTIONS) as AuditAction[];
export type AuditSubject = NonNullable<(typeof AUDIT_ACTIONS)[AuditAction]>;
export const AUDIT_SUBJECTS = [
  ...new Set(Object.values(AUDIT_ACTIONS).filter((subject) => subject !== null)),
] as AuditSubject[];

/** Of the deployment alone: no account has them in its trail, or is told that there are such. */
const OF_DEPLOYMENT = /^(source|admin_key|operators?|doctor|settings|secret_key|store|audit)\./;
export const ACCOUNT_WORDS = AUDIT_WORDS.filter((action) => !OF_DEPLOYMENT.test(action));
export const ACCOUNT_SUBJECTS = AUDIT_SUBJECTS.filter((subject) =>
  ACCOUNT_WORDS.some((action) => AUDIT_ACTIONS[action] === subject),
);

/**
 * key: an API key. session: a browser of an account. member: a person of an account. admin_key, operator: an operator's program, an
 * operator's browser. command: the command line. service: the service itself.
 */
export const AUDIT_ACTORS = [
  'key',
  'session',
  'member',
  'admin_key',
  'operator',
  'command',
  'service',
] as const;
export type AuditActorKind = (typeof AUDIT_ACTORS)[number];
/** Of these an account is told that it was the operator, and no more. */
export const OPERATORS: readonly AuditActorKind[] = ['admin_key', 'operator', 'command'];
/** As accounts are told of them. */
export const ACCOUNT_ACTORS = AUDIT_ACTORS.filter((kind) => kind === 'operator' || !OPERATORS.includes(kind));

export interface Actor {
  readonly kind: AuditActorKind;
  /** Of the key, of the key that a session was signed in with, or of the member. */
  readonly id: number | null;
  /** Of a command: the user who ran it. Of an operator: who it is by the sign-in provider. People of the operator alone have one. */
  readonly name: string | null;
  /** Where from: an IP address, or a command's machine. */
  readonly client: string | null;
  readonly requestId: string | null;
}

/** Of a request. */
export type CameFrom = Pick<Actor, 'client' | 'requestId'>;

export const THE_SERVICE: Actor = { kind: 'service', id: null, name: null, client: null, requestId: null };

/** A number or a closed word; never text that people write. */
export type AuditValue = number | boolean | string | null;

export interface AuditNote {
  readonly action: AuditAction;
  /** Whose trail it is in; null: the deployment's alone. */
  readonly accountId: number | null;
  readonly subjectId?: number | null;
  /** Of each field what it was and what it is. */
  readonly changes?: Readonly<Record<string, readonly [before: AuditValue, after: AuditValue]>>;
  /** Fields whose text changed. */
  readonly changed?: readonly string[];
}

/** Of two states of the same fields those that differ, as `changes` has them. What is not there is null. */
export function changesBetween(
  before: Readonly<Record<string, AuditValue>>,
  after: Readonly<Record<string, AuditValue>>,
): Record<string, [AuditValue, AuditValue]> {
  return Object.fromEntries(
    Object.keys(after)
      .map((field): [string, [AuditValue, AuditValue]] => [
        field,
        [before[field] ?? null, after[field] ?? null],
      ])
      .filter(([, [was, is]]) => was !== is),
  );
}
