// The schemas of hooks, and of what a sending service is answered.
import { type Static, Type } from 'typebox';
import { closed, count, name, pageOf, secondsOrNull, words } from '../../http/openapi/schemas.ts';
import { SENDING_SERVICES } from '../../rules/sending-services.ts';

const hookFields = {
  id: Type.Integer({ minimum: 1, description: 'Hook identifier.' }),
  service: words([...SENDING_SERVICES], 'Whose events it takes.'),
  topic: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Of Amazon SES: the ARN of the only topic that may send to it. Null for the others.',
  }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  last_event_at: secondsOrNull(
    'When the last request came that was proven to be the service’s, to the minute, in Unix seconds. Null: none yet.',
  ),
};
const Hook = name(
  'Hook',
  Type.Object(hookFields, {
    ...closed,
    description: 'Where a sending service sends its events, without its URL.',
  }),
);
export type WireHook = Static<typeof Hook>;
name('HookPage', pageOf('hooks', 'Hook', 'The hooks of the account, oldest first.'));
const NewHook = name(
  'NewHook',
  Type.Object(
    {
      ...hookFields,
      url: Type.String({
        description:
          'What to give to the sending service. It is a secret, and shown only here: who knows it may be believed.',
      }),
    },
    { ...closed, description: 'A hook that was just made.' },
  ),
);
export type WireNewHook = Static<typeof NewHook>;

const HookAnswer = name(
  'HookAnswer',
  Type.Object(
    {
      accepted: count('Outcomes that were taken.'),
      ignored: count(
        'Events that tell nothing of a delivery, echoes of a suppression list, addresses that are none; all of them where outcomes are off.',
      ),
      duplicates: count('Outcomes that were known before.'),
    },
    { ...closed, description: 'What became of the events of a sending service.' },
  ),
);
export type WireHookAnswer = Static<typeof HookAnswer>;
