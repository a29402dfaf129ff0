// The newest PostgreSQL of the included major version that this release knows. Its minor versions come out every three months and repair
// what can lose data or be attacked; npm run release:check fails when the last look is longer ago.

/** As PostgreSQL counts, and the day on which https://www.postgresql.org/support/versioning/ was last compared. */
export const NEWEST_POSTGRES = { version: 180_004, lookedUpOn: '2026-11-19' } as const;
