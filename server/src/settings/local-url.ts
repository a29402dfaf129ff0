import type { Config } from './config.ts';

/** Where a client on this machine reaches the service, whatever it listens on. */
export function localUrl(config: Config, port: number): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[config.host] ?? config.host;
  return `${config.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
