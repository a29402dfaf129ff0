// Written by scripts/client-types.ts from openapi.json: change the routes, not this file. snake_case is the wire.

/**
 * The body of every response with status 400 or above.
 */
export interface ErrorBody {
  /**
   * What went wrong, for people. Programs match on the status.
   */
  error: string;
}
/**
 * A list and its progress.
 */
export interface ListSummary {
  /**
   * List identifier.
   */
  id: number;
  /**
   * Name given at submission; empty if none was given.
   */
  name: string;
  /**
   * Results are final once the list is done.
   */
  status: 'processing' | 'checking' | 'done' | 'failed';
  /**
   * Number of unique addresses.
   */
  total: number;
  /**
   * Duplicate addresses dropped at submission; not charged.
   */
  duplicates_removed: number;
  /**
   * Addresses checked so far.
   */
  checked: number;
  counts: {
    /**
     * Can receive mail.
     */
    deliverable: number;
    /**
     * Catch-all domain, role address, throwaway domain or full mailbox.
     */
    risky: number;
    /**
     * Cannot receive mail.
     */
    undeliverable: number;
    /**
     * No answer; refunded when the list finishes.
     */
    unknown: number;
  };
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * Unix seconds; null while the list is unfinished.
   */
  finished_at: number | null;
}
/**
 * The result of a single check.
 */
export interface CheckedAddress {
  /**
   * The address, trimmed and lower-cased.
   */
  email: string;
  /**
   * pending: not yet checked.
   */
  state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown' | 'pending';
  /**
   * Why the state was given; empty while pending.
   */
  reason:
    | 'accepted_email'
    | 'low_deliverability'
    | 'low_quality'
    | 'disposable'
    | 'rejected_email'
    | 'invalid_domain'
    | 'invalid_email'
    | 'unavailable_smtp'
    | 'no_connect'
    | 'dns_error'
    | '';
  /**
   * Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100.
   */
  score: number;
  /**
   * The domain accepts every address. False if not known.
   */
  accept_all: boolean;
  /**
   * A role address, such as info@.
   */
  role: boolean;
  /**
   * The domain is a free mailbox provider.
   */
  free: boolean;
  /**
   * The domain provides throwaway mailboxes.
   */
  disposable: boolean;
  /**
   * The mail exchanger that answered, otherwise the most preferred one; null if there is none.
   */
  mx: string | null;
}
/**
 * One address of a list.
 */
export interface ResultRow {
  /**
   * The address, trimmed and lower-cased.
   */
  email: string;
  /**
   * pending: not yet checked.
   */
  state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown' | 'pending';
  /**
   * Why the state was given; empty while pending.
   */
  reason:
    | 'accepted_email'
    | 'low_deliverability'
    | 'low_quality'
    | 'disposable'
    | 'rejected_email'
    | 'invalid_domain'
    | 'invalid_email'
    | 'unavailable_smtp'
    | 'no_connect'
    | 'dns_error'
    | '';
  /**
   * Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100.
   */
  score: number;
  /**
   * The domain accepts every address. False if not known.
   */
  accept_all: boolean;
  /**
   * A role address, such as info@.
   */
  role: boolean;
  /**
   * The domain is a free mailbox provider.
   */
  free: boolean;
  /**
   * The domain provides throwaway mailboxes.
   */
  disposable: boolean;
  /**
   * The mail exchanger that answered, otherwise the most preferred one; null if there is none.
   */
  mx: string | null;
  /**
   * Who runs the mail exchanger, such as `google`; `other` if not known; empty if there is none.
   */
  provider: string;
}
/**
 * Rows in the order the unique addresses were added.
 */
export interface ResultPage {
  results: ResultRow[];
}
/**
 * The check continues and is charged: read its result, do not post it again.
 */
export interface Pending {
  state: 'pending';
  /**
   * List identifier.
   */
  list_id: number;
}
/**
 * The account of the key.
 */
export interface Account {
  name: string;
  /**
   * Balance.
   */
  credits: number;
  /**
   * Charges minus refunds.
   */
  credits_used: number;
  /**
   * Number of existing lists, including single checks.
   */
  lists: number;
}
export interface Deleted {
  deleted: true;
}
/**
 * Lists, newest first.
 */
export interface ListPage {
  lists: ListSummary[];
}
/**
 * Sent to `callback_url` when the list is done.
 */
export interface ListDone {
  event: 'list.done';
  list: ListSummary;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface VerifyAddressBody {
  /**
   * The address to check.
   */
  email: string;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CreateListBody {
  /**
   * Trimmed and lower-cased; blanks are ignored, duplicates dropped and not charged. At most 100000 may remain.
   */
  emails: string[];
  /**
   * A name to recognize the list by.
   */
  name?: string;
  /**
   * Where `list.done` is sent. Must not contain a user name or password.
   */
  callback_url?: string;
}
/**
 * Query of: List all lists, newest first.
 */
export interface GetListsQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  status?: 'processing' | 'checking' | 'done' | 'failed';
  /**
   * Include single checks.
   */
  single?: boolean;
}
/**
 * Query of: Read the results of a list.
 */
export interface GetResultsQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  format?: 'json' | 'csv';
}
export interface IsAliveAnswer200 {
  status: 'ok';
}
export interface IsReadyAnswer200 {
  status: 'ok';
}
