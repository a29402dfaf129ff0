// What the OpenAPI document says beside its routes: the product, the key, the callback.
const DESCRIPTION = `Checks whether e-mail addresses can receive mail, by asking their mail servers, without sending a message.

One address: \`POST /v1/verify\`. Many: \`POST /v1/lists\`, then \`GET /v1/lists/{id}\` until its status is \`done\`, or the \`list.done\` callback, then \`GET /v1/lists/{id}/results\` page by page.

Key: every request carries \`Authorization: Bearer mx_live_…\`; this page, \`/v1/openapi.json\`, \`/healthz\` and \`/readyz\` need none.

States and their reasons: \`deliverable\` \`accepted_email\`; \`risky\` \`low_deliverability\` (the domain takes every address, or that could not be learnt, or the mailbox is full), \`low_quality\` (a role address), \`disposable\`; \`undeliverable\` \`rejected_email\`, \`invalid_domain\`, \`invalid_email\`; \`unknown\` \`unavailable_smtp\`, \`no_connect\`, \`dns_error\`.

Credits: one for each unique address, taken at submission; results in state \`unknown\` are refunded when the list finishes.

Errors: every answer of 400 and above is \`{"error": "…"}\`. Programs look at the status. What is wrong is said in this order: key, requests window, the request itself, addresses window, credits. A refused request takes no credit and creates nothing.

Rates: two rolling windows of 60 seconds for each key. An accepted \`POST /v1/lists\` costs its unique addresses in the addresses window; every other request that is not itself answered 429 costs 1 in the requests window.

Bodies are JSON in UTF-8 whatever their content type, at most 64 MiB, not compressed.

Repeats: with an \`Idempotency-Key\` the same key and body within 24 hours give the first answer again, charged once.`;

const text = (description: string, examples: string[]) => ({
  description,
  in: 'header',
  required: true,
  schema: { type: 'string', examples },
});

export const openapiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'MXProof',
    version: '1.0.0',
    description: DESCRIPTION,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The service this document came from.' }],
  security: [{ key: [] }],
  components: {
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer mx_live_…`' },
    },
  },
  webhooks: {
    'list.done': {
      post: {
        operationId: 'listDone',
        summary: 'A list is done',
        description:
          'Sent to the list’s `callback_url`. Compute HMAC-SHA256 of the raw body with the webhook secret, compare in constant time, answer 401 where it differs. Any status below 300 within 10 seconds is success; otherwise it is sent again after 30 seconds and once more after 5 minutes, the same bytes each time. Be ready for the same list twice.',
        security: [],
        parameters: [
          {
            name: 'X-MX-Signature',
            ...text('Lowercase hexadecimal HMAC-SHA256 of the body.', ['9f86d081…']),
          },
          { name: 'User-Agent', ...text('Who calls.', ['MXProof-Webhook/1']) },
          { name: 'webhook-id', ...text('Standard Webhooks: the same in every attempt.', ['list.done.17']) },
          {
            name: 'webhook-timestamp',
            ...text('Standard Webhooks: Unix seconds of the attempt.', ['1763000000']),
          },
          {
            name: 'webhook-signature',
            ...text('Standard Webhooks: `v1,` and base64.', [
              'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
            ]),
          },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ListDone' } } },
        },
        responses: { '2XX': { description: 'Taken.' } },
      },
    },
  },
} as const;
