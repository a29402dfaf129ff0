// The schemas of an account's endpoints and of what was sent to them.
import { type Static, type TSchema, Type } from 'typebox';
import { closed, count, name, pageOf, ref, secondsOrNull, words } from '../../http/openapi/schemas.ts';
import { WEBHOOK_EVENTS } from '../../rules/webhook-events.ts';

const endpointFields = {
  id: Type.Integer({ minimum: 1, description: 'Endpoint identifier.' }),
  url: Type.String({ description: 'Where events are sent.' }),
  events: Type.Array(words([...WEBHOOK_EVENTS], 'An event.'), {
    description: 'What the endpoint is told of.',
  }),
  description: Type.String({ description: 'What it is for; empty if nothing was given.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  paused_at: secondsOrNull(
    'Since when it is paused, in Unix seconds. Its events are kept for three days. Null: it is not.',
  ),
  off_at: secondsOrNull(
    'When the service switched it off, in Unix seconds. Its events are dropped until `paused: false` switches it on again. Null: it is on.',
  ),
  off_reason: Type.Unsafe<'gone' | 'failing' | null>({
    type: ['string', 'null'],
    enum: ['gone', 'failing', null],
    description: 'gone: it answered 410. failing: for five days no attempt succeeded. Null: it is on.',
  }),
};
const Webhook = name(
  'Webhook',
  Type.Object(endpointFields, { ...closed, description: 'An endpoint of the account, without its secret.' }),
);
export type WireWebhook = Static<typeof Webhook>;
name('WebhookPage', pageOf('webhooks', 'Webhook', 'The endpoints of the account, oldest first.'));
const NewWebhook = name(
  'NewWebhook',
  Type.Object(
    {
      ...endpointFields,
      webhook_secret: Type.String({
        description: 'What its events are signed with. It is shown only here: store it now.',
      }),
    },
    { ...closed, description: 'An endpoint that was just made.' },
  ),
);
export type WireNewWebhook = Static<typeof NewWebhook>;

const Delivery = name(
  'WebhookDelivery',
  Type.Object(
    {
      id: Type.String({
        description: 'The `webhook-id` of every attempt; of the test side it begins with `test_`.',
      }),
      event: words([...WEBHOOK_EVENTS, 'test'], 'What is told.'),
      list_id: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The list that it is about; null if it is about none.',
      }),
      state: words(
        ['pending', 'delivered', 'failed'],
        'pending: an attempt is due, or the endpoint is paused. failed: no more attempts are made.',
      ),
      created_at: Type.Integer({ description: 'When it happened, in Unix seconds.' }),
      next_attempt_at: secondsOrNull('Unix seconds; null if no attempt is due.'),
      attempts: Type.Array(
        Type.Object(
          {
            at: Type.Integer({ description: 'Unix seconds.' }),
            status: Type.Unsafe<number | null>({
              type: ['integer', 'null'],
              description: 'The status that the endpoint answered; null if it gave none.',
            }),
            error: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              description:
                'Why there was no status, in a few words or as an error code such as `ECONNREFUSED`.',
            }),
            duration_ms: count('How long the attempt took.'),
            answer: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              description:
                'The first 500 bytes of the answer’s body, as text without control characters; null if there was no answer.',
            }),
          },
          closed,
        ),
        { description: 'Oldest first; of many, the last 30.' },
      ),
    },
    { ...closed, description: 'An event on its way to an endpoint.' },
  ),
);
export type WireDelivery = Static<typeof Delivery>;
name('WebhookDeliveryPage', pageOf('deliveries', 'WebhookDelivery', 'Deliveries, newest first.'));

name(
  'WebhookEvent',
  Type.Object(
    {
      type: words([...WEBHOOK_EVENTS, 'test'], 'What happened.'),
      timestamp: Type.String({ format: 'date-time', description: 'When, in UTC.' }),
      data: Type.Union(
        [
          ref('ListSummary') as TSchema,
          Type.Object(
            {
              credits: count('The balance.'),
              low_credits: Type.Integer({ minimum: 1, description: 'What it fell below.' }),
            },
            closed,
          ),
          Type.Object({}, closed),
        ],
        {
          description:
            'Of `list.done`, `list.failed` and `list.paused` the list as it was then, of `credits.low` the balance, of `test` nothing.',
        },
      ),
    },
    { ...closed, description: 'What is sent to an endpoint.' },
  ),
);
