// One row of a reply table: a wording, what it means, and the real reply it was learned from (with made-up addresses,
// hosts and numbers; a composed row says so). Tables are read from the top; the first row that matches decides.
import type { RefusalKind } from '../ports.ts';
import type { Clarity, Meaning } from '../types.ts';
import type { GoneKind } from './patterns/gone-kinds.ts';

/** A regular expression, or several that are one to the reader. */
export type ReplyPattern = Pick<RegExp, 'source' | 'test'>;

export interface ReplyRow {
  /**
   * Matched against the reply's words as replyWords() writes them: lower case, accents folded, one blank between
   * words, no status codes, and MAIL, HOST, IP, URL where the reply named one, so that no rule can be tricked by
   * an address such as <user.unknown@quota.example>. Linear: no unbounded repetition inside another.
   */
  readonly match: ReplyPattern;
  readonly means: Meaning;
  /** What it means in a 4xx, where that is something else. */
  readonly deferred?: Meaning;
  /** Unset: plain. */
  readonly clarity?: Exclude<Clarity, 'plain'>;
  /**
   * The word for it, where the meaning's own is not exact: how a mailbox is gone, or `unclear` for a refusal that is the
   * recipient's own choice and not about us. Unset: the topic's, else what the words say (patterns/gone-kinds.ts).
   */
  readonly detail?: GoneKind | 'unclear';
  /** Of a row about us: what we are refused for (refusal-kind.ts). Unset: we are listed. */
  readonly kind?: Exclude<RefusalKind, 'rate'>;
  readonly seen: string;
  /** No public reply was at hand for this wording: `seen` is composed in the language's usual words. */
  readonly composed?: true;
  /** `links`: matched against the URLs and host names instead, where a block list's name is evidence. */
  readonly in?: 'links';
}

/** Rows of one provider's servers, tried before the general ones. */
export interface ProviderReplyRow extends ReplyRow {
  readonly provider: string;
}
