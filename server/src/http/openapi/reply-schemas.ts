// The schemas of what a mail server's reply means.
import type { Clarity, Detail, Meaning } from '@mxproof/engine';
import { type Static, type TSchema, Type } from 'typebox';
import { REASONS } from '../../rules/chunk-results.ts';
import { MAX_REPLY_TEXT_BYTES } from '../body/parse-bodies.ts';
import { closed, name, ref, words } from './schemas.ts';

/** A meaning of the engine's that is not here does not compile. */
const MEANINGS = {
  accepted: true,
  no_mailbox: true,
  over_quota: true,
  mailbox_busy: true,
  greylisted: true,
  temporary: true,
  rate_limited: true,
  too_many_recipients: true,
  blocked: true,
  sender_refused: true,
  tls_required: true,
  tenant_lapsed: true,
  relay_denied: true,
  content: true,
  protocol: true,
  unclear: true,
} satisfies Record<Meaning, true>;
const CLARITIES = ['plain', 'meant', 'vague'] as const satisfies readonly Clarity[];

const fields = {
  meaning: words(
    Object.keys(MEANINGS) as Meaning[],
    'What the reply means, whatever the stage. Further words may be added.',
  ),
  clarity: words(
    [...CLARITIES],
    'vague: the words would fit a missing mailbox and something else as well. meant: vague, but the provider is known to mean it.',
  ),
  rule: Type.String({ description: 'What decided, for people.' }),
  state: words(
    ['deliverable', 'risky', 'undeliverable', 'unknown'],
    'What a check would say of an address answered so.',
  ),
  reason: words([...REASONS], 'Likewise.'),
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

export const BounceRequest = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      pattern: '\\S',
      description: `A reply, lines of a log, or the source of a bounce message; at most ${MAX_REPLY_TEXT_BYTES} bytes of UTF-8.`,
      examples: ['550 5.1.1 User unknown'],
    }),
  },
  { description: 'Unknown fields are ignored; if a field is repeated, the last one counts.' },
);
