// Two files of tests run at a time, then those that need the machine to themselves, one after the other.
import { defineConfig, type TestUserConfig } from 'vitest/config';

const AFTERWARDS = [
  // A thousand callbacks must be open at once, and the service gives each ten seconds.
  'server/test/noisy-neighbour.test.ts',
  // A browser, the service and its database fill two cores: two such files at a time are no quicker than one by one.
  'console/test/{console,looks,own-files}.test.ts',
];
const NEVER = ['**/node_modules/**', '**/dist/**'];

const each: TestUserConfig = {
  setupFiles: ['common/test/strict.ts', 'server/test/guard.ts'],
  pool: 'forks',
  // Reached by a defect only: on a busy machine everything takes several times as long.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    // One PostgreSQL for all.
    globalSetup: ['server/test/global-setup.ts'],
    projects: [
      {
        test: {
          ...each,
          name: 'together',
          include: ['{common,engine,server,client,cli,world,bench,fuzz,files,console,scripts}/**/*.test.ts'],
          exclude: [...NEVER, ...AFTERWARDS],
          // By default as many as there are cores but one; most tests wait more than they compute.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...each,
          name: 'alone',
          include: AFTERWARDS,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
