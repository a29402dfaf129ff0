// What must always hold, stated where it must. Promise: a broken one fails the test it happens in; in production it is
// logged once for each kind, with where it happened, and work goes on.

/** As the engine's log takes it. */
export interface BrokenInvariant {
  readonly level: 'error';
  readonly event: 'invariant_broken';
  readonly text: string;
}

/** Set by the tests' setup file. A symbol of the process: the module may be loaded more than once. */
const STRICT = Symbol.for('mxproof.strict');
/** Kinds that were logged; a defect that shows itself in ever new words is logged so often at most. */
const LOGGED_MAX = 100;

const logged = new Set<string>();
const logs = new Set<(event: BrokenInvariant) => void>();

/** `what`: one sentence without an address. `where`: evaluated only if it is broken. */
export function invariant(holds: boolean, what: string, where?: () => string): void {
  if (holds) return;
  broken(where === undefined ? what : `${what} (${where()})`, what);
}

/** For what was thrown where an invariant is checked by other means. */
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
