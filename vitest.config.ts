import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{engine,server,client,cli,world,bench,fuzz,files,console,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/test/global-setup.ts'],
    setupFiles: ['server/test/guard.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
