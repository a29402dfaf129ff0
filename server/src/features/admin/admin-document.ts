// What the second OpenAPI document says besides its routes.
import type { FastifySchema } from 'fastify';
import type { Documented } from '../../http/docs/docs-page.ts';
import { ALL_ERROR_CODES } from '../../http/errors.ts';
import { OPERATOR_SESSION } from '../operator/sign-in-link.ts';

const DESCRIPTION = `What the operator of a deployment does: accounts, credits, keys, lists under way, sources, nodes, the audit trail. It is not for customers: nothing under \`/v1\` mentions it.

Authentication: \`Authorization: Bearer mx_admin_…\`, a key that \`mxproof admin key create --scope read|write\` makes. A key of scope \`read\` may GET, one of scope \`write\` everything. The pages at \`/operator\` come with a session instead. Without either, every path is answered 401 \`missing or invalid admin key\`.

Errors are those of the API: \`{"error": "…"}\`, with a code in the header \`MXProof-Error\`. What a request asks for is done whole or not at all.

Idempotency: every POST takes an \`Idempotency-Key\`. The same key and body within 24 hours get the first answer again, secrets included, with \`Idempotent-Replayed: true\`; refusals are not remembered.

Rate limit: a rolling window of 60 seconds of its own for each key and session, of as many requests as \`MXPROOF_RATE_REQUESTS\` says.

Audit: everything that changes something is one row in the audit trail, in the same transaction.`;

/** In the order of the page. The first that fits. */
const GROUPS: readonly (readonly [group: string, paths: RegExp, description: string])[] = [
  ['Accounts', /^\/admin\/v1\/accounts\b/, 'Found, opened, changed, credited, suspended, deleted.'],
  ['Lists and callbacks', /^\/admin\/v1\/(?:lists|callbacks)\b/, 'Of all accounts, without an address.'],
  ['Deployment', /^\/admin\/v1\/(?:overview|nodes|sources|doctor|ledger)\b/, 'How it runs, and is it right.'],
  ['Audit', /^\/admin\/v1\/audit\b/, 'Who did what.'],
  ['Sign-in', /^\/operator\b/, 'Of the operator’s own pages.'],
];

export const adminInfo = {
  openapi: '3.1.0',
  info: {
    title: 'MXProof for operators',
    version: '1.0.0',
    description: DESCRIPTION,
    contact: { name: 'MXProof', url: 'https://github.com/mxproof/mxproof' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The service that served this document.' }],
  security: [{ adminKey: [] }, { operator: [], operatorProof: [] }],
  tags: GROUPS.map(([name, , description]) => ({ name, description })),
  components: {
    securitySchemes: {
      adminKey: { type: 'http', scheme: 'bearer', description: 'A key `mx_admin_…`.' },
      operator: {
        type: 'apiKey',
        in: 'cookie',
        name: 'mxproof_operator',
        description: 'An operator’s browser.',
      },
      operatorProof: {
        type: 'apiKey',
        in: 'header',
        name: 'MXProof-Operator-Proof',
        description: 'What the page keeps in its storage, beside the cookie.',
      },
    },
  },
};

/** Not linked from the API's page: it is not for customers. */
export const OPERATOR_DOCS: Documented = {
  title: 'MXProof for operators',
  document: '/admin/v1/openapi.json',
  asText: '<a href="/operator">the operator’s pages</a>',
  home: { path: '/operator', name: 'Operator' },
  session: OPERATOR_SESSION,
  who: '/operator/session',
};

type Described = FastifySchema & { readonly hide?: boolean };

export function tagged<Route extends { schema: FastifySchema; url: string }>({
  schema,
  url,
}: Route): { schema: FastifySchema; url: string } {
  const own = schema as Described | undefined;
  if (!own || own.hide) return { schema, url };
  const [group] = GROUPS.find(([, paths]) => paths.test(url))!;
  return { schema: { ...own, tags: [group] } as never, url };
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}

/** With the codes that operators alone are told, which the API's document leaves out. */
export function withAllCodes<Given extends object>(document: Given): Given {
  const { components } = document as Document;
  const { ErrorCode, ...schemas } = components?.schemas ?? {};
  return {
    ...document,
    components: {
      ...components,
      schemas: { ErrorCode: { ...ErrorCode, enum: ALL_ERROR_CODES }, ...schemas },
    },
  };
}
