// Exit statuses that tell a script what to do next. The table for people is in docs/guide/command-line.md.

import { OperatorError } from '@mxproof/server/operator-error';

export const EXIT = {
  ok: 0,
  /** Something could not be done; for `check`: an address is not deliverable. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
  /** The service cannot be reached or is busy: the same call may succeed later. */
  unavailable: 3,
  /** No API key, or one that the service refuses. */
  notAllowed: 4,
  shortOfCredits: 5,
  /** Ctrl-C, as shells report it. */
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure whose exit status says more than "failed". */
export class StatusError extends OperatorError {
  readonly status: ExitStatus;

  constructor(status: ExitStatus, message: string) {
    super(message);
    this.status = status;
  }
}
