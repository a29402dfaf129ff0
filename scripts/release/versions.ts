// One version in every place that names it. Promise: a place that disagrees is told with its file; a place that is missing is
// told too, unless it is one that a checkout may lack.

/** Text by path from the root. */
export type Texts = ReadonlyMap<string, string>;

const PYTHON_VERSION = 'clients/python/src/mxproof/_version.py';
/** Which say that there is no release, as long as there is none. */
const ANNOUNCING_FILES = ['README.md', 'docs/guide/releases.md'];

/** What besides the workspaces' package.json files names the version. */
export const NAMING_FILES = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  ...ANNOUNCING_FILES,
  PYTHON_VERSION,
  'Dockerfile',
  'compose.yaml',
  'deploy/compose.nodes.yaml',
  'deploy/helm/Chart.yaml',
  'deploy/kubernetes/serve.yaml',
  'deploy/kubernetes/work.yaml',
];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** @returns one line for every place that disagrees; with a tag, that and the changelog's date are held against it too */
export function versionFaults(texts: Texts, tag?: string): string[] {
  const faults: string[] = [];
  const root = JSON.parse(texts.get('package.json')!) as Manifest;
  const { version } = root;
  const expect = (place: string, found: string | undefined) => {
    if (found !== version)
      faults.push(`${place} says ${found ?? 'no version'}, package.json says ${version}.`);
  };
  if (tag !== undefined) expect(`The tag ${tag}`, /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1]);

  const lock = JSON.parse(texts.get('package-lock.json')!) as {
    version: string;
    packages: Record<string, Manifest>;
  };
  expect('package-lock.json', lock.version);
  for (const folder of root.workspaces!) {
    const manifest = JSON.parse(texts.get(`${folder}/package.json`)!) as Manifest;
    expect(`${folder}/package.json`, manifest.version);
    expect(`package-lock.json, ${folder},`, lock.packages[folder]?.version);
    for (const [name, wanted] of Object.entries(manifest.dependencies ?? {}))
      if (name.startsWith('@mxproof/')) expect(`${folder}/package.json, ${name},`, wanted);
  }
  expect('_version.py of the Python client', /"([^"]+)"/.exec(texts.get(PYTHON_VERSION) ?? '')?.[1]);

  const heading = /^## \[(\S+)\] - (\S+)$/m.exec(texts.get('CHANGELOG.md')!);
  expect('The first heading of CHANGELOG.md', heading?.[1]);
  if (tag !== undefined && !/^\d{4}-\d\d-\d\d$/.test(heading?.[2] ?? ''))
    faults.push(`CHANGELOG.md has no date for ${version}: replace "${heading?.[2]}" by that of the release.`);
  for (const file of tag === undefined ? [] : ANNOUNCING_FILES)
    if (/is not released\s+yet/.test(texts.get(file) ?? ''))
      faults.push(`${file} says that it is not released yet: remove that.`);

  for (const [, found] of texts.get('README.md')!.matchAll(/\bmxproof-(\d+\.\d+\.\d+)\.tgz/g))
    expect('README.md, in the name of a package,', found);
  for (const [file, patterns] of Object.entries(IMAGE_VERSIONS))
    for (const pattern of patterns)
      for (const [, found] of (texts.get(file) ?? '').matchAll(pattern))
        expect(`${file}, in the image's version,`, found);
  return faults;
}

/** `image: ${MXPROOF_IMAGE:-ghcr.io/mxproof/mxproof:0.2.0}`, or without the variable. */
const COMPOSED = /\bimage: *\S*\/mxproof:(\d[\w.]*)/g;

/** Where a number stands; a variable is what the release workflow gives. */
const IMAGE_VERSIONS: Readonly<Record<string, readonly RegExp[]>> = {
  Dockerfile: [
    /^ARG (?:MXPROOF_)?VERSION="?(\d[^\s"]*)/gm,
    /org\.opencontainers\.image\.version="?(\d[^\s"\\]*)/g,
  ],
  'compose.yaml': [COMPOSED],
  'deploy/compose.nodes.yaml': [COMPOSED],
  'deploy/helm/Chart.yaml': [/^(?:version|appVersion): (.+)$/gm],
  'deploy/kubernetes/serve.yaml': [COMPOSED],
  'deploy/kubernetes/work.yaml': [COMPOSED],
  'README.md': [/\bghcr\.io\/mxproof\/mxproof:(\d[\w.]*)/g],
};
