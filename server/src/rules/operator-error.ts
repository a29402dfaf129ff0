// An expected failure that the operator can fix: wrong settings, a port in use, a missing account.
// Promise: the command line prints `message`, one sentence, without a stack.

export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
