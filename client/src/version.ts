// Written by scripts/client-types.ts from package.json.
export const VERSION = '0.3.0';
