// The file a list was made of, as its client tells it: the service never sees the file.

/** How many of what, besides the name. */
export const FILE_COUNTS = ['rows', 'addresses', 'invalid', 'duplicates', 'corrected'] as const;

export interface ListFile extends Readonly<Record<(typeof FILE_COUNTS)[number], number>> {
  readonly name: string;
}

export function storedFile(file: ListFile): string {
  return JSON.stringify(file);
}

/** What is not JSON is as if nothing were said: it keeps no list from being read. */
export function fileOf(stored: string | null): ListFile | null {
  try {
    const file: unknown = stored === null ? null : JSON.parse(stored);
    return typeof file === 'object' ? (file as ListFile | null) : null;
  } catch {
    return null;
  }
}
