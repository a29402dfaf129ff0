import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{engine,server,client,cli,world,bench,fuzz,files,console,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/test/global-setup.ts'],
    setupFiles: ['server/test/guard.ts'],
    pool: 'forks',
    // By default as many as there are cores but one; these wait more than they compute.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
