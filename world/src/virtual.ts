// The same hosts and zones in simulated time and memory, behind the engine's own ports: hours of greylisting in
// milliseconds, no sockets, no sleeping. Promise: the same spec, seed and client give the same run.
//
//   const world = createVirtualWorld(spec, { seed: 7 });
//   const checker = createChecker({ clock: world.clock, resolver: world.resolver, connect: world.connect, … });
//   const finding = await world.run(checker.check('anna@good.example'));
import type { Connect, DnsAnswer, NameLookups, Resolver } from '@mxproof/engine';
import { compileWorld } from './compile-world.ts';
import { createRandom, hash32 } from './random.ts';
import type { WorldSpec } from './spec.ts';
import type { Traffic } from './traffic.ts';
import { type Truth, truthOf } from './truth.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
import { connectVirtually } from './virtual-wire.ts';
import type { QuestionType, ZoneRecord } from './zone.ts';

/** 2030-01-01, so that no test leans on today. */
const START_MS = 1_893_456_000_000;
const DNS_TIMEOUT_MS = 5_000;
const DNS_RETRY_MS = 2_000;
const DNS_TRIES = 3;

export interface VirtualWorld {
  readonly clock: VirtualClock;
  readonly resolver: Resolver & NameLookups;
  readonly connect: Connect;
  readonly seen: Traffic;
  truth(email: string): Truth;
  run<T>(promise: Promise<T>): Promise<T>;
}

export function createVirtualWorld(spec: WorldSpec, options: { readonly seed: number }): VirtualWorld {
  const clock = createVirtualClock(START_MS);
  const world = compileWorld(spec, options);
  const random = createRandom(hash32('dns', options.seed));
  const latencyMs = spec.dns?.latencyMs ?? 0;
  const lossShare = spec.dns?.lossShare ?? 0;

  const after = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms));

  const ask = async <T>(
    name: string,
    type: QuestionType,
    read: (record: ZoneRecord) => T | null,
  ): Promise<DnsAnswer<T>> => {
    for (let tries = 1; lossShare > 0 && random.chance(lossShare); tries += 1) {
      await after(DNS_RETRY_MS);
      if (tries === DNS_TRIES) return { kind: 'timeout' };
    }
    await after(latencyMs);
    let answer = world.zone.answer(name, type, false);
    if (answer.kind === 'truncated') {
      await after(latencyMs);
      answer = world.zone.answer(name, type, true);
    }
    if (answer.kind === 'timeout') await after(DNS_TIMEOUT_MS);
    if (answer.kind === 'truncated') return { kind: 'servfail' };
    if (answer.kind !== 'records') return answer;
    const records = answer.records.flatMap((record) => read(record) ?? []);
    const ttlSeconds = Math.min(...answer.records.map((record) => record.ttlSeconds));
    return { kind: 'records', records, ttlSeconds };
  };

  const resolver: Resolver & NameLookups = {
    mx: (name) =>
      ask(name, 'mx', (record) =>
        record.type === 'mx' ? { preference: record.preference, exchange: record.exchange } : null,
      ),
    a: (name) => ask(name, 'a', (record) => (record.type === 'a' ? record.address : null)),
    aaaa: (name) => ask(name, 'aaaa', (record) => (record.type === 'aaaa' ? record.address : null)),
    ptr: (name) => ask(name, 'ptr', (record) => (record.type === 'ptr' ? record.target : null)),
    txt: (name) => ask(name, 'txt', (record) => (record.type === 'txt' ? record.strings.join('') : null)),
  };

  return {
    clock,
    resolver,
    connect: (target, events) => connectVirtually(world.byAddress.get(target.ip), target, events, clock),
    seen: world.seen,
    truth: (email) => truthOf(world, email),
    run: (promise) => clock.run(promise),
  };
}
