// What each request body may have, declared once: its names, types and bounds, in the document and as it is read.
// Promise: a refinement holds what the document says in words alone.
import { parseAddress } from '@mxproof/engine';
import { Type } from 'typebox';
import { isCidr } from '../../rules/cidr.ts';
import { longerThan, MAX_ADDRESSES, MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { KEY_ACCESS, type KeyAccess } from '../../rules/key-access.ts';
import { GROUP_PATTERN, MAX_GROUP_LISTS } from '../../rules/list-group.ts';
import {
  MAIL_OUTCOMES,
  MAX_OUTCOME_ID_CHARACTERS,
  MAX_OUTCOME_REPLY_CHARACTERS,
  MAX_OUTCOMES,
  type MailOutcome,
} from '../../rules/mail-outcome.ts';
import { ROLES, type Role } from '../../rules/roles.ts';
import { SENDING_SERVICES, type SendingServiceName } from '../../rules/sending-services.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../rules/webhook-events.ts';
import { MAX_CALLBACK_URL_CHARACTERS, MAX_NAME_CHARACTERS, MAX_REPLY_TEXT_BYTES } from './read-by-hand.ts';

/** The end of the year 9999. */
export const MAX_SECONDS = 253_402_300_799;
const MAX_LOW_CREDITS = 1_000_000_000_000;
const MAX_SIGNING_KEY_CHARACTERS = 1_000;
const MAX_TOPIC_CHARACTERS = 400;

/** One character at least that trimming leaves. */
const NOT_BLANK = '[^\\s\\uFEFF]';
export const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
export const PRINTABLE = `^[^${CONTROLS}]*[^\\s\\uFEFF${CONTROLS}][^${CONTROLS}]*$`;

export const forgiving = {
  description: 'Unknown fields are ignored; if a field is repeated, the last one counts.',
};

const email = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_EMAIL_CHARACTERS,
    pattern: NOT_BLANK,
    description,
    examples: ['anna@example.com'],
  });

const fileCount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const LIST_FILE = Type.Object(
  {
    name: Type.String({ maxLength: MAX_NAME_CHARACTERS, description: 'Its name.' }),
    rows: fileCount('Rows with something in them, without the header.'),
    addresses: fileCount('Addresses found in them.'),
    invalid: fileCount('Texts that are no e-mail addresses, and were left out.'),
    duplicates: fileCount('Addresses that were there before.'),
    corrected: fileCount('Misspelt addresses that were corrected before they were sent.'),
  },
  {
    description:
      'The file that the list is made of, as its client has read it: kept with the list, and given back with `include=file`.',
  },
);

const memberRole = Type.Unsafe<Role>({
  type: 'string',
  enum: [...ROLES],
  description: 'What the member may do.',
});

const WEBHOOK = {
  url: Type.Refine(
    Type.String({
      format: 'https-url',
      pattern: '^https://[^/?#]',
      maxLength: MAX_CALLBACK_URL_CHARACTERS,
      description: 'Where its events are sent. Must not contain a user name or password.',
      examples: ['https://example.com/mxproof'],
    }),
    isHttpsUrl,
  ),
  events: Type.Unsafe<readonly WebhookEvent[]>({
    type: 'array',
    items: { type: 'string', enum: [...WEBHOOK_EVENTS] },
    minItems: 1,
    maxItems: WEBHOOK_EVENTS.length,
    uniqueItems: true,
    description: 'What it is told of.',
    examples: [['list.done', 'list.failed']],
  }),
  description: Type.String({
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    maxLength: MAX_NAME_CHARACTERS,
    description: 'What it is for.',
  }),
};

const OUTCOME = Type.Object(
  {
    email: email('Whom the mail was sent to.'),
    outcome: Type.Unsafe<MailOutcome>({
      type: 'string',
      enum: [...MAIL_OUTCOMES],
      description:
        'delivered: the recipient’s mail server took it. bounced: it could not be delivered, and `reply` says why. complained: the recipient called it spam.',
    }),
    reply: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: `Of a bounce: what the mail server said, as the sending service gives it. Read as \`POST /v1/reply\` reads it; a bounce without a readable one is \`unclear\`. Characters beyond ${MAX_OUTCOME_REPLY_CHARACTERS} are ignored.`,
        examples: ['550 5.1.1 User unknown'],
      }),
    ),
    at: Type.Optional(
      Type.Unsafe<number | string | null>({
        type: ['integer', 'string', 'null'],
        description: 'When it happened: Unix seconds, or ISO 8601. Default: now.',
      }),
    ),
    id: Type.Optional(
      Type.Unsafe<string | number | null>({
        type: ['string', 'integer', 'null'],
        maxLength: MAX_OUTCOME_ID_CHARACTERS,
        description:
          'Tells a repeat. Without it, what has the same address, outcome and day (UTC) is a repeat.',
      }),
    ),
  },
  { description: 'What became of mail to an address.' },
);

