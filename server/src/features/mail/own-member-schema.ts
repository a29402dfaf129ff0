// The schema of what a member has chosen to be mailed.
import { type Static, Type } from 'typebox';
import { closed, name } from '../../http/openapi/schemas.ts';

const nullable = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const OwnMember = name(
  'OwnMember',
  Type.Object(
    {
      list_mail: Type.Boolean({
        description:
          'You are mailed when a list that you start is done, unless its `mail_when_done` is false.',
      }),
      sends_mail: Type.Boolean({ description: 'The service sends mail.' }),
      mail_to: nullable('Your mailbox; null: none is proved to be yours, or the service sends no mail.'),
      mail_stopped: Type.Boolean({
        description: 'Mail to it was stopped from one of the mails, until you choose some again.',
      }),
      mail_error: nullable('What went wrong with the last mail to it; null: nothing.'),
    },
    { ...closed, description: 'What a signed-in member is mailed.' },
  ),
);
export type WireOwnMember = Static<typeof OwnMember>;
