// When a callback is retried, and which receiver it belongs to.
//
//   pending ──status below 300──▶ delivered
//      │ └──failure, attempts left──▶ pending, again after the delay
//      └────failure, none left─────▶ failed          a resend makes either pending again, with a whole new schedule

/** Seconds to wait after the failed attempt number `made` (1 the first); null: nothing more is sent. */
export function delayAfterFailure(made: number, retrySeconds: readonly number[]): number | null {
  return retrySeconds[made - 1] ?? null;
}

/** An account's receivers are distinguished by host, so that a slow one delays no other. */
export function receiverOf(accountId: number, url: string): string {
  return `${accountId} ${URL.canParse(url) ? new URL(url).host : ''}`;
}

export function isDelivered(status: number): boolean {
  return status < 300;
}
