// ARCHITECTURE.md's diagrams, drawn from the imports of sources; tests are not drawn. Promise: every arrow is an import,
// and every import between two rooms of a diagram is an arrow or named below it: what is imported nearly everywhere, and
// arrows that a longer way implies. A diagram has no more arrows than can be read.

import { type Import, type Sources, TEST } from './import-graph.ts';
import { WORKSPACES } from './import-rules.ts';

interface Room {
  readonly label: string;
  /** Paths of its files begin with one of these; a room that comes first keeps its files. */
  readonly holds: readonly string[];
  /** Imported from nearly everywhere: named below the diagram, so that the other arrows can be seen. */
  readonly isEverywhere?: boolean;
}

/** One line about each workspace. */
const WORKSPACE_LABELS: Readonly<Record<string, string>> = {
  common: 'shared by several: fair shares, clocks, invariants, CSV, refunds',
  engine: 'checks addresses; knows no account, list, HTTP or SQL',
  server: 'the service',
  client: 'speaks to a running service over HTTP, on any runtime',
  files: "people's tables of addresses, read and given back; in browsers too",
  console: 'the web console: React, in browsers',
  cli: 'the command mxproof',
  mcp: 'offers a running service to language models, over stdio',
  world: 'a small internet on loopback or in simulated time',
  bench: 'measurements',
  fuzz: 'feeds untrusted bytes to every parser',
  scripts: 'checks, packing, the OpenAPI document',
};

const DIAGRAMS: Readonly<Record<string, Readonly<Record<string, Room>>>> = {
  workspaces: Object.fromEntries(
    Object.entries(WORKSPACE_LABELS).map(([name, label]) => [
      name,
      { label, holds: [`${name}/`], isEverywhere: name === 'common' },
    ]),
  ),
  server: {
    start: { label: 'main.ts, operate.ts, …: front doors, start and stop', holds: ['server/src/start/'] },
    features: {
      label: 'what is optional, each with its SQL, rules and routes',
      holds: ['server/src/features/'],
    },
    http: { label: 'requests and responses', holds: ['server/src/http/'] },
    worker: { label: 'claims jobs, sends callbacks, sweeps', holds: ['server/src/worker/'] },
    flow: { label: 'one verb per file, each a transaction or a few', holds: ['server/src/flow/'] },
    callback: { label: 'signs and posts', holds: ['server/src/callback/'] },
    settings: { label: 'what the operator has set', holds: ['server/src/settings/'] },
    embedded: { label: 'the PostgreSQL that comes with it', holds: ['server/src/embedded/'] },
    store: { label: 'SQL, migrations, jobs', holds: ['server/src/store/'] },
    rules: { label: 'credits, rate window, fairness, schedules: decide', holds: ['server/src/rules/'] },
  },
  features: {
    admin: { label: '/admin/v1: what operators do, by HTTP', holds: ['server/src/features/admin/'] },
    operator: {
      label: 'who operators are, and sign-in at a provider or by mail',
      holds: ['server/src/features/operator/', 'server/src/features/sign-in/'],
    },
    metrics: { label: 'counts, and shows scrapers', holds: ['server/src/features/metrics/'] },
    mail: {
      label: 'mail: what people of accounts are told, and the relay',
      holds: ['server/src/features/mail/'],
    },
    alerts: { label: 'what the operator is told of, and how', holds: ['server/src/features/alerts/'] },
    doctor: {
      label: 'what is wrong with this machine, one check per file',
      holds: ['server/src/features/doctor/'],
    },
    backup: { label: 'one file: written, verified, restored', holds: ['server/src/features/backup/'] },
    sources: {
      label: 'what is asked from: health, rests, limits, warm-ups, /status',
      holds: ['server/src/features/sources/'],
    },
    webhooks: {
      label: 'endpoints of an account: what they are told',
      holds: ['server/src/features/webhooks/'],
    },
    rotation: {
      label: 'another secret key, in the place of the one before',
      holds: ['server/src/features/rotation/'],
    },
    outcomes: {
      label: 'what became of mail: accuracy, estimates, suppressions',
      holds: ['server/src/features/outcomes/'],
    },
    audit: {
      label: 'who did what: months, settings at start, GET /audit',
      holds: ['server/src/features/audit/'],
    },
    erasure: { label: 'an address goes for good', holds: ['server/src/features/erasure/'] },
    requests: {
      label: 'what an account changed and was refused, for a week',
      holds: ['server/src/features/requests/'],
    },
  },
  engine: {
    types: {
      label: 'types.ts, ports.ts, …: the words and ports of all rooms',
      holds: ['types', 'ports', 'detach-string', 'lower-of', 'system-clock', 'wall-now'].map(
        (name) => `engine/src/${name}.ts`,
      ),
      isEverywhere: true,
    },
    checker: { label: 'checker.ts, …: addresses in, findings out', holds: [] },
    state: {
      label: 'where an address is, what it was answered, what comes next: decides, touches nothing',
      holds: ['engine/src/state/'],
    },
    check: { label: 'one address: its states, and what they wait for', holds: ['engine/src/check/'] },
    dispatch: { label: 'queues, lanes, which recipients', holds: ['engine/src/smtp/dispatch/'] },
    knowledge: {
      label: 'what the replies of a flight mean for its recipients, and teach about their host',
      holds: ['engine/src/smtp/knowledge/'],
    },
    hosts: {
      label: 'what each host has shown, which is asked, and why not',
      holds: ['engine/src/smtp/hosts/'],
    },
    session: { label: 'one SMTP dialogue, its replies and their seal', holds: ['engine/src/smtp/session/'] },
    wire: { label: 'sockets, reply reader, loop budget', holds: ['engine/src/smtp/wire/'] },
    dns: { label: 'resolver, cache, which servers are believed', holds: ['engine/src/dns/'] },
    verdict: { label: 'what a reply means, and the verdict', holds: ['engine/src/verdict/'] },
    bounce: { label: 'the replies in a pasted log or bounce', holds: ['engine/src/bounce/'] },
    decide: {
      label: 'decide, touch nothing',
      holds: ['address', 'domain', 'pace', 'policy'].map((name) => `engine/src/${name}/`),
      isEverywhere: true,
    },
  },
  cli: {
    table: {
      label: 'main.ts, program.ts, commands.ts: the table of commands, and what parses it',
      holds: [],
    },
    check: { label: 'check, reply: single addresses and replies', holds: ['cli/src/check/'] },
    clean: { label: 'clean: a file, checked and given back', holds: ['cli/src/clean/'] },
    outcomes: {
      label: 'evaluate, outcomes, accuracy, suppressions: what became of mail',
      holds: ['cli/src/outcomes/'],
    },
    lists: { label: 'list …: your lists; with --any those of all accounts', holds: ['cli/src/lists/'] },
    account: {
      label: 'login, account: your key, and how commands reach a service with it',
      holds: ['cli/src/account/'],
    },
    told: {
      label: 'listen, webhook …: callbacks on your machine, endpoints and what they were sent',
      holds: ['cli/src/listen/', 'cli/src/webhooks/'],
    },
    run: { label: 'serve, work, demo, healthcheck: the service runs', holds: ['cli/src/run/'] },
    systemd: { label: 'service …: systemd runs it', holds: ['cli/src/systemd/'] },
    operate: {
      label: "doctor, backup, key …: the operator's work on machine and store",
      holds: ['cli/src/operate/'],
    },
    help: { label: 'layout of help, completion in shells', holds: ['cli/src/help/'] },
    shared: {
      label: 'options, exit statuses, what is printed and asked',
      holds: ['cli/src/shared/'],
      isEverywhere: true,
    },
  },
};

