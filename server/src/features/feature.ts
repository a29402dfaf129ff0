// What an optional part adds to the service. The service knows none of them by name: main.ts walks the list of features.ts.
import type { Checker, KeptRests, PermitStore, RestStore } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { PostOptions } from '../callback/post.ts';
import type { Context } from '../flow/context.ts';
import type { Observer } from '../flow/observer.ts';
import type { AddedRoutes } from '../http/route-parts.ts';
import type { Config, DnsServer } from '../settings/config.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Sweep } from '../worker/sweeps.ts';

export interface Roles {
  readonly http: boolean;
  readonly checks: boolean;
}

/** A process of it that is starting. */
export interface Service {
  readonly config: Config;
  readonly roles: Roles;
  readonly context: Context;
  readonly box: SecretBox;
  readonly dnsServers: readonly DnsServer[];
  readonly log: Logger;
}

/** The same once it can check, and before it does. */
export interface RunningService extends Service {
  /** Null: this process does not check. */
  readonly checker: Checker | null;
  /** Where the sources of this process rest, as all nodes know it. */
  learnRests(kept: KeptRests): void;
  /** The guard of whatever is posted from here. */
  readonly postTarget: PostOptions;
}

export interface Feature extends AddedRoutes {
  readonly name: string;
  /** Each removes what is too old. One node at a time does it. */
  readonly sweeps?: readonly Sweep[];
  /** In a process that is starting. What it holds in memory is in what it returns: two services in one process share nothing. */
  join?(service: Service): Part | Promise<Part>;
}

export interface Part {
  readonly observer?: Partial<Observer>;
  /** What the engine shares with other nodes. */
  readonly permits?: PermitStore;
  readonly rests?: RestStore;
  /** Before anything is checked or served. Stopped together with requests and checks. */
  start?(service: RunningService): Stoppable | Promise<Stoppable>;
  /** After the last check. */
  close?(): Promise<unknown>;
}

export interface Stoppable {
  stop(): Promise<unknown>;
}
