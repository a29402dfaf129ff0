// Who may import whom, and which words stand only where they belong: the tables that check-imports.ts holds sources
// against.

interface Workspace {
  /** The workspaces its sources may import, or one entry of them: `engine/inspect-address`. Nothing else. */
  readonly may: readonly string[];
  /** What its tests may import besides. */
  readonly testsMay: readonly string[];
  /** Whether its sources may enter others by path instead of by the names that these export, and why. */
  readonly byPath?: string;
}

/** A folder that is not here may import nothing and be imported by none. */
export const WORKSPACES: Readonly<Record<string, Workspace>> = {
  common: { may: [], testsMay: [] },
  engine: { may: ['common'], testsMay: ['world'] },
  server: { may: ['common', 'engine'], testsMay: ['world'] },
  client: { may: [], testsMay: ['server'] },
  files: {
    may: [
      'common/csv',
      'common/percent',
      'common/vocabulary/labels',
      'common/vocabulary/providers',
      'engine/read-report',
    ],
    testsMay: [],
  },
  console: {
    may: [
      'client',
      'files',
      'common/csv',
      'common/percent',
      'common/refund',
      'common/vocabulary/details',
      'common/vocabulary/labels',
      'common/vocabulary/providers',
      'common/vocabulary/verdicts',
      'common/wilson',
      'engine/bounce-recipients',
      'engine/inspect-address',
    ],
    testsMay: ['cli', 'server', 'world'],
  },
  cli: { may: ['client', 'common', 'engine', 'files', 'server', 'world'], testsMay: [] },
  mcp: { may: ['client', 'common/vocabulary/labels'], testsMay: ['server'] },
  world: { may: ['common', 'engine'], testsMay: [] },
  bench: {
    may: ['cli', 'engine', 'files', 'server', 'world'],
    testsMay: [],
    byPath: 'bench measures insides',
  },
  fuzz: { may: ['common', 'engine', 'files', 'server', 'world'], testsMay: [], byPath: 'fuzz feeds insides' },
  scripts: {
    may: ['cli', 'client', 'common', 'engine', 'server', 'world'],
    testsMay: [],
    byPath: 'scripts build, pack and describe what is inside',
  },
};

/** Files entered by path from sources: by whom, which, and why. */
export const BY_PATH: readonly { readonly from: RegExp; readonly to: RegExp; readonly why: string }[] = [
  {
    from: /^world\/src\/digest\.ts$/,
    to: /^common\/test\/strict\.ts$/,
    why: 'the digest stops at a broken invariant, as tests do',
  },
];

interface Rule {
  readonly name: string;
  /** Files the rule is about. */
  readonly from: RegExp;
  /** What they must not import: a file of ours, or a package or `node:` module by name. */
  readonly never: RegExp;
  /** Tests use what the room they test must not. */
  readonly isFreeInTests?: boolean;
}

const TOUCHING =
  /^node:(net|tls|dns|dgram|http|https|fs|child_process|timers|worker_threads|cluster|os)(\/|$)|^pg$|^fastify$/;
const DECIDING = '^engine/src/(address|bounce|domain|verdict|pace|policy|state)/|^server/src/rules/';

/** The embedded PostgreSQL asks its server whether it is up; a backup is what the tables hold. */
const MAY_HAVE_SQL = 'store/|embedded/|features/[^/]+/stored-|features/backup/(?:write|restore)-backup\\.ts$';
const LAYERS = ['http', 'flow', 'rules', 'store', 'worker', 'callback'].join('|');

/** Rooms from the lowest up: none imports one that comes after it. */
function oneWay(name: string, folder: string, rooms: readonly string[]): Rule[] {
  return rooms.slice(0, -1).map((room, at) => ({
    name,
    from: new RegExp(`^${folder}${room}`),
    never: new RegExp(`^${folder}(${rooms.slice(at + 1).join('|')})`),
    isFreeInTests: true,
  }));
}

