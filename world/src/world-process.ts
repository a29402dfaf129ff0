// A world in a process of its own, so that a benchmark does not share its core or its event loop with what it
// measures. Promise: the child ends with close() or with its parent, whichever comes first.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WorldOptions } from './index.ts';
import type { WorldSpec } from './spec.ts';
import type { Counters } from './traffic.ts';

/** A module that exports `world(): WorldSpec`, for specs that functions are part of. */
export type WorldSource = { readonly spec: WorldSpec } | { readonly module: string };

export interface TrafficSnapshot {
  readonly total: Counters;
  readonly hosts: Readonly<Record<string, Counters>>;
  /** User and system time of the child since it was last asked. */
  readonly cpuSeconds: number;
}

export interface WorldProcess {
  readonly dnsServer: string;
  readonly smtpPort: number;
  readonly pid: number;
  /** Counters since the last `seen`; `open` is what is open now. */
  seen(): Promise<TrafficSnapshot>;
  close(): Promise<void>;
}

export interface StartMessage {
  readonly kind: 'start';
  readonly source: WorldSource;
  readonly options: WorldOptions;
}

export type ChildMessage =
  | { readonly kind: 'started'; readonly dnsServer: string; readonly smtpPort: number }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'seen'; readonly seen: TrafficSnapshot };

const CHILD = fileURLToPath(new URL('world-child.ts', import.meta.url));

export async function spawnWorld(source: WorldSource, options: WorldOptions = {}): Promise<WorldProcess> {
  const child = fork(CHILD, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ask = (message: object) =>
    new Promise<ChildMessage>((resolve, reject) => {
      child.once('message', (answer) => resolve(answer as ChildMessage));
      void gone.then(() => reject(new Error('world: its process has ended')));
      child.send(message);
    });
  const close = async () => {
    if (child.connected) child.disconnect();
    await gone;
  };
  const start: StartMessage = { kind: 'start', source, options };
  const started = await ask(start);
  if (started.kind !== 'started') {
    await close();
    throw new Error(`world: ${started.kind === 'failed' ? started.why : 'did not start'}`);
  }
  return {
    dnsServer: started.dnsServer,
    smtpPort: started.smtpPort,
    pid: child.pid!,
    async seen() {
      const answer = await ask({ kind: 'seen' });
      if (answer.kind !== 'seen') throw new Error('world: answered out of turn');
      return answer.seen;
    },
    close,
  };
}
