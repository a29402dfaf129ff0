// A copy of a substring without its parent: V8 keeps the whole parent string alive as long as a slice of it exists.

/** For what is remembered; whatever characters it has. */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