export const RULES: readonly Rule[] = [
  {
    name: 'what of common runs in browsers imports nothing',
    from: /^common\/src\/(csv|refund|vocabulary\/(labels|providers))\.ts$/,
    never: /./,
  },
  {
    name: 'client imports no package and nothing of Node',
    from: /^client\//,
    never: /^(?!client\/)/,
    isFreeInTests: true,
  },
  {
    name: 'files runs in browsers: nothing of Node',
    from: /^files\//,
    never: /^node:/,
    isFreeInTests: true,
  },
  { name: 'the console runs in browsers: nothing of Node', from: /^console\/src\//, never: /^node:/ },
  {
    name: 'modules are loaded by import alone; two files find files of packages with createRequire',
    from: /^(?!server\/src\/(http\/docs\/scalar-script|embedded\/find-binaries)\.ts$|cli\/bin\/)/,
    never: /^(node:)?module$/,
    isFreeInTests: true,
  },
  {
    name: 'code that decides uses no sockets, files or timers',
    // These two have node:net read addresses, and use nothing else of it.
    from: new RegExp(
      `^(?!common/src/public-address\\.ts$|engine/src/address/own-names\\.ts$)(${DECIDING}|common/src/)`,
    ),
    never: TOUCHING,
    isFreeInTests: true,
  },
  {
    name: 'code that decides imports no code that uses sockets',
    from: /^engine\/src\/(address|bounce|domain|verdict|pace|policy)\//,
    never: /^engine\/src\/(dns|smtp|checker|helo)/,
  },
  {
    name: 'the layers import no feature: what a feature adds is handed to them',
    from: new RegExp(`^server/src/(${LAYERS})/`),
    never: /^server\/src\/(features|start)\//,
    isFreeInTests: true,
  },
  {
    name: 'main.ts knows features by their list alone',
    from: /^server\/src\/start\/main\.ts$/,
    never: /^server\/src\/features\/[^/]+\//,
  },
  {
    name: 'rules import no other folder of the server',
    from: /^server\/src\/rules\//,
    never: /^server\/src\/(?!rules\/)/,
  },
  {
    name: 'store imports neither flow nor its callers',
    from: /^server\/src\/store\//,
    never: /^server\/src\/(flow|http|worker|callback)\//,
  },
  {
    name: 'flow imports neither worker nor http',
    from: /^server\/src\/flow\//,
    never: /^server\/src\/(worker|http)\//,
  },
  {
    name: 'SQL stays in the store, and in the stored-… files of features',
    from: new RegExp(`^server/src/(?!${MAY_HAVE_SQL}|worker/notifications\\.ts$)|^cli/`),
    never: /^pg$/,
    isFreeInTests: true,
  },
  {
    name: 'getaddrinfo has four threads for the whole process: only names looked up once, at the start, may use them',
    from: /^server\/src\/(?!settings\/look-up-names\.ts$)/,
    never: /^node:dns(\/|$)/,
  },
  ...oneWay('state, check and smtp go one way: checker, check, smtp, state', 'engine/src/', [
    'state/',
    'smtp/',
    'check/',
    'check(er|-all)',
  ]),
  ...oneWay('smtp goes one way: dispatch, knowledge, hosts, session, wire', 'engine/src/smtp/', [
    'wire/',
    'session/',
    'hosts/',
    'knowledge/',
    'dispatch/',
  ]),
  ...oneWay('the command line goes one way: its table, rooms of commands, shared', 'cli/src/', [
    'shared/',
    'account/',
    'systemd/',
    'operate/',
    'clean/',
    'outcomes/',
    'lists/',
    'check/',
    'listen/',
    'run/',
    'help/',
    '[^/]+$',
  ]),
];

const ENVIRONMENT = /\bprocess\s*(?:\??\.\s*env\b|\[)|=\s*process\s*[;,)]|\bnode:process\b/;

/** Words that sources must not say. Tests may. */
export const WORDS: readonly Pick<Rule, 'name' | 'from' | 'never'>[] = [
  {
    // Statements are sent with these, and by nothing else.
    name: 'SQL stays in the store, and in the stored-… files of features',
    from: new RegExp(`^server/src/(?!${MAY_HAVE_SQL})|^cli/src/`),
    never: /\.(?:query|prepared|raw)(?:<[^>]*>)?\(/,
  },
  {
    name: 'credits change in store/ledger.ts alone',
    from: /^(?!server\/src\/store\/ledger\.ts$)/,
    never:
      /INSERT\s+INTO\s+(?:mxproof\.)?ledger\b|UPDATE\s+(?:mxproof\.)?accounts\b(?:(?!\b(?:FROM|WHERE|RETURNING)\b)[^`])*\b(?:credits|used)\b|INSERT\s+INTO\s+(?:mxproof\.)?accounts\b[^)]*\b(?:credits|used)\b/i,
  },
  {
    name: 'the environment is read by config.ts, and by the commands that hand it on',
    // The samples are programs of the reader's own.
    from: /^(?:common|engine|files|server)\/src\/(?!embedded\/|settings\/config\.ts$|http\/docs\/code-samples\.ts$)/,
    never: ENVIRONMENT,
  },
  {
    name: 'of the command line only environment.ts reads the environment, which the launcher hands on',
    from: /^cli\/(?!src\/shared\/environment\.ts$|bin\/(?:launch|quick-healthcheck)\.mjs$)/,
    never: ENVIRONMENT,
  },
  {
    name: 'of the server for language models only main.ts reads the environment',
    from: /^mcp\/src\/(?!main\.ts$)/,
    never: ENVIRONMENT,
  },
  {
    name: 'code that decides gets the time and randomness as arguments',
    from: new RegExp(DECIDING),
    never: /\b(?:Date\.now|performance\.now|Math\.random|randomBytes|randomUUID)\b|\bnew Date\(\)/,
  },
  {
    // Another user may have put a link in its place.
    name: 'a file is given to another user by its open handle (held-folder.ts), never by its path',
    from: /^(?:server|cli)\/src\//,
    never: /\bl?chown(?:Sync)?\(/,
  },
  {
    name: 'files runs in browsers: nothing of Node',
    from: /^files\/src\//,
    never: /\b(?:Buffer|process|setImmediate|__dirname|require)\b[.(]/,
  },
];
