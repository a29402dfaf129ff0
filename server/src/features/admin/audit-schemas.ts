// The schemas of the whole deployment's trail.
import type { TSchema } from 'typebox';
import { pageOf, ref, words } from '../../http/openapi/schemas.ts';
import { AUDIT_ACTORS, AUDIT_SUBJECTS, AUDIT_WORDS } from '../../rules/audit.ts';
import { auditEntry } from '../audit/schemas.ts';
import { adminName } from './names.ts';

adminName('AdminAuditAction', words(AUDIT_WORDS, 'What was done. Further actions may be added.'));
adminName(
  'AdminAuditActorKind',
  words(
    [...AUDIT_ACTORS],
    'key: an API key. session: a browser of an account. member: a person of an account. admin_key: an operator’s key. operator: an operator’s browser. command: the command line. service: the service itself.',
  ),
);
adminName('AdminAuditSubjectKind', words(AUDIT_SUBJECTS, 'What kind of thing it was done to.'));
adminName(
  'AdminAuditEntry',
  auditEntry({
    action: ref('AdminAuditAction') as TSchema,
    actor: ref('AdminAuditActorKind') as TSchema,
    subject: ref('AdminAuditSubjectKind') as TSchema,
    name: 'Of the user who ran a command, or of an operator the subject at the sign-in provider; otherwise null.',
    client: 'Where it came from: an IP address, or a machine; null where it is not known.',
  }),
);
adminName('AdminAuditPage', pageOf('entries', 'AdminAuditEntry', 'Entries of the trail, newest first.'));
