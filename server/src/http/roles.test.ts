// What members may do in each role, held against every route that there is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { type Browser, memberWith } from '../../test/members.ts';
import { printedRoutes } from '../../test/printed-routes.ts';
import { ROLES, type Role } from '../rules/roles.ts';

let service: TestService;
const browsers = new Map<Role, Browser>();

beforeAll(async () => {
  service = await startService();
  for (const role of ROLES) browsers.set(role, await memberWith(service, role));
});
afterAll(() => service.close());

/** As the contract has it: nothing here reads what routes declare. */
const MANAGED = /^\/v1\/(keys|webhooks|hooks|members|audit|requests|erase|account\/webhook-secret)\b/;
const ALSO_MANAGED = ['PATCH /v1/account'];
/** What is one's own, whatever the role. */
const OWN = ['/session/switch', '/v1/members/me'];

function isAllowed(role: Role, method: string, path: string): boolean {
  if (role === 'owner' || OWN.includes(path)) return true;
  if (MANAGED.test(path) || ALSO_MANAGED.includes(`${method} ${path}`)) return false;
  return role === 'member' || method === 'GET' || method === 'HEAD';
}

describe.each(ROLES)('a member who is %s', (role) => {
  test('is refused by exactly the routes that the role does not allow', async () => {
    const routes = printedRoutes(service.app).filter(
      ({ path }) =>
        (path.startsWith('/v1/') && path !== '/v1/openapi.json' && path !== '/v1/hooks/:id/:token') ||
        path === '/session/switch',
    );
    expect(routes.length).toBeGreaterThan(25);
    const wrong: string[] = [];
    for (const { path, methods } of routes)
      for (const method of methods) {
        const answer = await browsers.get(role)!.call(method, path.replaceAll(/:\w+/g, '999999'));
        const isRefused = answer.headers['mxproof-error'] === 'role';
        if (isRefused === isAllowed(role, method, path)) wrong.push(`${method} ${path} ${answer.status}`);
        if (isRefused) expect(answer.status).toBe(403);
      }
    expect(wrong).toEqual([]);
  });
});
