export function isWell(words: readonly string[]): Promise<boolean>;
