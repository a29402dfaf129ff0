// Everything a user gets with a package of ours, read from the lock file: what travels in the tarball, what npm installs
// beside it, and what is inside those that bring a program.
// Promise: what cannot be found in the lock file is an error, never left out; two runs give the same order.
import { FROZEN_PACKAGES } from '../pack.ts';

interface LockEntry {
  /** Where the folder has another name than the package. */
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** By path from the root, as npm writes `packages`. */
export type Lock = Readonly<Record<string, LockEntry>>;

/** `ours` and `data` travel in the tarball, `built in` is compiled into the console, `inside` is part of a binary package. */
export type Way = 'ours' | 'data' | 'built in' | 'installed' | 'optional' | 'inside';

export interface Shipped {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; null where the package names none. */
  readonly license: string | null;
  /** As in the lock file: `sha512-…`. */
  readonly integrity: string | null;
  readonly way: Way;
  /** `name@version` of what it needs. */
  readonly needs: readonly string[];
}

export const refOf = ({ name, version }: Pick<Shipped, 'name' | 'version'>) => `${name}@${version}`;

/** @returns the package itself first, then what it needs, by name and version */
export function shippedWith(lock: Lock, workspace: string): [Shipped, ...Shipped[]] {
  const found = new Map<string, Shipped>();
  const visit = (path: string, isOptional: boolean): Shipped => {
    const entry = lock[path]!;
    const known = found.get(path);
    // Needed by one and optional for another: needed.
    if (known && !(known.way === 'optional' && !isOptional)) return known;
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isOurs = !path.includes('node_modules/');
    const isData = FROZEN_PACKAGES.includes(name);
    const shipped = {
      name,
      version: entry.version ?? '',
      license: entry.license ?? null,
      integrity: entry.integrity ?? null,
      way: isOurs ? 'ours' : isData ? 'data' : isOptional ? 'optional' : 'installed',
      needs: [] as string[],
    } as const;
    found.set(path, shipped);
    // Of a frozen package only the data is taken, and none of what its code needs.
    if (isData) return shipped;
    for (const [needed, kind] of needsOf(entry)) {
      const at = resolveIn(lock, path, needed);
      // Made for another system, npm says, and then the lock file has it all the same; a missing peer is the user's choice.
      if (at === null && kind !== 'required') continue;
      if (at === null)
        throw new Error(`package-lock.json has no ${needed}, which ${name} needs: run npm install`);
      shipped.needs.push(refOf(visit(at, isOptional || kind === 'optional')));
    }
    shipped.needs.sort();
    return shipped;
  };
  const root = visit(workspace, false);
  const others = [...new Map([...found.values()].map((one) => [refOf(one), one])).values()]
    .filter((one) => one !== root)
    .sort((a, b) => (refOf(a) < refOf(b) ? -1 : 1));
  return [root, ...others];
}

function needsOf(entry: LockEntry): [string, 'required' | 'optional' | 'peer'][] {
  const optional = entry.optionalDependencies ?? {};
  return [
    ...Object.keys(entry.dependencies ?? {})
      .filter((name) => optional[name] === undefined)
      .map((name) => [name, 'required'] as [string, 'required']),
    ...Object.keys(optional).map((name) => [name, 'optional'] as [string, 'optional']),
    ...Object.keys(entry.peerDependencies ?? {})
      .filter((name) => !entry.peerDependenciesMeta?.[name]?.optional)
      .map((name) => [name, 'peer'] as [string, 'peer']),
  ];
}

/** As Node looks for a package: in the folder's own node_modules, then in that of every folder above. */
function resolveIn(lock: Lock, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]*$/, '')) {
    if (!folder.endsWith('node_modules')) {
      const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
      const entry = lock[path];
      if (entry?.link) return entry.resolved!;
      if (entry) return path;
    }
    if (folder === '') return null;
  }
}

/** What the console's build says was built in: `## react - 19.3.1 (MIT)`. */
export function builtIn(notices: string): Shipped[] {
  return [...notices.matchAll(/^## (\S+) - (\S+) \(([^)\n]+)\)$/gm)].map(([, name, version, license]) => ({
    name: name!,
    version: version!,
    license: license!,
    integrity: null,
    way: 'built in',
    needs: [],
  }));
}

/**
 * Libraries inside the packages that bring PostgreSQL, by the beginning of their file's name, with the licences that Debian's
 * copyright files of them have. PostgreSQL's own have its licence.
 */
const LIBRARIES: readonly { readonly file: RegExp; readonly name: string; readonly license: string }[] = [
  { file: /^lib(pq|ecpg|ecpg_compat|pgtypes)\./, name: 'postgresql', license: 'PostgreSQL' },
  { file: /^lib(crypto|ssl)\.(so\.1|1)/, name: 'openssl-1.1', license: 'OpenSSL' },
  { file: /^lib(crypto|ssl)\.(so\.3|3)/, name: 'openssl-3', license: 'Apache-2.0' },
  { file: /^libicu(data|i18n|uc)\./, name: 'icu', license: 'ICU' },
  { file: /^liblzma\./, name: 'xz-liblzma', license: 'LicenseRef-public-domain' },
  { file: /^lib(ossp-)?uuid\./, name: 'ossp-uuid', license: 'ISC' },
  { file: /^libxml2\./, name: 'libxml2', license: 'MIT AND ISC' },
  { file: /^libxslt\./, name: 'libxslt', license: 'MIT' },
  { file: /^libz\./, name: 'zlib', license: 'Zlib' },
  { file: /^liblz4\./, name: 'lz4', license: 'BSD-2-Clause' },
  { file: /^libzstd\./, name: 'zstd', license: 'BSD-3-Clause' },
];

/** @returns PostgreSQL and the shared libraries it brings; `unknown` are files that no row above names */
export function insidePostgres(
  version: string,
  files: readonly string[],
): { readonly shipped: Shipped[]; readonly unknown: string[] } {
  const found = new Map<string, Shipped>();
  const unknown: string[] = [];
  for (const file of files.filter((name) => /\.(so|dylib)(\.|$)/.test(name)).sort()) {
    const row = LIBRARIES.find((one) => one.file.test(file));
    if (row === undefined) unknown.push(file);
    else {
      // Such libraries name no version but that of their interface.
      const of = row.name === 'postgresql' ? version : (/\.so\.([\d.]+)$/.exec(file)?.[1] ?? '');
      found.set(row.name, { ...row, version: of, integrity: null, way: 'inside', needs: [] });
    }
  }
  const shipped = [...found.values()].map(({ name, version: of, license, integrity, way, needs }) => ({
    ...{ name, version: of, license, integrity, way, needs },
  }));
  return { shipped, unknown };
}
