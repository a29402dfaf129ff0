// Every route that a service has, as its router prints them.
import type { FastifyInstance } from 'fastify';

export function printedRoutes(app: FastifyInstance): { path: string; methods: string[] }[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^(.*?[├└]── )(\S+) \(([^)]*)\)/.exec(line);
      if (!found) return [];
      above.length = found[1]!.length / 4 - 1;
      // Of two routes with different names for the same part it prints both.
      above.push(found[2]!.replace(/\|:\w+/, ''));
      return [{ path: above.join(''), methods: found[3]!.split(', ') }];
    });
}
