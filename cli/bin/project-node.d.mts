export function projectNode(): string | null;
export const NODE_FLAGS: readonly string[];
export const NODE_ENVIRONMENT: Readonly<Record<string, string>>;
export const NO_NODE: string;
export const OLDEST_NODE: string;
