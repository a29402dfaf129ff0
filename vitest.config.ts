// `npm test` runs the units, what needs a database or sockets, and a browser; `npm run test:more` what is long, needs a rare
// set-up or the machine to itself. CI runs both; `npm run test:long`, what a release runs besides.
import { defineConfig, type TestUserConfig } from 'vitest/config';
import {
  ALL,
  ALONE,
  BROWSERS,
  EACH,
  LONG,
  MORE,
  MORE_BROWSERS,
  NEVER,
  UNIT,
  UNITS,
  WITHOUT_FEATURES,
  WORKERS,
} from './vitest.files.ts';

/** One after the other, in this order. */
const PROJECTS: readonly TestUserConfig[] = [
  { ...UNIT, name: 'units', include: UNITS, exclude: NEVER, maxWorkers: WORKERS },
  {
    ...EACH,
    name: 'together',
    include: ALL,
    exclude: [...NEVER, ...UNITS, ...BROWSERS, ...MORE, ...MORE_BROWSERS, ...ALONE, ...LONG],
    maxWorkers: WORKERS,
  },
  { ...EACH, name: 'browsers', include: BROWSERS, exclude: NEVER, maxWorkers: 1 },
  { ...EACH, name: 'more', include: MORE, exclude: NEVER, maxWorkers: WORKERS },
  {
    ...EACH,
    name: 'without-features',
    include: WITHOUT_FEATURES,
    exclude: NEVER,
    env: { MXPROOF_WITHOUT_FEATURES: '1' },
    maxWorkers: WORKERS,
  },
  { ...EACH, name: 'more-browsers', include: MORE_BROWSERS, exclude: NEVER, maxWorkers: 1 },
  { ...EACH, name: 'long', include: LONG, exclude: NEVER, maxWorkers: 1 },
  { ...EACH, name: 'alone', include: ALONE, exclude: NEVER, maxWorkers: 1 },
];

export default defineConfig({
  test: {
    // One PostgreSQL for all.
    globalSetup: ['server/test/global-setup.ts'],
    projects: PROJECTS.map((test, place) => ({ test: { ...test, sequence: { groupOrder: place } } })),
  },
});
