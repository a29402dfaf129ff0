// What a source is known by, in the store and to people: its address, or `host:port` of its proxy; null: the machine's own.
import type { ConnectTarget } from '../../ports.ts';
import type { Source } from './egress.ts';

export function sourceName({ ip, proxy }: Pick<Source, 'ip' | 'proxy'>): string | null {
  return proxy?.name ?? ip;
}

/** Of where a session connects from. */
export function sourceOf({ source, proxy }: Pick<ConnectTarget, 'source' | 'proxy'>): string | null {
  return proxy?.name ?? source;
}
