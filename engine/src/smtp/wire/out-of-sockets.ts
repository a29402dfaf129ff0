// Errors by which this machine says that it has no more sockets. They say nothing about whom it wanted to connect to.

const NO_SOCKETS: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

export function isOutOfSockets(error: string | null): boolean {
  return error !== null && NO_SOCKETS.has(error);
}
