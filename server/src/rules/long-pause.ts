// How long a list may be paused.

/** Then it ends as if it were cancelled: what it holds of an account's credits does not lie there for ever. */
export const MAX_PAUSE_DAYS = 30;
