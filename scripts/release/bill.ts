// The bill of materials of a package, as CycloneDX 1.6. Promise: it names everything that is shipped, and the same input gives
// the same bytes: the date is that of the commit, and the serial number is made of the content.
import { createHash } from 'node:crypto';
import { refOf, type Shipped, type Way } from './shipped.ts';

export interface BillOptions {
  readonly root: Shipped;
  readonly parts: readonly Shipped[];
  /** Of the packed file, in hexadecimal. */
  readonly sha256: string;
  /** Unix seconds of the commit. */
  readonly madeAt: number;
}

const MEANING: Readonly<Record<Way, string>> = {
  ours: 'of this repository, in the package',
  data: 'its data is in the package, its code is not',
  'built in': 'compiled into the console, in the package',
  installed: 'installed by npm beside the package, at this version in every test of ours',
  optional: 'installed by npm where the system is the one it is made for',
  inside: 'a library inside a package that brings a program; the version is that of its interface',
};

export function billOfMaterials({ root, parts, sha256, madeAt }: BillOptions): string {
  const content = {
    metadata: {
      timestamp: new Date(madeAt * 1_000).toISOString(),
      component: { ...componentOf(root, 'application'), hashes: [{ alg: 'SHA-256', content: sha256 }] },
    },
    components: parts.map((part) => componentOf(part, 'library')),
    dependencies: [root, ...parts]
      .filter(({ way }) => way !== 'built in' && way !== 'inside')
      .map((one) => ({ ref: bomRef(one), dependsOn: one.needs.map((name) => `npm:${name}`) })),
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  // The form of a UUID of version 8: made of what its maker likes.
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** A package can be shipped in two ways, built into the console and installed: two rows with two names. */
const bomRef = (one: Shipped) => `${PREFIX[one.way] ?? 'npm'}:${refOf(one)}`;
const PREFIX: Partial<Readonly<Record<Way, string>>> = { 'built in': 'console', inside: 'library' };

function componentOf(one: Shipped, type: 'application' | 'library'): object {
  const { name, version, license, integrity, way } = one;
  return {
    type,
    'bom-ref': bomRef(one),
    name,
    version,
    ...(way === 'optional' && { scope: 'optional' }),
    ...(integrity !== null && {
      hashes: [
        {
          alg: 'SHA-512',
          content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex'),
        },
      ],
    }),
    ...(license !== null && {
      licenses: [/[ (]|^LicenseRef-/.test(license) ? { expression: license } : { license: { id: license } }],
    }),
    ...(way !== 'inside' && { purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }),
    properties: [{ name: 'mxproof:shipped', value: MEANING[way] }],
  };
}

/** As `npm ls --json` shows what is installed. */
export interface InstalledTree {
  /** Not there where the package is for another system. */
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, InstalledTree>>;
}

export interface Comparison {
  /** How many packages are installed. */
  readonly installed: number;
  /** Those that the bill should have and does not: each is needed by a package that is as the bill says. */
  readonly missing: readonly string[];
  /** Those at another version than was tested, and what only these need: dependencies of dependencies follow their ranges. */
  readonly others: readonly string[];
}

export function compareInstalled(bill: string, tree: InstalledTree): Comparison {
  const { components, metadata } = JSON.parse(bill) as {
    components: { name: string; 'bom-ref': string }[];
    metadata: { component: { name: string; 'bom-ref': string } };
  };
  const rows = [metadata.component, ...components];
  const refs = new Set(rows.map((row) => row['bom-ref']));
  const names = new Set(rows.map(({ name }) => name));
  const installed = new Set<string>();
  const missing = new Set<string>();
  const others = new Set<string>();
  const visit = ({ dependencies = {} }: InstalledTree, isTested: boolean): void => {
    for (const [name, each] of Object.entries(dependencies)) {
      if (each.version === undefined) continue;
      const ref = `${name}@${each.version}`;
      installed.add(ref);
      const isSame = refs.has(`npm:${ref}`);
      if (!isSame) (isTested && !names.has(name) ? missing : others).add(ref);
      visit(each, isSame);
    }
  };
  visit(tree, true);
  return { installed: installed.size, missing: [...missing].sort(), others: [...others].sort() };
}
