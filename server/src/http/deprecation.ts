// What the interface will lose. It is declared once, in the schema of the route or query parameter, and told from there: in the
// document, in the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), and in MXProof-Warning, which the clients show.
// Promise: what is deprecated is answered as before, at least until its sunset, which is a year away or more.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { warn } from './warn-of-unknown.ts';

const MIN_NOTICE_YEARS = 1;
const POLICY = 'https://github.com/mxproof/mxproof/blob/main/docs/guide/compatibility.md';
const DECLARED = 'x-deprecation';

export interface Deprecation {
  /** Dates, such as `2027-03-01`: midnight UTC. */
  readonly since: string;
  readonly sunset: string;
  /** What to use from now on: ends the sentence "use …". */
  readonly instead: string;
}

interface Declared {
  readonly [DECLARED]?: Deprecation;
}

/** To be spread into the schema of a route behind the key, or of one of its query parameters. */
export function deprecated(own: Deprecation): {
  readonly deprecated: true;
  readonly [DECLARED]: Deprecation;
} {
  const earliest = new Date(own.since);
  earliest.setUTCFullYear(earliest.getUTCFullYear() + MIN_NOTICE_YEARS);
  if (!(new Date(own.sunset) >= earliest))
    throw new Error(`deprecated since ${own.since}, with a sunset on ${own.sunset}: that is too early`);
  return { deprecated: true, [DECLARED]: own };
}

/** Refusals tell it as well. */
export function announceDeprecations(v1: FastifyInstance): void {
  v1.addHook('preHandler', async (request, reply) => {
    const found = deprecationsIn(request);
    if (found.length === 0) return;
    const earliest = (times: string[]) => new Date(times.sort()[0]!);
    const since = earliest(found.map(([, own]) => own.since));
    const sunset = earliest(found.map(([, own]) => own.sunset));
    reply.headers({
      deprecation: `@${since.getTime() / 1_000}`,
      sunset: sunset.toUTCString(),
      link: `<${POLICY}>; rel="deprecation"; type="text/html"`,
    });
    for (const [what, own] of found)
      warn(reply, `deprecated: ${what} may go on ${own.sunset}; use ${own.instead}`);
  });
}

function deprecationsIn({ method, query, routeOptions }: FastifyRequest): [string, Deprecation][] {
  const { querystring, ...route } = (routeOptions.schema ?? {}) as Declared & {
    readonly querystring?: { readonly properties?: Readonly<Record<string, Declared>> };
  };
  const parts = Object.keys(query as object).map(
    (name) => [`parameter ${name}`, querystring?.properties?.[name]] as const,
  );
  return [[`${method} ${routeOptions.url}`, route] as const, ...parts].flatMap(([what, part]) =>
    part?.[DECLARED] ? [[what, part[DECLARED]]] : [],
  );
}

const HEADERS = {
  Deprecation: {
    description: 'Since when what was asked for is deprecated: `@` and Unix seconds (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
  },
  Sunset: { description: 'When it may go (RFC 8594).', schema: { type: 'string' } },
};

interface Described {
  deprecated?: boolean;
  schema?: object;
  parameters?: Described[];
  responses: Record<string, { headers?: Record<string, object> }>;
}

/** What the generator leaves in a parameter's schema belongs to the parameter; answers that may announce get the headers. */
export function describeDeprecations<Document extends { paths?: object | undefined }>(
  document: Document,
): Document {
  for (const path of Object.values(document.paths ?? {}))
    for (const operation of Object.values<Described>(path)) {
      const old = (operation.parameters ?? []).filter(({ schema }) => schema && 'deprecated' in schema);
      for (const parameter of old) parameter.deprecated = true;
      if (!operation.deprecated && old.length === 0) continue;
      for (const response of Object.values(operation.responses))
        response.headers = { ...response.headers, ...HEADERS };
    }
  return document;
}
