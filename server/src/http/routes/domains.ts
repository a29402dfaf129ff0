// GET /domains/{domain}: what DNS says about a domain's mail, and what the account's own checks have found.
// Promise: no mail server is connected to and nothing is charged; what DNS has not told in time is not known.
import {
  type Checker,
  type DisposableOverrides,
  type DomainReport,
  inspectAddress,
  parseAddress,
} from '@mxproof/engine';
import type { FastifyInstance } from 'fastify';
import { EVERY_KEY } from '../../rules/key-access.ts';
import { testDomain } from '../../rules/test-domain.ts';
import { findCatchAll } from '../../store/catch-alls.ts';
import { refuse } from '../errors.ts';
import { inTime } from '../in-time.ts';
import type { WireDomain } from '../openapi/domain-schema.ts';
import { ref } from '../openapi/schemas.ts';
import { reads } from '../read-for.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';

/** A lookup may wait longer for its turn; a later request finds what came of it. */
const LOOKUP_LIMIT_MS = 10_000;
const NOT_KNOWN = { acceptsMail: null, mx: null, provider: null, spf: null, dmarc: null };

/** What looks domains up; on a node that does not check as well. */
export type DomainLookups = Pick<Checker, 'lookUpDomain'>;

type FromDns = Pick<DomainReport, keyof typeof NOT_KNOWN> & { readonly disposable?: boolean };

export function domainRoutes(
  app: FastifyInstance,
  parts: Parts,
  lookups: DomainLookups,
  disposable?: DisposableOverrides,
): void {
  const { db } = parts.context;

  app.get<{ Params: { domain: string } }>(
    '/domains/:domain',
    {
      config: { keys: EVERY_KEY, role: 'viewer', whileSuspended: false },
      schema: {
        operationId: 'getDomain',
        summary: 'Look at a domain',
        description:
          'Its mail hosts, provider, SPF and DMARC from DNS, and whether it accepts every address as far as checks of this account have found. No mail server is asked and nothing is charged; counts 1 in the addresses window. For a test key the first label decides, as the words of test addresses do.',
        params: {
          type: 'object',
          properties: {
            domain: {
              type: 'string',
              format: 'idn-hostname',
              description: 'The domain, in Unicode or ASCII: `example.com`.',
            },
          },
        },
        response: {
          200: response('What can be said about it.', ref('Domain')),
          ...refusals('bad_domain'),
        },
      },
    },
    reads<{ Params: { domain: string } }>(parts, async (request, reply, reading) => {
      const caller = callerOf(request);
      const email = `a@${request.params.domain.trim()}`;
      const parsed = parseAddress(email);
      if (!parsed.ok) return refuse(request, reply, { why: 'bad_domain' });
      const rate = await parts.gate.takeAddresses(caller, 1);
      if (!rate.granted)
        return refuse(request, reply, { why: 'rate_limited', retryAfterMs: rate.retryAfterMs });
      const { domain } = parsed.address;
      const nowSeconds = Math.floor(Date.now() / 1_000);
      if (caller.test) {
        const { catchAll, ...dns } = testDomain(domain);
        const at = catchAll === 'unknown' ? null : nowSeconds;
        return wire(domain, dns, { catch_all: catchAll, catch_all_at: at }, nowSeconds);
      }
      const lookup = lookups.lookUpDomain(domain, caller.accountId);
      const found = await reading.step(() => findCatchAll(db, caller.accountId, domain));
      const own = found
        ? { catch_all: found.isCatchAll ? ('yes' as const) : ('no' as const), catch_all_at: found.atSeconds }
        : { catch_all: 'unknown' as const, catch_all_at: null };
      return wire(domain, (await inTime(lookup, LOOKUP_LIMIT_MS)) ?? NOT_KNOWN, own, nowSeconds);
    }),
  );

  function wire(
    domain: string,
    { acceptsMail, mx, provider, spf, dmarc, disposable: found }: FromDns,
    own: Pick<WireDomain, 'catch_all' | 'catch_all_at'>,
    nowSeconds: number,
  ): WireDomain {
    const listed = inspectAddress(`a@${domain}`, disposable);
    return {
      domain,
      accepts_mail: acceptsMail,
      mx: mx?.map(({ exchange, preference }) => ({ host: exchange, preference })) ?? null,
      provider,
      free: listed.free,
      // DNS may show that a large provider receives its mail.
      disposable: found ?? listed.disposable,
      suggestion: listed.suggestion,
      ...own,
      spf,
      dmarc,
      checked_at: nowSeconds,
    };
  }
}
