// The schemas of accounts, as operators see and change them.
import { type Static, Type } from 'typebox';
import { closed, count, pageOf, secondsOrNull, words } from '../../http/openapi/schemas.ts';
import { RETENTION_KINDS } from '../../rules/retention.ts';
import { adminName } from './names.ts';

const orNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const limitOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, description });

const accountFields = {
  id: Type.Integer({ minimum: 1, description: 'Account identifier.' }),
  name: Type.String({ description: 'Its name.' }),
  external_id: orNull('Your own word for it, such as the customer’s number in your billing; null: none.'),
  status: words(
    ['active', 'suspended'],
    'suspended: it reads and deletes what it has, and begins nothing new; its unfinished lists go on.',
  ),
  credits: count('The balance.'),
  credits_used: count('Charges less refunds.'),
  lists: count('Existing lists, single checks included.'),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  last_active_at: secondsOrNull(
    'When a key or a browser of it last asked for something, live or test, in Unix seconds; at most a minute behind. Null: never.',
  ),
};
const Account = adminName(
  'AdminAccount',
  Type.Object(accountFields, { ...closed, description: 'An account. The balance is that of live mode.' }),
);
export type WireAdminAccount = Static<typeof Account>;

adminName('AdminAccountPage', pageOf('accounts', 'AdminAccount', 'Accounts, newest first.'));

const settingFields = {
  rate_requests: limitOrNull('Requests a minute for each of its keys; null: as the deployment says.'),
  rate_addresses: limitOrNull('Addresses a minute for each of its keys; null: as the deployment says.'),
  retention: Type.Object(
    Object.fromEntries(
      RETENTION_KINDS.map((kind) => [
        kind,
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description: 'Days from the end of a list on; null: as the deployment says.',
        }),
      ]),
    ) as Record<(typeof RETENTION_KINDS)[number], ReturnType<typeof Type.Unsafe<number | null>>>,
    { ...closed, description: 'How long its data is kept.' },
  ),
  monthly_credits: limitOrNull('Granted once at the start of each month (UTC); null: none.'),
  monthly_from: orNull('The first day of the month that is granted next, such as `2026-12-01`; null: none.'),
  mail: orNull('Who is mailed when a list is done or credits are low; null: no person.'),
  low_credits: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Credits are low below it, as the account has set it; null: it has not.',
  }),
  outcomes: Type.Boolean({ description: 'It tells what became of its mail, as it has set it.' }),
};
const AccountDetail = adminName(
  'AdminAccountDetail',
  Type.Object(
    { ...accountFields, ...settingFields },
    { ...closed, description: 'An account and what is set for it.' },
  ),
);
export type WireAccountDetail = Static<typeof AccountDetail>;

const NewAccount = adminName(
  'NewAccount',
  Type.Object(
    {
      ...accountFields,
      ...settingFields,
      api_key: Type.String({ description: 'Its first key. It is shown only here: store it now.' }),
      webhook_secret: Type.String({
        description: 'What its callbacks are signed with. It is shown only here: store it now.',
      }),
    },
    { ...closed, description: 'An account that was just opened.' },
  ),
);
export type WireNewAccount = Static<typeof NewAccount>;

const SignInLink = adminName(
  'SignInLink',
  Type.Object(
    {
      url: Type.String({ description: 'It signs in the browser that opens it, once.' }),
      expires_at: Type.Integer({ description: 'Unix seconds.' }),
    },
    { ...closed, description: 'A one-time link.' },
  ),
);
export type WireSignInLink = Static<typeof SignInLink>;

adminName('SignedOut', Type.Object({ sessions_ended: count('Browsers that were signed in.') }, closed));

const scope = words(['read', 'write'], 'read: every GET. write: everything.');
const expiresAt = Type.Integer({ description: 'Unix seconds.' });
const OperatorSession = adminName(
  'OperatorSession',
  Type.Object({ scope, expires_at: expiresAt }, { ...closed, description: 'An operator’s session.' }),
);
export type WireOperatorSession = Static<typeof OperatorSession>;
const OperatorSignInWays = adminName(
  'OperatorSignInWays',
  Type.Object(
    {
      key: Type.Boolean({ description: 'With an admin key.' }),
      openid: Type.Unsafe<{ readonly name: string } | null>({
        type: ['object', 'null'],
        properties: { name: { type: 'string', description: 'What people call the provider.' } },
        required: ['name'],
        additionalProperties: false,
        description:
          'With an OpenID provider, from `/operator/sign-in/openid`; null: it signs in no operators.',
      }),
    },
    {
      ...closed,
      description: 'How operators’ browsers can be signed in, besides the link of `mxproof admin link`.',
    },
  ),
);
export type WireOperatorSignInWays = Static<typeof OperatorSignInWays>;
adminName(
  'OperatorSignedIn',
  Type.Object(
    {
      ...{ scope, expires_at: expiresAt },
      proof: Type.String({ description: 'For `MXProof-Operator-Proof`, kept in the page’s storage.' }),
    },
    { ...closed, description: 'An operator’s session that has just begun.' },
  ),
);
