/** Ids go into paths: only what the service gives out. @throws TypeError */
export function pathId(what: string, id: number): number {
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new TypeError(`${what} is a positive integer, not ${String(id)}.`);
}
