// The schema of what an unfinished list waits for.
import { DETAILS } from '@mxproof/engine';
import { type Static, type TSchema, Type } from 'typebox';
import { SHOWN_GROUPS } from '../../rules/list-waiting.ts';
import { closed, count, name, ref, secondsOrNull, words } from './schemas.ts';

const orNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const WaitingGroup = name(
  'WaitingGroup',
  Type.Object(
    {
      why: words(
        ['queued', 'paused', ...DETAILS],
        'queued: their turn has not come. paused: the list is. Otherwise what holds them up, in the words of `detail`.',
      ),
      host: orNull('The mail host they wait for; null if there is none, or none is known yet.'),
      provider: orNull('Who runs it, as in results; null if not known.'),
      addresses: Type.Integer({ minimum: 1, description: 'How many wait.' }),
      attempt: Type.Integer({
        minimum: 1,
        description: 'The number of the next attempt; the lowest of the group.',
      }),
      next_attempt_at: secondsOrNull('The earliest, in Unix seconds; null if not known.'),
    },
    { ...closed, description: 'Addresses that wait for the same thing at the same host.' },
  ),
);
type WireWaitingGroup = Static<typeof WaitingGroup>;

const Waiting = Type.Object(
  {
    pending: count('Addresses without a result.'),
    checking: count('Of these, being asked about at this moment.'),
    done_by: secondsOrNull(
      'The latest time at which the list ends, in Unix seconds; null once it has ended, and while it is paused.',
    ),
    waiting: Type.Array(ref('WaitingGroup') as TSchema, {
      maxItems: SHOWN_GROUPS,
      description: `The ${SHOWN_GROUPS} largest groups, by \`why\` and \`host\`.`,
    }),
  },
  {
    ...closed,
    description:
      'What an unfinished list waits for, at most two seconds old. `checking` and all groups add up to `pending`.',
  },
);
name('ListWaiting', Waiting);
export type WireWaiting = Omit<Static<typeof Waiting>, 'waiting'> & { waiting: WireWaitingGroup[] };
