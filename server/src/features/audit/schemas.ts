// The schemas of the audit trail.
import { type Static, type TSchema, Type } from 'typebox';
import { closed, name, objectOrNull, pageOf, ref, words } from '../../http/openapi/schemas.ts';
import {
  ACCOUNT_ACTORS,
  ACCOUNT_SUBJECTS,
  ACCOUNT_WORDS,
  type AuditAction,
  type AuditActorKind,
  type AuditSubject,
  type AuditValue,
} from '../../rules/audit.ts';

const nullable = <Value>(type: string, description: string) =>
  Type.Unsafe<Value | null>({ type: [type, 'null'], description });

const value = (description: string) =>
  Type.Unsafe<AuditValue>({
    anyOf: [
      { type: 'integer' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'string' },
      { type: 'null' },
    ],
    description,
  });

const AuditChange = name(
  'AuditChange',
  Type.Object(
    { before: value('What it was; null: nothing.'), after: value('What it is; null: nothing.') },
    { ...closed, description: 'A number or a closed word, before and after.' },
  ),
);

/** What an account is told has fewer actions, actors and subjects than what an operator is told. */
export const auditEntry = (words: {
  action: TSchema;
  actor: TSchema;
  subject: TSchema;
  name: string;
  client: string;
}) =>
  Type.Object(
    {
      id: Type.Integer({ minimum: 1, description: 'Entry identifier; later entries have larger ones.' }),
      at: Type.Integer({ description: 'Unix seconds.' }),
      action: Type.Unsafe<AuditAction>(words.action),
      actor: Type.Object(
        {
          kind: Type.Unsafe<AuditActorKind>(words.actor),
          id: nullable<number>(
            'integer',
            'Of the key, of the key that the browser was signed in with, or of the member; null where there is none.',
          ),
          name: nullable<string>('string', words.name),
        },
        { ...closed, description: 'Who did it.' },
      ),
      client: nullable<string>('string', words.client),
      request_id: nullable<string>('string', '`X-Request-Id` of its answer; null if it was no request.'),
      account_id: nullable<number>('integer', 'The account.'),
      subject: objectOrNull(
        {
          kind: Type.Unsafe<AuditSubject>(words.subject),
          id: Type.Integer({ minimum: 1, description: 'Its identifier, also once it is gone.' }),
        },
        'What it was done to; null: to the account itself.',
      ),
      changes: Type.Record(Type.String(), Type.Unsafe<Static<typeof AuditChange>>(ref('AuditChange')), {
        description: 'Numbers and closed words that changed, by field.',
      }),
      changed: Type.Array(Type.String(), {
        description: 'Fields whose text changed, such as a name or a URL: the texts themselves are not kept.',
      }),
    },
    { ...closed, description: 'A change or an export.' },
  );

export type WireAuditEntry = Static<ReturnType<typeof auditEntry>>;
name('AuditAction', words(ACCOUNT_WORDS, 'What was done. Further actions may be added.'));
name(
  'AuditActorKind',
  words(
    ACCOUNT_ACTORS,
    'key: an API key. session: a browser. member: a person of the account. operator: who runs the service. service: the service itself.',
  ),
);
name('AuditSubjectKind', words(ACCOUNT_SUBJECTS, 'What kind of thing it was done to.'));
name(
  'AuditEntry',
  auditEntry({
    action: ref('AuditAction') as TSchema,
    actor: ref('AuditActorKind') as TSchema,
    subject: ref('AuditSubjectKind') as TSchema,
    name: 'Always null: who works for the operator is not shown.',
    client: 'Where it came from: an IP address; null where it is not known or not shown.',
  }),
);
name('AuditPage', pageOf('entries', 'AuditEntry', 'Entries of the audit trail, newest first.'));
