// Front door: the addresses of a table, each once, in lists of the size that the service takes.
export { MAX_LIST_ADDRESSES, splitAddresses } from './split-addresses.ts';
export { UniqueAddresses } from './unique-addresses.ts';
