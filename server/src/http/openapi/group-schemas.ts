// The schemas of lists that belong together.
import { type Static, Type } from 'typebox';
import { MAX_GROUP_LISTS } from '../../rules/list-group.ts';
import { SHOWN_RETRIES } from '../../store/list-groups.ts';
import { closed, ListId, ListSummary, name } from './schemas.ts';

const { status, duplicates_removed, checked, counts } = ListSummary.properties;

const Group = name(
  'Group',
  Type.Object(
    {
      group: Type.String({ description: 'As given at submission.' }),
      name: Type.String({
        description: 'The name of its oldest list, without ` (1 of 3)` at the end.',
      }),
      lists: Type.Array(ListId, {
        minItems: 1,
        maxItems: MAX_GROUP_LISTS,
        description: 'Its lists, oldest first.',
      }),
      status: {
        ...status,
        description:
          'done when all are; failed when one is and the others have ended; processing while all are; otherwise checking.',
      } as typeof status,
      total: Type.Integer({ minimum: 1, description: 'Number of addresses, unique within each list.' }),
      duplicates_removed,
      checked,
      counts,
      created_at: Type.Integer({ description: 'When the first was created, in Unix seconds.' }),
      finished_at: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'When the last ended, in Unix seconds; null while one is unfinished.',
      }),
    },
    { ...closed, description: 'Lists of one group, as one. Deleted lists are not part of it.' },
  ),
);
export type WireGroup = Static<typeof Group>;

const Retries = name(
  'Retries',
  Type.Object(
    {
      lists: Type.Array(ListId, {
        maxItems: SHOWN_RETRIES,
        description: `Oldest first; of more than ${SHOWN_RETRIES}, the newest.`,
      }),
    },
    { ...closed, description: 'Lists made of a list by retrying it.' },
  ),
);
export type WireRetries = Static<typeof Retries>;

const Corrections = name(
  'Corrections',
  Type.Object(Retries.properties, {
    ...closed,
    description: 'Lists made of the misspelt addresses of a list.',
  }),
);
export type WireCorrections = Static<typeof Corrections>;