/** The room of files right in `src/`. */
const AT_ROOT: Readonly<Record<string, string>> = { engine: 'checker', cli: 'table' };
/** What a diagram is of; the others are of a workspace. */
const WITHIN: Readonly<Record<string, RegExp>> = {
  workspaces: /./,
  features: /^server\/src\/features\/[^/]+\//,
};
/** An arrow of that many imports is thick. */
const THICK_FROM = 10;
/** More are not followed by eye. */
const ARROWS_MAX = 15;

function roomOf(diagram: string, file: string): string | null {
  const rooms = Object.entries(DIAGRAMS[diagram]!);
  const found = rooms.find(([, { holds }]) => holds.some((path) => file.startsWith(path)));
  if (found) return found[0];
  return new RegExp(`^${diagram}/src/[^/]+$`).test(file) ? (AT_ROOT[diagram] ?? null) : null;
}

/** @returns one line for every folder that no diagram has a label for */
export function roomFaults(files: Sources): string[] {
  const unknown = new Set<string>();
  for (const file of files.keys()) {
    for (const diagram of Object.keys(DIAGRAMS)) {
      const within = WITHIN[diagram] ?? new RegExp(`^${diagram}/src/`);
      if (within.test(file) && roomOf(diagram, file) === null)
        unknown.add(file.split('/').slice(0, -1).join('/'));
    }
  }
  for (const name of Object.keys(WORKSPACES)) if (WORKSPACE_LABELS[name] === undefined) unknown.add(name);
  return [...unknown].map((folder) => `${folder}/ has no label in scripts/import-diagrams.ts`);
}

interface Arrow {
  readonly own: string;
  readonly other: string;
  readonly count: number;
  readonly isTypes: boolean;
}

/** One for every two rooms of which one imports the other, in the order of their names. */
function arrowsOf(diagram: string, files: Sources, imports: readonly Import[]): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const { from, target, isType } of imports) {
    const [own, other] = [roomOf(diagram, from), roomOf(diagram, target)];
    if (TEST.test(from) || !files.has(target) || own === null || other === null || own === other) continue;
    const { count, isTypes } = arrows.get(`${own} ${other}`) ?? { count: 0, isTypes: true };
    arrows.set(`${own} ${other}`, { own, other, count: count + 1, isTypes: isTypes && isType });
  }
  return [...arrows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, arrow]) => arrow);
}

