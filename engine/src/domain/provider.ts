// Who runs an exchanger, by the end of its name.
export function providerOf(exchange: string): string {
  return exchange.endsWith('.google.com') ? 'google' : 'other';
}

export function isLargeProvider(provider: string): boolean {
  return provider === 'google';
}
