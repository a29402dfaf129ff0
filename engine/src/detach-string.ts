// A text without the longer one it was cut from: V8 keeps the whole of that for as long as a piece of it is kept.

/** For what is remembered; whatever characters it has. */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
