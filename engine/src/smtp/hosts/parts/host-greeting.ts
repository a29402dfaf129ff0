// How one mail host is to be greeted: EHLO or HELO, with TLS or in clear. Pure: time as an argument.
// Promise: TLS is left out for a few minutes after a handshake has failed; HELO replaces EHLO only where the host hung
// up on EHLO twice in a row, and never where it wants TLS, which only EHLO leads to.

const NO_TLS_MS = 10 * 60_000;
/** Some very old servers hang up on EHLO always, any server may once. */
const EHLO_DROPS_TELLING = 2;

export class HostGreeting {
  #noTlsUntilMs = 0;
  #demandsTls = false;
  #heloOnly = false;
  #ehloDropsInARow = 0;

  mayTls(nowMs: number): boolean {
    return this.#noTlsUntilMs <= nowMs;
  }

  /** It would take nothing in clear: STARTTLS is sent whether it is offered or not. */
  get demandsTls(): boolean {
    return this.#demandsTls;
  }

  get heloOnly(): boolean {
    return this.#heloOnly;
  }

  handshakeFailed(nowMs: number): void {
    this.#noTlsUntilMs = nowMs + NO_TLS_MS;
  }

  hungUpOnEhlo(): void {
    this.#ehloDropsInARow += 1;
    if (this.#ehloDropsInARow >= EHLO_DROPS_TELLING) this.#heloOnly = true;
  }

  /** A session came as far as MAIL. `mailWantsTls`: MAIL was refused for want of TLS. */
  worked(mailWantsTls: boolean): void {
    if (!this.#heloOnly) this.#ehloDropsInARow = 0;
    // Without EHLO there is no STARTTLS: what it wants now it must have offered once.
    else if (mailWantsTls) this.#heloOnly = false;
  }

  demandedTls(): void {
    this.#demandsTls = true;
  }
}
