// What must always hold, stated where it must. Promise: a broken one fails the test it happens in; in production it is
// logged once for each kind, with where it happened, and work goes on.

/** In the shape of the engine's `LogEvent`. */
export interface BrokenInvariant {
  readonly level: 'error';
  readonly event: 'invariant_broken';
  readonly text: string;
}

/** Set by the tests' setup file. A symbol of the process: the module may be loaded more than once. */
const STRICT = Symbol.for('mxproof.strict');
/** How many kinds are logged at most: a defect whose text varies must not fill the log. */
const LOGGED_MAX = 100;

const logged = new Set<string>();
const logs = new Set<(event: BrokenInvariant) => void>();

/** `what`: one sentence without an address. `where`: evaluated only if it is broken. */
export function invariant(holds: boolean, what: string, where?: () => string): void {
  if (holds) return;
  broken(where === undefined ? what : `${what} (${where()})`, what);
}

/** Reports an invariant that was checked by other means, such as a thrown error. */
export function broken(text: string, kind = text): void {
  if (Reflect.get(globalThis, STRICT) === true) throw new Error(text);
  if (logged.has(kind) || logged.size >= LOGGED_MAX) return;
  logged.add(kind);
  for (const log of logs) log({ level: 'error', event: 'invariant_broken', text });
}

/** Broken invariants are logged there until the returned function is called. */
export function logInvariants(log: (event: BrokenInvariant) => void): () => void {
  logs.add(log);
  return () => logs.delete(log);
}
