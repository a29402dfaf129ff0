// `npm test` runs the units, what needs a database or sockets, and what needs the machine to itself; `npm run test:more` what is
// long or needs a rare set-up. CI runs both.
import { defineConfig, type TestUserConfig } from 'vitest/config';
import { ALL, ALONE, EACH, MORE, MORE_ALONE, NEVER, UNIT, UNITS, WORKERS } from './vitest.files.ts';

/** One after the other, in this order. */
const PROJECTS: readonly TestUserConfig[] = [
  { ...UNIT, name: 'units', include: UNITS, exclude: NEVER, maxWorkers: WORKERS },
  {
    ...EACH,
    name: 'together',
    include: ALL,
    exclude: [...NEVER, ...UNITS, ...ALONE, ...MORE, ...MORE_ALONE],
    maxWorkers: WORKERS,
  },
  { ...EACH, name: 'alone', include: ALONE, exclude: NEVER, maxWorkers: 1 },
  { ...EACH, name: 'more', include: MORE, exclude: NEVER, maxWorkers: WORKERS },
  { ...EACH, name: 'more-alone', include: MORE_ALONE, exclude: NEVER, maxWorkers: 1 },
];

export default defineConfig({
  test: {
    // One PostgreSQL for all.
    globalSetup: ['server/test/global-setup.ts'],
    projects: PROJECTS.map((test, place) => ({ test: { ...test, sequence: { groupOrder: place } } })),
  },
});
