// The schemas of callbacks: what is sent, how it went, and what listeners are shown.
import { type Static, type TSchema, Type } from 'typebox';
import { closed, count, ListId, name, pageOf, ref, secondsOrNull, words } from './schemas.ts';

name(
  'ListDone',
  Type.Object(
    { event: Type.Literal('list.done'), list: ref('ListSummary') as TSchema },
    { ...closed, description: 'Sent to `callback_url` when the list is done.' },
  ),
);

const CallbackState = words(
  ['pending', 'delivered', 'failed'],
  'pending: the list is not done, or an attempt is due.',
);
const attemptFields = {
  at: Type.Integer({ description: 'Unix seconds.' }),
  status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The receiver’s status; null if it gave none.',
  }),
  error: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why there was no status, in a few words or as an error code such as `ECONNREFUSED`.',
  }),
  duration_ms: count('How long the attempt took.'),
};
const Attempt = Type.Object(attemptFields, closed);
const Callback = name(
  'Callback',
  Type.Object(
    {
      url: Type.String({ description: 'Where it is sent.' }),
      state: CallbackState,
      attempts: Type.Array(Attempt, { description: 'Oldest first; of many, the last 30.' }),
      next_attempt_at: secondsOrNull('Unix seconds; null if no attempt is due.'),
    },
    { ...closed, description: 'The callback of a list.' },
  ),
);
export type WireCallback = Static<typeof Callback>;
export type WireAttempt = Static<typeof Attempt>;
const CallbackEntry = name(
  'CallbackEntry',
  Type.Object(
    {
      list_id: ListId,
      list_name: Type.String({ description: 'Its name, empty if it has none.' }),
      url: Type.String({ description: 'Where it is sent.' }),
      state: CallbackState,
      attempt_count: count('How many attempts the callback shows.'),
      last_attempt: Type.Unsafe<WireAttempt | null>({
        type: ['object', 'null'],
        properties: attemptFields,
        required: Object.keys(attemptFields),
        ...closed,
        description: 'Null if none was made.',
      }),
      next_attempt_at: secondsOrNull(
        'Unix seconds; null if no attempt is due. A pending callback without one waits for its list to be done.',
      ),
    },
    { ...closed, description: 'The callback of a list, without the attempts before the last.' },
  ),
);
export type WireCallbackEntry = Static<typeof CallbackEntry>;
name('CallbackPage', pageOf('callbacks', 'CallbackEntry', 'Callbacks, those of the newest lists first.'));

const SentCallback = name(
  'SentCallback',
  Type.Object(
    {
      list_id: ListId,
      url: Type.String({ description: 'Where it is sent.' }),
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'What is sent with it, the signatures included.',
      }),
      body: Type.String({ description: 'The exact bytes, as text: what the signatures are made of.' }),
    },
    { ...closed, description: 'One attempt at the callback of a test list.' },
  ),
);
export type WireSentCallback = Static<typeof SentCallback>;
