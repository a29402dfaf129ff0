// The schemas of what a mail server's reply means.

import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { MEANING_WORDS } from '@mxproof/common/vocabulary/meanings';
import { REASON_WORDS } from '@mxproof/common/vocabulary/verdicts';
import type { Clarity, Detail } from '@mxproof/engine';
import { type Static, type TSchema, Type } from 'typebox';
import { closed, name, ref, words } from './schemas.ts';

const CLARITIES = ['plain', 'meant', 'vague'] as const satisfies readonly Clarity[];

const fields = {
  meaning: words([...MEANING_WORDS], 'What the reply means, whatever the stage. Further words may be added.'),
  clarity: words(
    [...CLARITIES],
    'vague: the words would fit a missing mailbox and something else as well. meant: vague, but the provider is known to mean it.',
  ),
  rule: Type.String({ description: 'What decided, for people.' }),
  state: words([...STATE_WORDS], 'What a check would say of an address answered so.'),
  reason: words([...REASON_WORDS], 'Likewise.'),
  detail: Type.Unsafe<Detail>({ ...ref('Detail'), description: 'Likewise, more finely.' }),
  explanation: Type.String({ description: 'What the reply says, as one sentence for people.' }),
  advice: Type.String({ description: 'What to do about it, for people.' }),
};

const Reply = name(
  'Reply',
  Type.Object(fields, { ...closed, description: 'What a mail server’s reply means.' }),
);
export type WireReply = Static<typeof Reply>;

const RecipientReply = name(
  'RecipientReply',
  Type.Object(
    {
      position: Type.Integer({
        minimum: 0,
        maximum: 999,
        description: 'Which recipient of the text, from 0. Its address is never told.',
      }),
      ...fields,
    },
    { ...closed, description: 'What one recipient of a log or bounce was answered.' },
  ),
);
export type WireRecipientReply = Static<typeof RecipientReply>;
name(
  'Replies',
  Type.Object(
    { replies: Type.Array(ref('RecipientReply') as TSchema, { maxItems: 1_000 }) },
    { ...closed, description: 'In the order in which the recipients first appear.' },
  ),
);
