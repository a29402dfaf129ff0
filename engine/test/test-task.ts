// A recipient for tests of queues and flights: told nothing, probing nothing.
import type { HostQueue } from '../src/state/check-state.ts';
import { NOT_QUEUED, Task } from '../src/state/task.ts';

export const SOME_QUEUE: HostQueue = { mx: 'mx.a.example', heldUpBy: () => null };

type TaskOverrides = Partial<
  Pick<Task, 'kind' | 'address' | 'single' | 'holder' | 'lot' | 'boundSender' | 'sendersRefused'>
> & { readonly domainName?: string; readonly probeBehind?: () => Task | null };

export class TestTask extends Task {
  readonly kind: Task['kind'];
  readonly address: Task['address'];
  readonly domain: Task['domain'];
  readonly single: boolean;
  readonly holder: string;
  readonly lot: number;
  readonly boundSource = null;
  readonly boundSender: string | null;
  readonly #probeBehind: () => Task | null;

  constructor(name: string, given: TaskOverrides = {}) {
    super(NOT_QUEUED);
    const { domainName: domain = 'a.example' } = given;
    this.kind = given.kind ?? 'real';
    this.address = given.address ?? {
      local: name,
      domain,
      mailbox: `${name}@${domain}`,
      needsSmtpUtf8: false,
    };
    this.domain = { name: domain } as Task['domain'];
    this.single = given.single ?? false;
    this.holder = given.holder ?? '0';
    this.lot = given.lot ?? 0;
    this.boundSender = given.boundSender ?? null;
    this.#probeBehind = given.probeBehind ?? (() => null);
    this.sendersRefused = given.sendersRefused ?? 0;
  }

  told(): void {}

  probeBehind(): Task | null {
    return this.#probeBehind();
  }
}