export const REQUESTS = {
  verify: Type.Object({ email: email('The address to check.') }, forgiving),
  suggest: Type.Object({ email: email('The address to look at.') }, forgiving),
  erase: Type.Object(
    {
      email: email(
        'The address to erase; case and blanks around it do not matter, as when it was submitted.',
      ),
    },
    forgiving,
  ),
  lists: Type.Object(
    {
      emails: Type.Array(Type.String({ maxLength: MAX_EMAIL_CHARACTERS, examples: ['anna@example.com'] }), {
        minItems: 1,
        contains: Type.String({ pattern: NOT_BLANK }),
        description: `Trimmed and lower-cased; blanks are ignored, duplicates dropped and not charged. At most ${MAX_ADDRESSES} may remain.`,
      }),
      name: Type.Optional(
        Type.String({ maxLength: MAX_NAME_CHARACTERS, description: 'A name to recognize the list by.' }),
      ),
      callback_url: Type.Optional(
        Type.String({
          format: 'https-url',
          pattern: '^https://[^/?#]',
          maxLength: MAX_CALLBACK_URL_CHARACTERS,
          description: 'Where `list.done` is sent. Must not contain a user name or password.',
        }),
      ),
      group: Type.Optional(
        Type.String({
          pattern: GROUP_PATTERN,
          description: `A word for lists that are shown as one, such as those of one file; at most ${MAX_GROUP_LISTS} lists.`,
        }),
      ),
      file: Type.Optional(LIST_FILE),
      mail_when_done: Type.Optional(
        Type.Boolean({
          description:
            'Mail the member who starts the list when it is done: in a browser, signed in as one. Default: their `list_mail`.',
        }),
      ),
    },
    forgiving,
  ),
  keys: Type.Object(
    {
      label: Type.Refine(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Where the key is used; printable characters, not only spaces.',
        }),
        isPrintable,
      ),
      test: Type.Optional(
        Type.Boolean({ description: 'Make a test key. Default: whether the calling key is one.' }),
      ),
      manage: Type.Optional(
        Type.Boolean({ default: false, description: 'The key may manage keys and the webhook secret.' }),
      ),
      access: Type.Optional(
        Type.Unsafe<KeyAccess>({
          type: 'string',
          enum: [...KEY_ACCESS],
          default: 'full',
          description:
            '`full`: everything. `read`: every GET, `POST /v1/reply` and `POST /v1/suggest`. `verify`: `POST /v1/verify` and the results of its own single checks, `/v1/suggest` and `/v1/status`. A key that may manage keys needs `full`.',
        }),
      ),
      expires_at: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: MAX_SECONDS,
          description: 'From then on the key is refused: a time in the future in Unix seconds.',
        }),
      ),
      allowed_ips: Type.Optional(
        Type.Refine(
          Type.Unsafe<readonly string[] | null>({
            type: ['array', 'null'],
            items: { type: 'string' },
            minItems: 1,
            maxItems: 100,
            description: 'IPv4 and IPv6 addresses and CIDR ranges.',
          }),
          (ips) => ips?.every(isCidr) ?? true,
        ),
      ),
    },
    forgiving,
  ),
  session: Type.Object(
    { api_key: Type.String({ minLength: 1, description: 'The key to sign in with. It is not kept.' }) },
    forgiving,
  ),
  mailSignIn: Type.Object({ email: email('The mailbox that the link is sent to.') }, forgiving),
  session_switch: Type.Object(
    {
      account_id: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Of `accounts` in `GET /session`. Default: where it is.' }),
      ),
      test: Type.Optional(Type.Boolean({ default: false, description: 'To the test side of the account.' })),
    },
    forgiving,
  ),
  member: Type.Object(
    {
      email: Type.Refine(
        Type.String({
          minLength: 3,
          maxLength: MAX_EMAIL_CHARACTERS,
          format: 'mailbox',
          description:
            'The address that is invited. The link is not bound to it: anyone who has the link can join.',
          examples: ['anna@example.com'],
        }),
        isMailbox,
      ),
      role: memberRole,
    },
    forgiving,
  ),
  member_change: Type.Object({ role: memberRole }, forgiving),
  rename: Type.Object(
    { name: Type.String({ maxLength: MAX_NAME_CHARACTERS, description: 'May be empty.' }) },
    forgiving,
  ),
  account: Type.Object(
    {
      name: Type.Optional(
        Type.Refine(
          Type.String({
            minLength: 1,
            maxLength: MAX_NAME_CHARACTERS,
            pattern: PRINTABLE,
            description: 'Trimmed. Printable characters, not blanks alone.',
          }),
          isPrintable,
        ),
      ),
      low_credits: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: MAX_LOW_CREDITS,
          description:
            'Credits are low below it: `credits.low` is sent once, when they fall below. Null: never.',
        }),
      ),
      outcomes: Type.Optional(
        Type.Boolean({
          description:
            'true: `POST /v1/outcomes` takes what became of mail, and addresses that are checked from now on are found by it. false: it does not, and what it has taken is deleted.',
        }),
      ),
    },
    {
      minProperties: 1,
      description: `At least one field. ${forgiving.description}`,
    },
  ),
  hook: Type.Object(
    {
      service: Type.Unsafe<SendingServiceName>({
        type: 'string',
        enum: [...SENDING_SERVICES],
        description: 'Whose events it takes.',
      }),
      signing_key: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          minLength: 1,
          maxLength: MAX_SIGNING_KEY_CHARACTERS,
          description:
            '`sendgrid`: the verification key of the signed event webhook. `mailgun`: the HTTP webhook signing key. `postmark`, which signs nothing: `user:password`, if the URL that Postmark is given has them. Not of `ses`. Never shown again.',
        }),
      ),
      topic: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          minLength: 1,
          maxLength: MAX_TOPIC_CHARACTERS,
          description: '`ses` alone: the ARN of the SNS topic, the only one that may send to it.',
          examples: ['arn:aws:sns:eu-west-1:123456789012:ses-events'],
        }),
      ),
    },
    forgiving,
  ),
  webhook: Type.Object({ ...WEBHOOK, description: Type.Optional(WEBHOOK.description) }, forgiving),
  webhook_change: Type.Object(
    {
      url: Type.Optional(WEBHOOK.url),
      events: Type.Optional(WEBHOOK.events),
      description: Type.Optional(WEBHOOK.description),
      paused: Type.Optional(
        Type.Boolean({
          description:
            'true: its events are kept for three days. false: they are sent; also switches it on again.',
        }),
      ),
    },
    { description: `What is left out stays as it is. ${forgiving.description}` },
  ),
  own_member: Type.Object(
    {
      list_mail: Type.Boolean({
        description:
          'true: you are mailed when a list that you start is done, unless its `mail_when_done` is false.',
      }),
    },
    forgiving,
  ),
  outcomes: Type.Object(
    {
      outcomes: Type.Array(OUTCOME, {
        minItems: 1,
        maxItems: MAX_OUTCOMES,
        description: 'One that is not as described is told in `errors`, and the others are taken.',
      }),
    },
    forgiving,
  ),
  suppressions: Type.Object(
    {
      emails: Type.Array(Type.String({ maxLength: MAX_EMAIL_CHARACTERS, examples: ['anna@example.com'] }), {
        minItems: 1,
        maxItems: MAX_ADDRESSES,
        description: 'Trimmed and lower-cased; blanks are ignored.',
      }),
    },
    forgiving,
  ),
  corrections: Type.Object(
    {
      domains: Type.Optional(
        Type.Array(
          Type.Refine(
            Type.String({ examples: ['gmial.com'] }),
            (domain) => !longerThan(domain, MAX_EMAIL_CHARACTERS),
          ),
          {
            minItems: 1,
            maxItems: 10_000,
            description:
              'Correct addresses of these domains only, as they are written in the list. Without it, all. Upper case is forgiven.',
          },
        ),
      ),
    },
    { description: `May be left out. ${forgiving.description}` },
  ),
  reply: Type.Object(
    {
      text: Type.String({
        minLength: 1,
        pattern: '\\S',
        description: `A reply, lines of a log, or the source of a bounce message; at most ${MAX_REPLY_TEXT_BYTES} bytes of UTF-8.`,
        examples: ['550 5.1.1 User unknown'],
      }),
    },
    forgiving,
  ),
};

export function knownFields(route: keyof typeof REQUESTS | 'outcome_lines' | 'outcome_table'): string[] {
  if (route === 'outcome_lines' || route === 'outcome_table') return Object.keys(OUTCOME.properties);
  return Object.keys(REQUESTS[route].properties);
}

function isMailbox(text: string): boolean {
  return parseAddress(text.trim()).ok;
}

function isHttpsUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

/** PostgreSQL can store it, and a terminal can show it. */
export function isPrintable(text: string): boolean {
  return text.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(text);
}
