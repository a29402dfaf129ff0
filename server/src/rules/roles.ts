// What members of an account may do, and the least role that a route answers. Promise: a route says it in its declaration, or the
// service does not start (http/check-access.ts).

/** The least first. */
export const ROLES = ['viewer', 'member', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
