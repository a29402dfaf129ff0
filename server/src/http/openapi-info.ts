// What the OpenAPI document says beside its routes: the product, the key, the callback.
export const openapiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'MXProof',
    version: '1.0.0',
    description: 'Checks whether e-mail addresses can receive mail.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ key: [] }],
  components: {
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer mx_live_…' },
    },
  },
  webhooks: {
    'list.done': {
      post: {
        operationId: 'listDone',
        summary: 'A list is done',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ListDone' } } },
        },
        responses: { '2XX': { description: 'Taken.' } },
      },
    },
  },
} as const;
