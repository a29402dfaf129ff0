// Tests that need neither a database nor a network: what decides, and the engine in simulated time.
import { defineConfig } from 'vitest/config';

/** They open sockets on loopback. */
const NETWORK = [
  'engine/src/dns/{name-server,udp-socket,wire-resolver}.test.ts',
  'engine/src/helo.test.ts',
  'engine/src/smtp/wire/net-connect.test.ts',
];

export default defineConfig({
  test: {
    include: [
      '{common,engine,server,cli,bench,files,console}/src/**/*.test.ts',
      'client/src/{refusals,verify-callback,transport/backoff,transport/sse}.test.ts',
      'engine/test/checker-*.test.ts',
      'scripts/check-imports.test.ts',
    ],
    exclude: [
      '**/node_modules/**',
      ...NETWORK,
      // Cuts every dialogue at every byte: with `npm test`, as the fuzzer's corpus.
      'engine/test/checker-cut.test.ts',
      'server/src/{callback,flow,http,store,worker}/**',
      'cli/src/{broken-page,check,clean,commands,demo,exit-status,explain,guides,listen,lists,login,serve}.test.ts',
    ],
    setupFiles: ['common/test/strict.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
  },
});
