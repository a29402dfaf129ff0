// The doctor's checks by id, in the order of the report. Promise: help loads it, so it brings nothing else.

/** Part of the interface: scripts name them. */
export const CHECK_GROUPS = {
  'Configuration and machine': ['config', 'policy', 'tls', 'disk', 'memory', 'descriptors', 'clock'],
  Database: ['postgres', 'migrations', 'secret_key', 'backup', 'webhooks', 'mail'],
  DNS: ['dns.servers', 'dns.latency'],
  'Source addresses': [
    'source.port25',
    'source.address',
    'source.ptr',
    'source.helo',
    'source.spf',
    'source.blocklists',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const CHECK_IDS: readonly string[] = Object.values(CHECK_GROUPS).flat();

/** What `--only` takes: an id, or what several begin with. */
export const CHECK_NAMES: readonly string[] = [
  ...CHECK_IDS,
  ...new Set(CHECK_IDS.filter((id) => id.includes('.')).map((id) => id.split('.')[0]!)),
];

export function isNamed(id: string, names: readonly string[]): boolean {
  return names.some((name) => id === name || id.startsWith(`${name}.`));
}
