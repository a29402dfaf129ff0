// The schemas of outcomes, accuracy and the suppression list.
import { STORED_DETAILS } from '@mxproof/common/vocabulary/details';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { MIN_OUTCOMES } from '@mxproof/common/wilson';
import { type Static, Type } from 'typebox';
import { closed, count, name, share, words } from '../../http/openapi/schemas.ts';

const TakenOutcomes = name(
  'TakenOutcomes',
  Type.Object(
    {
      accepted: count('Outcomes that were not known.'),
      ignored: count(
        'Outcomes that say nothing new: echoes of a sending service’s suppression list, and what is more than a year old.',
      ),
      duplicates: count('Repeats, of what was sent before or in the same request.'),
      errors: Type.Array(
        Type.Object(
          {
            index: count('Its place in the request, from 0.'),
            error: Type.String({ description: 'What is wrong with it, for people.' }),
          },
          closed,
        ),
        { description: 'Outcomes that cannot be read; the others are taken.' },
      ),
    },
    { ...closed, description: 'What was taken of a request.' },
  ),
);
export type WireTakenOutcomes = Static<typeof TakenOutcomes>;

const rateFields = {
  n: count('Addresses whose mailbox took the mail, or was said not to exist.'),
  bounced: count('Addresses of which the mail server said that there is no such mailbox.'),
  rate: share(`\`bounced\` of \`n\`. Null below ${MIN_OUTCOMES}.`),
  low: share(`Where the rate is at least, with 95 % (Wilson). Null below ${MIN_OUTCOMES}.`),
  high: share(`Where it is at most. Null below ${MIN_OUTCOMES}.`),
};
const StateOutcomes = name(
  'StateOutcomes',
  Type.Object(
    {
      delivered: count('Mail was delivered.'),
      bounced: count('The mail server said that there is no such mailbox.'),
      full: count('The mailbox was full.'),
      blocked: count('The sender or the message was refused, which says nothing of the address.'),
      complained: count('Mail was delivered, and the recipient called it spam.'),
      unclear: count('Mail bounced, and its reply does not say why.'),
    },
    { ...closed, description: 'Addresses with one verdict, by what became of mail to them.' },
  ),
);
const ofStates = Object.fromEntries(
  ['deliverable', 'risky', 'undeliverable', 'unknown'].map((state) => [state, { $ref: 'StateOutcomes#' }]),
) as unknown as Record<'deliverable' | 'risky' | 'undeliverable' | 'unknown', typeof StateOutcomes>;
const Accuracy = name(
  'Accuracy',
  Type.Object(
    {
      matched: count(
        'Addresses with outcomes and a verdict before them; one with two verdicts counts twice.',
      ),
      unmatched: count('Addresses with outcomes of which no verdict was found.'),
      states: Type.Object(ofStates, closed),
      providers: Type.Array(
        Type.Object(
          {
            provider: Type.String({ description: 'Who runs the MX host.' }),
            state: words([...STATE_WORDS], 'What was said of the addresses.'),
            ...rateFields,
          },
          closed,
        ),
        { description: 'The largest first.' },
      ),
      details: Type.Array(
        Type.Object(
          { detail: words([...STORED_DETAILS], 'Why that was said of the addresses.'), ...rateFields },
          closed,
        ),
        { description: 'The largest first.' },
      ),
    },
    { ...closed, description: 'How often verdicts were right, by what became of the account’s own mail.' },
  ),
);
export type WireAccuracy = Static<typeof Accuracy>;

const WrongVerdicts = name(
  'WrongVerdicts',
  Type.Object(
    {
      total: count('Wrong verdicts whose list and results are there.'),
      gone: count('Those of which only the verdict is left, and not the address.'),
      wrong: Type.Array(
        Type.Object(
          {
            email: Type.String({ description: 'As it was checked.', examples: ['ann@example.com'] }),
            list_id: Type.Integer({ minimum: 1, description: 'Where its result is.', examples: [17] }),
            position: count('Its row in the list, from 0: for its evidence.'),
            state: words(['deliverable', 'undeliverable'], 'What was said of it.'),
            detail: words([...STORED_DETAILS], 'Why.'),
            provider: Type.String({ description: 'Who runs the MX host.', examples: ['google'] }),
            outcome: words(['bounced', 'delivered', 'complained'], 'What became of mail to it.'),
            day: Type.String({
              format: 'date',
              description: 'On which day, in UTC.',
              examples: ['2026-11-19'],
            }),
          },
          closed,
        ),
        { description: 'The latest first.' },
      ),
    },
    { ...closed, description: 'A page of the verdicts that were wrong.' },
  ),
);
export type WireWrongVerdicts = Static<typeof WrongVerdicts>;

const Suppressions = name(
  'Suppressions',
  Type.Object(
    {
      total: count('Addresses on the list. One may be there for more than one reason.'),
      bounced: count('Of which a mail server said that there is no such mailbox.'),
      complained: count('That called mail of the account spam.'),
      uploaded: count('That were added, such as unsubscribes.'),
    },
    { ...closed, description: 'The suppression list, counted: addresses are not given back.' },
  ),
);
export type WireSuppressions = Static<typeof Suppressions>;
name('AddedSuppressions', Type.Object({ added: count('Addresses that were not on the list.') }, closed));
name('RemovedSuppressions', Type.Object({ removed: count('Addresses that were on the list.') }, closed));
name(
  'CheckedSuppressions',
  Type.Object(
    {
      suppressed: Type.Array(Type.Integer({ minimum: 0 }), {
        description: 'Places in `emails`, from 0, of those that are on the list.',
      }),
    },
    closed,
  ),
);
