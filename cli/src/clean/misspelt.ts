// Addresses at misspelt domains, counted by domain as rows of results come.
import type { ResultRow } from '@mxproof/client';
import { atDomain, domainText } from '@mxproof/files/address-text';
import { plain } from '../shared/print.ts';
import { counted, grouped } from './clean-progress.ts';

/** In a sentence. */
const NAMED = 3;

/** Null: nothing else is meant, mail arrives as it is, or it was not checked. */
export function meantBy({ email, state, suggestion }: ResultRow): string | null {
  if (suggestion == null || state === 'deliverable' || state === 'pending') return null;
  return atDomain(email, suggestion);
}

export class MisspeltDomains {
  readonly #counts = new Map<string, number>();
  readonly #suggestions = new Map<string, string>();

  add(row: ResultRow): void {
    if (meantBy(row) === null) return;
    const domain = domainText(row.email);
    this.#counts.set(domain, (this.#counts.get(domain) ?? 0) + 1);
    this.#suggestions.set(domain, row.suggestion!);
  }

  /** The commonest named, and how to have them checked; empty where there are none. */
  sentence(lists: readonly number[]): string {
    const common = [...this.#counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    if (common.length === 0) return '';
    const total = common.reduce((sum, [, count]) => sum + count, 0);
    const named = common
      .slice(0, NAMED)
      .map(([domain, count]) => `${plain(domain)} → ${this.#suggestions.get(domain)} (${grouped(count)})`);
    if (common.length > NAMED) named.push(`${grouped(common.length - NAMED)} more`);
    const commands = lists.map((id) => `"mxproof list correct ${id}"`).join(', ');
    return `${counted(total, 'address', 'addresses')} with a misspelt domain: ${named.join(', ')}. To check them as they were meant, run ${commands}, then this command again\n`;
  }
}
