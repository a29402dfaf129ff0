// Free mailbox providers, by domain.
export function isFree(domain: string): boolean {
  return domain === 'gmail.com';
}
