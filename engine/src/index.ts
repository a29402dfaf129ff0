// The engine as a library: what the server, the command line and other programs may use.
export type * from './types.ts';
