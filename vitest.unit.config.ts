// `npm run test:unit`: without a database or a network.
import { defineConfig } from 'vitest/config';
import { NEVER, UNIT, UNITS } from './vitest.files.ts';

export default defineConfig({ test: { ...UNIT, include: UNITS, exclude: NEVER } });