interface Drawing {
  readonly drawn: readonly Arrow[];
  /** A longer way leads from one to the other. */
  readonly implied: readonly Arrow[];
  /** To rooms that nearly all import. */
  readonly everywhere: readonly Arrow[];
}

function drawingOf(diagram: string, files: Sources, imports: readonly Import[]): Drawing {
  const isEverywhere = ({ other }: Arrow) => DIAGRAMS[diagram]![other]!.isEverywhere === true;
  const all = arrowsOf(diagram, files, imports);
  const arrows = all.filter((arrow) => !isEverywhere(arrow));
  const isImplied = impliedBy(arrows);
  return {
    drawn: arrows.filter((arrow) => !isImplied(arrow)),
    implied: arrows.filter(isImplied),
    everywhere: all.filter(isEverywhere),
  };
}

/** The way leads down, through a room that leads back to neither end: else rooms of a circle would imply each other. */
function impliedBy(arrows: readonly Arrow[]): (arrow: Arrow) => boolean {
  const from = (room: string) => arrows.filter(({ own }) => own === room).map(({ other }) => other);
  const reach = (room: string, seen = new Set<string>()): Set<string> => {
    for (const next of from(room)) if (!seen.has(next)) reach(next, seen.add(next));
    return seen;
  };
  return ({ own, other }) =>
    from(own).some((via) => reach(via).has(other) && !reach(via).has(own) && !reach(other).has(via));
}

/** @returns one line for every diagram that has more arrows than can be read */
export function arrowFaults(files: Sources, imports: readonly Import[]): string[] {
  return Object.keys(DIAGRAMS).flatMap((diagram) => {
    const { length } = drawingOf(diagram, files, imports).drawn;
    if (length <= ARROWS_MAX) return [];
    return `ARCHITECTURE.md's diagram of ${diagram} would have ${length} arrows, ${ARROWS_MAX} at most can be read: join rooms in scripts/import-diagrams.ts, or invert an import.`;
  });
}

export function draw(diagram: string, files: Sources, imports: readonly Import[]): string {
  const { drawn, implied, everywhere } = drawingOf(diagram, files, imports);
  const lines = [
    ...Object.keys(DIAGRAMS[diagram]!).map((name) => `  ${name}["${headingOf(diagram, name, files)}"]`),
    ...drawn.map((arrow) => `  ${arrow.own} ${shapeOf(arrow)} ${arrow.other}`),
  ];
  const below = Object.entries(Object.groupBy(everywhere, ({ other }) => other)).map(
    ([name, by]) => `Not drawn: \`${name}\` is imported by ${by!.map(({ own }) => own).join(', ')}.\n`,
  );
  const longer = Object.entries(Object.groupBy(implied, ({ own }) => own)).map(
    ([name, to]) => `${name} → ${to!.map(({ other }) => other).join(', ')}`,
  );
  if (longer.length > 0) below.push(`Also imported, where a longer way leads: ${longer.join('; ')}.\n`);
  return ['```mermaid', 'flowchart TD', ...lines, '```', '', ...below].join('\n');
}

function shapeOf({ count, isTypes }: Arrow): string {
  if (isTypes) return '-.->';
  return count >= THICK_FROM ? '==>' : '-->';
}

/** `http/ (body, console, …)`, its folders as they are. */
function headingOf(diagram: string, name: string, files: Sources): string {
  const { label, holds } = DIAGRAMS[diagram]![name]!;
  const folders = holds.filter((path) => path.endsWith('/'));
  if (folders.length === 0) return label;
  const inner = new Set<string>();
  if (diagram !== 'workspaces' && folders.length === 1)
    for (const file of files.keys())
      for (const folder of folders)
        if (file.startsWith(folder) && roomOf(diagram, file) === name) {
          const [first, ...rest] = file.slice(folder.length).split('/');
          if (rest.length > 0) inner.add(first!);
        }
  const named = folders.map((folder) => folder.replace(/^[a-z]+\/src\//, '')).join(' ');
  return `${named}${inner.size > 0 ? ` (${[...inner].join(', ')})` : ''}<br/>${label}`;
}

/** Replaces each diagram between `<!-- drawn: name -->` and `<!-- end -->`. */
export function drawInto(page: string, files: Sources, imports: readonly Import[]): string {
  let drawn = page;
  for (const diagram of Object.keys(DIAGRAMS)) {
    const place = new RegExp(`(<!-- drawn by npm run draw: ${diagram} -->\n)[^]*?(<!-- end of drawing -->)`);
    if (!place.test(drawn)) throw new Error(`ARCHITECTURE.md has no place for the diagram "${diagram}"`);
    drawn = drawn.replace(place, (_, start, end) => `${start}\n${draw(diagram, files, imports)}\n${end}`);
  }
  return drawn;
}
