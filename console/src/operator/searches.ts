// What the addresses of the operator's pages say: filters and pages, so that they can be sent to a colleague. What is not understood
// is left out.

type Given = Readonly<Record<string, unknown>>;

const MAX_CHARACTERS = 200;

function numberOf(given: unknown): number | undefined {
  const number = Number(given);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function wordOf<Word extends string>(given: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === given);
}

function textOf(given: unknown): string | undefined {
  return given === undefined || given === '' ? undefined : String(given).slice(0, MAX_CHARACTERS);
}

export interface OverviewSearch {
  readonly hours?: 1 | 168;
}
export const overviewSearch = ({ hours }: Given): OverviewSearch => ({
  hours: ([1, 168] as const).find((each) => each === hours),
});

export interface AccountsSearch {
  readonly q?: string;
  readonly status?: 'active' | 'suspended';
  readonly page?: number;
  /** The dialog for a new one is open. */
  readonly make?: true;
}
export const accountsSearch = ({ q, status, page, make }: Given): AccountsSearch => ({
  q: textOf(q),
  status: wordOf(status, ['active', 'suspended']),
  page: numberOf(page),
  make: make === true || undefined,
});

export interface ListsSearch {
  readonly account?: number;
  readonly status?: 'processing' | 'checking' | 'stuck' | 'done' | 'failed';
  readonly page?: number;
}
export const listsSearch = ({ account, status, page }: Given): ListsSearch => ({
  account: numberOf(account),
  status: wordOf(status, ['processing', 'checking', 'stuck', 'done', 'failed']),
  page: numberOf(page),
});

export interface CallbacksSearch {
  readonly account?: number;
  /** Unset: failed. */
  readonly state?: 'pending' | 'delivered' | 'all';
  readonly page?: number;
}
export const callbacksSearch = ({ account, state, page }: Given): CallbacksSearch => ({
  account: numberOf(account),
  state: wordOf(state, ['pending', 'delivered', 'all']),
  page: numberOf(page),
});

export interface AuditSearch {
  readonly account?: number;
  readonly action?: string;
  readonly actor?: string;
  /** A day, in the reader's own time zone: `2026-11-15`. */
  readonly since?: string;
  readonly page?: number;
}
export const auditSearch = ({ account, action, actor, since, page }: Given): AuditSearch => ({
  account: numberOf(account),
  action: textOf(action),
  actor: textOf(actor),
  since: Number.isNaN(Date.parse(`${since}T00:00`)) ? undefined : String(since),
  page: numberOf(page),
});
