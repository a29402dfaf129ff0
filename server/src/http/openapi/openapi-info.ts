// What the OpenAPI document says besides its routes: the product, the key, the callback.
const DESCRIPTION = `Checks whether e-mail addresses can receive mail by asking their mail servers. No message is ever sent.

To check one address, use \`POST /v1/verify\`. To check many, use \`POST /v1/lists\`, follow \`GET /v1/lists/{id}/events\`, poll \`GET /v1/lists/{id}\` until the status is \`done\` or wait for the \`list.done\` callback, then read \`GET /v1/lists/{id}/results\` page by page.

Authentication: every request carries \`Authorization: Bearer mx_live_…\`, or a test key \`mx_test_…\`: no network and no credits; the part of the address before the @ decides the result, and every answer carries \`MXProof-Mode: test\`. This page, \`/v1/openapi.json\`, \`/healthz\` and \`/readyz\` need no key.

States and their reasons: \`deliverable\` \`accepted_email\`; \`risky\` \`low_deliverability\` (the domain accepts every address, or may do so, or the mailbox is full), \`low_quality\` (a role address), \`disposable\`; \`undeliverable\` \`rejected_email\`, \`invalid_domain\`, \`invalid_email\`; \`unknown\` \`unavailable_smtp\`, \`no_connect\`, \`dns_error\`.

Credits: one per unique address, charged at submission. Results in state \`unknown\` are refunded when the list finishes.

Errors: every response with status 400 or above is \`{"error": "…"}\`, a sentence for people, with a code for programs in the header \`MXProof-Error\` (\`ErrorCode\` lists them all); a 402 says in \`MXProof-Credits-Needed\` how many credits the request needs. Checks run in this order: key, requests window, the request itself, addresses window, credits. A refused request charges nothing and creates nothing.

Rate limits: two rolling windows of 60 seconds per key. An accepted \`POST /v1/lists\` costs its unique addresses in the addresses window; every other request costs 1 in the requests window, unless it is answered 429. An accepted retry of a list costs its addresses as well.

Bodies are JSON in UTF-8 whatever their content type, at most 64 MiB (8 MiB apart from a list's addresses), not compressed.

Idempotency: repeating a request that charges credits with the same \`Idempotency-Key\` and body within 24 hours returns the first response and charges once.

Compatibility: fields, parameters, endpoints, reasons, details and error codes may be added at any time: ignore what you do not know. What will be removed is \`deprecated\` here, with its dates in \`x-deprecation\`, a year or more before; answers to requests that use it carry \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and a sentence in \`MXProof-Warning\`. [The rules](https://github.com/mxproof/mxproof/blob/main/docs/guide/compatibility.md).`;

const text = (description: string, examples: string[]) => ({
  description,
  in: 'header',
  required: true,
  schema: { type: 'string', examples },
});

const signed = (id: string) => [
  {
    name: 'X-MX-Signature',
    ...text('Lowercase hexadecimal HMAC-SHA256 of the body alone: it does not show a replay.', ['9f86d081…']),
  },
  { name: 'User-Agent', ...text('The sender.', ['MXProof-Webhook/1']) },
  { name: 'webhook-id', ...text('Standard Webhooks: the same in every attempt.', [id]) },
  {
    name: 'webhook-timestamp',
    ...text('Standard Webhooks: time of the attempt in Unix seconds.', ['1763000000']),
  },
  {
    name: 'webhook-signature',
    ...text(
      'Standard Webhooks: `v1,` followed by the signature in base64; for 24 hours after the secret was replaced, one of each, separated by a space.',
      ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
    ),
  },
];

export const openapiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'MXProof',
    version: '1.0.0',
    description: DESCRIPTION,
    contact: { name: 'MXProof', url: 'https://github.com/mxproof/mxproof' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The service that served this document.' }],
  security: [{ key: [] }, { session: [], sessionProof: [] }],
  components: {
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: '`Authorization: Bearer mx_live_…` or `mx_test_…`',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'mxproof_session',
        description:
          'For the service’s own page, after `POST /session` or a sign-in link; `__Host-mxproof_session` over https. Requests other than GET and HEAD also need `X-MXProof-Console: 1` and an `Origin` that is the service’s own. If a key is sent as well, the key decides.',
      },
      sessionProof: {
        type: 'apiKey',
        in: 'header',
        name: 'MXProof-Session-Proof',
        description:
          'Beside the cookie: the `proof` that `POST /session` or the sign-in link answered. Cookies are the same on all ports of a host; the storage in which the page keeps this belongs to its origin alone.',
      },
    },
  },
  webhooks: {
    'list.done': {
      post: {
        operationId: 'listDone',
        summary: 'A list is done',
        description:
          'Sent to the list’s `callback_url`. Verify `webhook-signature` over the raw body with a client of this service or a Standard Webhooks library, and answer 401 if it differs: it covers the time of the attempt, so that a recorded callback cannot be replayed. Any status below 300 within 10 seconds counts as success; otherwise the same bytes are sent again after 30 seconds and once more after 5 minutes. Handle the same list arriving twice.',
        security: [],
        parameters: signed('list.done.17'),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ListDone' } } },
        },
        responses: { '2XX': { description: 'Received.' } },
      },
    },
    event: {
      post: {
        operationId: 'accountEvent',
        summary: 'Something happened in the account',
        description:
          'Sent to the webhook endpoints of the account that want it, signed with the secret of each. Any status below 300 within 10 seconds counts as success; otherwise the same bytes are sent again for three days. Order is not promised. 410 switches the endpoint off.',
        security: [],
        parameters: signed('0b8f5f6e-54c5-4d2c-9a77-2f0c5d1f7a10'),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' } } },
        },
        responses: { '2XX': { description: 'Received.' } },
      },
    },
  },
} as const;
