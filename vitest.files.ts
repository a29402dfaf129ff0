// Which test runs in which of vitest's projects.
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { TestUserConfig } from 'vitest/config';

const cwd = import.meta.dirname;
export const NEVER = ['**/node_modules/**', '**/dist/**'];
export const ALL = [
  '{common,engine,server,client,cli,mcp,world,bench,fuzz,files,console,scripts}/**/*.test.ts',
];

/** They need neither a database nor a network (what decides, and the engine in simulated time), and can share a thread. */
export const UNITS = globSync(
  [
    '{common,engine,server,cli,mcp,bench,files,console}/src/**/*.test.ts',
    'client/src/{refusals,verify-callback,verify-webhook,transport/backoff,transport/sse}.test.ts',
    'engine/test/checker-*.test.ts',
    'server/test/spf-oracle.test.ts',
    'scripts/{check-docs,check-imports,engines,image,kubernetes,outbound,workflows}.test.ts',
    'scripts/release/*.test.ts',
  ],
  {
    cwd,
    exclude: [
      // They open sockets on loopback.
      'engine/src/dns/{name-server,udp-socket,wire-resolver}.test.ts',
      'engine/src/helo.test.ts',
      'engine/src/smtp/wire/net-connect.test.ts',
      'server/src/features/doctor/{dns-checks,source-greeting}.test.ts',
      // Cuts every dialogue at every byte.
      'engine/test/checker-cut.test.ts',
      // Counts the steps of hundreds of files.
      'files/src/linear.test.ts',
      // They need a database.
      'mcp/src/mcp.test.ts',
      'server/src/{callback,embedded,flow,http,store,worker}/**',
      'server/src/features/{admin,audit,erasure,requests,rotation,sign-in,webhooks}/**',
      'server/src/features/mail/{member-mail,start-mail}.test.ts',
      'server/src/features/outcomes/{hook-routes,outcomes}.test.ts',
      'server/src/features/without-features.test.ts',
      'server/src/features/alerts/{send-alert,start-alerts}.test.ts',
      'server/src/features/backup/{backup,before-upgrade,encrypted-backup,folder-of-another,nightly-backup,backup-hook,reapply,revoked-keys}.test.ts',
      'server/src/features/sources/{health-report,keep-health,recipient-limits,routes,stored-permits,stored-warm-ups}.test.ts',
      'server/src/start/{healthcheck,probes}.test.ts',
      'server/src/features/metrics/{listener,stored-state}.test.ts',
      'server/src/features/doctor/{database-checks,daily-doctor,embedded-doctor}.test.ts',
      'cli/src/**/{account-life,account-link,admin-keys,audit,audited-commands,audited-facts,broken-console,check,clean,clean-suppressed,commands,cut-off,demo,doctor,erase,evaluate,exit-status,explain,first-key,guides,hostile-service,import,listen,lists,llms-text,login,own-outcomes,requests,serve,sources,told-by-mail,webhooks}.test.ts',
    ],
  },
);

/** Mail servers, packages, nodes in processes of their own, every block of the guides, every route
 * without a key, every page in both themes: minutes, for what seldom breaks. */
export const MORE = [
  'engine/test/{hostile-dns,no-bytes-stop-the-loop,checker-cut,linear-bounces}.test.ts',
  'world/src/{random-worlds,random-dialogues,vague-hosts}.test.ts',
  'files/src/linear.test.ts',
  'fuzz/**/*.test.ts',
  'server/test/{admin-walk,alert-mail,own-postgres}.test.ts',
  'server/src/worker/{chaos,list-poller}.test.ts',
  'server/src/features/{without-features,backup/before-upgrade}.test.ts',
  'cli/src/**/{account-link,demo,erase,first-key,guides,serve}.test.ts',
  'server/src/features/doctor/embedded-doctor.test.ts',
  'server/src/http/strangers.test.ts',
  'server/src/http/docs/docs-page.test.ts',
  'server/src/embedded/{group-permissions,start-embedded,recovery}.test.ts',
  'scripts/{pack,pack-client}.test.ts',
];

/** Failovers, poolers, proxies and broken machines, nodes of two versions, what mail servers can be
 * configured to say, and every page of the console in three sizes and two themes: `npm run test:long`, which a release runs. */
export const LONG = [
  'server/test/faults/*.test.ts',
  'server/test/{admin-walk,failover,patroni,point-in-time,poolers-and-tls,prometheus,proxies,socks}.test.ts',
  'engine/test/mail-server-configurations.test.ts',
  'scripts/side-by-side.test.ts',
  'console/test/looks.test.ts',
];

/** The specification's tests of the HTTP interface, which hold for a service without any feature, too. */
export const WITHOUT_FEATURES = [
  'server/src/http/{evidence,filtered-results,forwarded,happy-paths,idempotency,include,list-progress,odd-http,rate,unexpected-body}.test.ts',
  'server/src/http/routes/*.test.ts',
];

/** A browser, the service and its database fill two cores: two such files at a time are no quicker than one by one. */
export const BROWSERS = ['console/test/console.test.ts'];
export const MORE_BROWSERS = [
  'console/test/{console-more,console-openid,console-operator,console-people,own-files}.test.ts',
];
/** A thousand callbacks must be open at once, and the service gives each ten seconds; real mail servers count connections by
 * the second, and the engine's time runs five times as fast as theirs. */
export const ALONE = ['server/test/noisy-neighbour.test.ts', 'engine/test/mail-servers.test.ts'];

/** Most tests wait more than they compute. */
export const WORKERS = availableParallelism() + 1;

export const EACH = {
  setupFiles: ['common/test/strict.ts', 'server/test/guard.ts'],
  pool: 'forks',
  // Reached by a defect only: on a busy machine everything takes several times as long.
  testTimeout: 180_000,
  hookTimeout: 180_000,
} as const satisfies TestUserConfig;

export const UNIT = {
  setupFiles: ['common/test/strict.ts'],
  pool: 'threads',
  isolate: false,
  testTimeout: 180_000,
} as const satisfies TestUserConfig;
