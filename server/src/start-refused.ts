// An expected reason not to start or not to go on, told to the operator in one sentence.
// Promise: whoever runs a command prints `message` alone, without a stack.

export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
