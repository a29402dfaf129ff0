// How many connections to PostgreSQL a node has at most. Pure.

/** Of its pool: one node that serves and nine that only check fit into PostgreSQL's 100. */
export const POOL_CONNECTIONS = { http: 16, checksOnly: 7 } as const;
const FOR_NOTIFICATIONS = 1;

/** Of a node that serves. `configured`: MXPROOF_DATABASE_CONNECTIONS. */
export function connectionsOfNode(configured: number | null): number {
  return (configured ?? POOL_CONNECTIONS.http) + FOR_NOTIFICATIONS;
}
