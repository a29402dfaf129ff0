// On whose behalf a domain is looked up, and what that may cost. Promise: who joins later joins every question of the
// lookup that waits; a lookup puts a bounded number of questions to servers, whatever the answers say.

import type { Holder } from '../pace/fair-share.ts';
import type { QuestionBudget } from '../ports.ts';

/**
 * A domain's MX and the addresses of 12 exchangers, twice (a denial is asked about once more), aliases that we follow
 * ourselves included: what one address can aim at somebody's name servers.
 */
const QUESTIONS_PER_LOOKUP_MAX = 50;

export class Askers implements QuestionBudget {
  readonly holders: Holder[];
  questionsLeft = QUESTIONS_PER_LOOKUP_MAX;
  /** What it has asked so far. */
  readonly questions: { join(holder: Holder): void }[] = [];

  constructor(holders: readonly Holder[]) {
    this.holders = [...holders];
  }
}
