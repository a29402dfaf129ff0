// A reading without turns.
import type { Reading } from '../src/flow/reading-turns.ts';

export const atOnce: Reading = { step: async (work) => work() };

export const sameRows = <Rows>(rows: Rows): Rows => rows;
