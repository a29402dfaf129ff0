// A resolver whose answers are told to an observer. Promise: it answers as the resolver itself does; what servers are asked to
// prove themselves (dns-guard.ts) and what no verdict rests on (TXT) is not told.
import type { DnsAnswer, DnsObserver, Resolver } from '../ports.ts';
import type { Clock } from '../types.ts';

export function observeResolver(resolver: Resolver, observer: DnsObserver, clock: Clock): Resolver {
  const observed =
    <Question extends unknown[], Row>(
      type: Parameters<DnsObserver['answered']>[0],
      ask: (...question: Question) => Promise<DnsAnswer<Row>>,
    ) =>
    async (...question: Question): Promise<DnsAnswer<Row>> => {
      const askedAtMs = clock.now();
      const answer = await ask(...question);
      observer.answered(type, answer.kind, clock.now() - askedAtMs);
      return answer;
    };
  return {
    mx: observed('mx', (...question) => resolver.mx(...question)),
    a: observed('a', (...question) => resolver.a(...question)),
    aaaa: observed('aaaa', (...question) => resolver.aaaa(...question)),
    ...(resolver.txt === undefined ? {} : { txt: resolver.txt }),
    ...(resolver.servers === undefined ? {} : { servers: resolver.servers }),
  };
}
