// What the OpenAPI document says about a route beyond the route's own words: its group, and samples of how to call it.
import type { FastifySchema } from 'fastify';
import { codeSamples } from './code-samples.ts';

/** In the order of the page. The first that fits. */
const GROUPS: readonly (readonly [group: string, paths: RegExp, description: string])[] = [
  [
    'Single checks',
    /^\/v1\/(verify|suggest|domains|reply)\b/,
    'One address at a time, and what needs no mail server.',
  ],
  ['Lists', /^\/v1\/(lists|groups)\b/, 'Many addresses: submit, follow, read, repeat.'],
  [
    'Outcomes',
    /^\/v1\/(outcomes|accuracy|suppressions)\b/,
    'What became of your mail, and what follows of it.',
  ],
  [
    'Account',
    /^\/v1\/(account|keys|members|callbacks|webhooks|requests|audit|erase)\b/,
    'Credits, keys, members, callbacks, webhook endpoints, the request log, the audit trail and the erasure of an address.',
  ],
  ['Service', /^\//, 'Health, whether addresses are checked, and the sign-in of browsers.'],
];

export const tags = GROUPS.map(([name, , description]) => ({ name, description }));

type DescribedSchema = FastifySchema & { operationId?: string; hide?: boolean; tags?: string[] };

export function describeRoute<Route extends { schema: FastifySchema; url: string }>({
  schema,
  url,
}: Route): { schema: FastifySchema; url: string } {
  const own = schema as DescribedSchema | undefined;
  if (!own || own.hide) return { schema, url };
  // Operators have a document of their own.
  if (/^\/(?:admin|operator)\//.test(url)) return { schema: { ...own, hide: true } as never, url };
  const group = GROUPS.find(([, paths]) => paths.test(url))!;
  const samples = codeSamples(own.operationId ?? '');
  return { schema: { ...own, tags: [group[0]], ...(samples && { 'x-codeSamples': samples }) } as never, url };
}
