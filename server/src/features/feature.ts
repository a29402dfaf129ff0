// What an optional part adds to the service. The service knows none of them by name: main.ts walks the list of features.ts.
import type { Checker, KeptRests, PermitStore, RestStore } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { PostOptions } from '../callback/post.ts';
import type { Context } from '../flow/context.ts';
import type { Observer } from '../flow/observer.ts';
import type { StartingAddress } from '../http/answer-while-starting.ts';
import type { Readiness } from '../http/readiness.ts';
import type { AddedRoutes } from '../http/route-parts.ts';
import type { Config, DnsServer } from '../settings/config.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Sweep } from '../worker/sweeps.ts';

export interface Roles {
  readonly http: boolean;
  readonly checks: boolean;
}

/** A process of the service that is starting. */
export interface Service {
  readonly config: Config;
  readonly roles: Roles;
  readonly context: Context;
  readonly box: SecretBox;
  readonly dnsServers: readonly DnsServer[];
  readonly log: Logger;
}

/** The same process once its checker is there, before the first address is checked. */
export interface RunningService extends Service {
  /** Null: this process does not check. */
  readonly checker: Checker | null;
  /** Where the sources of this process rest, as all nodes know it. */
  learnRests(kept: KeptRests): void;
  readonly readiness: Readiness;
  /** All that features of this process count. */
  readonly observer: Partial<Observer>;
  /** The guard of whatever is posted from here. */
  readonly postTarget: PostOptions;
  /** How long what is under way may go on when the service stops. */
  readonly stopGraceMs: number;
}

export interface Feature extends AddedRoutes {
  readonly name: string;
  /** Each removes rows that are too old; one node at a time runs them. */
  readonly sweeps?: readonly Sweep[];
  /** Where it will listen, besides the API: probes are answered there while the service starts. */
  listensAt?(config: Config): StartingAddress | null;
  /** Called once for each service. The feature keeps its memory in what it returns, so that two services in one process share none. */
  join?(service: Service): Part | Promise<Part>;
}

export interface Part {
  readonly observer?: Partial<Observer>;
  /** The engine's limits and rests, which the nodes share. Of several features the first that has them counts. */
  readonly permits?: PermitStore;
  readonly rests?: RestStore;
  /** Examines this machine now, and stores what is found. Of several features the first that has it counts. */
  examine?(): Promise<void>;
  /** As those of the feature, by the settings. */
  readonly sweeps?: readonly Sweep[];
  /** Called before anything is checked or served; stopped together with requests and checks. */
  start?(service: RunningService): Stoppable | Promise<Stoppable>;
  /** Called after the last check has ended. */
  close?(): Promise<unknown>;
}

export interface Stoppable {
  stop(): Promise<unknown>;
}
