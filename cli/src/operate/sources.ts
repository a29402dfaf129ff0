// sources, sources rest|resume: how the source addresses fare at providers, from the store, and rests by hand.

import {
  type CommandStore,
  liveSources,
  PROVIDERS,
  readSourceHealth,
  readWarmUps,
  restByHand,
  resumeByHand,
  type SourceCounts,
  type SourceHealth,
} from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { plain, printJson, printLine } from '../shared/print.ts';
import { roomToday } from './room-today.ts';
import { sourcesTable } from './sources-table.ts';
import { commandActor, withStore } from './with-store.ts';

/** Where the output is no terminal. */
const COLUMNS = 100;
const HOUR_SECONDS = 3_600;
/** What stands for the machine's own address, whose name in the store is empty. */
const OWN = 'own';
const NO_PROVIDER = 'other';

interface Json {
  readonly json?: boolean;
}

export async function sources({ json }: Json): Promise<void> {
  const { all, warming } = await withStore(async ({ db, config: { policy } }) => ({
    all: await readSourceHealth(db, policy),
    warming: policy === null ? null : await readWarmUps(db, policy, await liveSources(db)),
  }));
  if (json) return printJson(all.map(onWire));
  if (all.length === 0)
    return printLine('No source address has asked yet, and no node that checks has run within an hour.');
  const columns = process.stdout.isTTY ? process.stdout.columns : COLUMNS;
  for (const line of sourcesTable(all, columns, new Date())) printLine(line);
  if (warming !== null) printLine(`\n${roomToday(warming)}`);
}

export async function sourcesRest(
  source: string,
  provider: string,
  { hours, json }: Json & { readonly hours?: number },
): Promise<void> {
  if (provider === NO_PROVIDER)
    throw new OperatorError(
      `A source cannot rest at "${NO_PROVIDER}": its hosts have nothing in common. Leave hosts out with "never" in the policy file.`,
    );
  const until = await withStore(async (store) => {
    const name = await knownSource(store, source);
    checkProvider(provider);
    const seconds = hours === undefined ? null : hours * HOUR_SECONDS;
    await restByHand(store.db, commandActor(), { source: name, provider }, seconds);
    const all = await readSourceHealth(store.db);
    return all.find((one) => one.source === name && one.provider === provider)?.rest?.until ?? null;
  });
  if (json) return printJson({ source, provider, resting: true, until: secondsOf(until) });
  const end =
    until === null
      ? 'until it is resumed'
      : `until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  printLine(`${source} rests at ${provider} ${end}. Nodes that run obey within seconds.`);
  printLine(
    'Recipients there wait, and end as unknown, which costs nothing, if their list ends first. To end the rest:',
  );
  printLine(`  mxproof sources resume ${source} ${provider}`);
}

export async function sourcesResume(source: string, provider: string, { json }: Json): Promise<void> {
  await withStore(async (store) => {
    const name = await knownSource(store, source);
    checkProvider(provider);
    await resumeByHand(store.db, commandActor(), { source: name, provider });
  });
  if (json) return printJson({ source, provider, resting: false });
  printLine(`${source} is used at ${provider} again. Nodes that run obey within seconds.`);
}

async function knownSource({ db, config }: CommandStore, source: string): Promise<string> {
  const name = source === OWN ? '' : source;
  const configured = config.sourceAddresses.map(({ name: each }) => each);
  const known = new Set((await readSourceHealth(db)).map((one) => one.source));
  for (const one of configured.length === 0 ? [''] : configured) known.add(one);
  if (known.has(name)) return name;
  const names = [...known].sort().map((one) => plain(one === '' ? OWN : one));
  throw new OperatorError(`"${plain(source)}" is not a source address of this service: ${names.join(', ')}.`);
}

function checkProvider(provider: string): void {
  if (PROVIDERS.includes(provider)) return;
  throw new OperatorError(`"${plain(provider)}" is not a provider: ${PROVIDERS.join(', ')}.`);
}

function onWire(one: SourceHealth): Record<string, unknown> {
  const { source, provider, today, lastWeek, refusal, rest, warmUp } = one;
  return {
    source: source === '' ? OWN : source,
    provider,
    today: countsOnWire(today),
    last_7_days: countsOnWire(lastWeek),
    refusal: refusal === null ? null : { ...refusal, at: secondsOf(refusal.at) },
    rest: rest === null ? null : { since: secondsOf(rest.since), until: secondsOf(rest.until), by: rest.by },
    warm_up:
      warmUp === null
        ? null
        : { day: warmUp.day, per_day: warmUp.perDay, used: warmUp.used, held_back: warmUp.heldBack },
  };
}

function countsOnWire({ asked, accepted, unknownRecipients, deferred, refused }: SourceCounts) {
  return { asked, accepted, unknown_recipients: unknownRecipients, deferred, refused };
}

function secondsOf(at: Date | null): number | null {
  return at === null ? null : Math.floor(at.getTime() / 1_000);
}
