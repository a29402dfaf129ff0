// The schemas of members and of the session of a browser.
import { type Static, Type } from 'typebox';
import { ROLES, type Role } from '../../rules/roles.ts';
import { INVITATION_DAYS } from '../../store/invitations.ts';
import { closed, name, pageOf, words } from './schemas.ts';

const nullable = <Value>(type: string, description: string) =>
  Type.Unsafe<Value | null>({ type: [type, 'null'], description });
const role = words(
  [...ROLES],
  'viewer: reads lists and results. member: checks addresses, too. owner: manages keys, webhooks and members, too.',
);

const memberFields = {
  id: Type.Integer({ minimum: 1, description: 'Member identifier.' }),
  email: nullable<string>(
    'string',
    'The mailbox that was invited, in lower case; null where a sign-in provider named none.',
  ),
  role,
  status: words(['invited', 'joined'], 'invited: the invitation has not been used yet.'),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  joined_at: nullable<number>('integer', 'Unix seconds; null: invited.'),
  last_seen_at: nullable<number>('integer', 'Unix seconds, at most a minute behind; null: never.'),
  mail_error: nullable<string>(
    'string',
    'What went wrong with the last mail to them, such as the invitation; null: nothing.',
  ),
};
const MemberSchema = name(
  'Member',
  Type.Object(memberFields, { ...closed, description: 'A person who may use the account in a browser.' }),
);
export type WireMember = Static<typeof MemberSchema>;
name('MemberPage', pageOf('members', 'Member', 'The members of the account, oldest first.'));
const InvitedMember = name(
  'InvitedMember',
  Type.Object(
    {
      ...memberFields,
      link: Type.String({
        description: `For this member: it works once, within ${INVITATION_DAYS} days, for anyone who has it, and is shown only here.`,
      }),
      mailed: Type.Boolean({ description: 'Another link is mailed to the member.' }),
    },
    { ...closed, description: 'A member, and the link to join with.' },
  ),
);
export type WireInvitedMember = Static<typeof InvitedMember>;

const OwnSession = name(
  'OwnSession',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the account.' }),
      account_id: Type.Integer({
        minimum: 1,
        description: 'The account; its test side has the same number.',
      }),
      test: Type.Boolean({ description: 'On the test side of the account.' }),
      role: Type.Unsafe<Role | null>({
        type: ['string', 'null'],
        enum: [...ROLES, null],
        description: 'The role of the member; null: signed in with a key, or with a link of the operator.',
      }),
      manage: Type.Boolean({ description: 'The session may manage keys, webhooks and members.' }),
      email: nullable<string>('string', 'The mailbox of the member; null: no member, or none is known.'),
      signed_in_as: nullable<string>(
        'string',
        'What was proved: a mailbox, or the name of the sign-in provider’s host; null: nothing, and `accounts` has at most this one.',
      ),
      can_switch_side: Type.Boolean({ description: 'It may go to the test side of its account, and back.' }),
      accounts: Type.Array(
        Type.Object(
          {
            account_id: Type.Integer({ minimum: 1, description: 'For `POST /session/switch`.' }),
            name: Type.String({ description: 'Name of the account.' }),
            role,
          },
          closed,
        ),
        { description: 'Those that it may switch to, this one included; empty: it is no member’s.' },
      ),
    },
    { ...closed, description: 'The session of a browser.' },
  ),
);
export type WireOwnSession = Static<typeof OwnSession>;
