// bench/results/blocked.json: what other verifiers said to the published replies, in their own words, kept so that the page
// can be written again without them.
import { readFileSync, writeFileSync } from 'node:fs';

export interface PeerAnswers {
  readonly name: string;
  readonly version: string;
  /** By the id of the reply. */
  readonly said: Readonly<Record<string, string>>;
}

export interface KeptAnswers {
  readonly date: string;
  readonly peers: readonly PeerAnswers[];
}

const FILE = new URL('../results/blocked.json', import.meta.url);

export const readAnswers = () => JSON.parse(readFileSync(FILE, 'utf8')) as KeptAnswers;

export const keepAnswers = (answers: KeptAnswers) =>
  writeFileSync(FILE, `${JSON.stringify(answers, null, 2)}\n`);
