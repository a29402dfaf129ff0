// Checks that were asked for and whose answer may not have arrived: at the service, or at the host that asked.
// Promise: the same addresses asked for again, while that is so, are the same check: one idempotency key, one reservation, one
// charge. Once an answer was given, asking again is a new check. What the service refuses costs nothing.
import { createHash, randomUUID } from 'node:crypto';
import { type Check, Refusal } from '@mxproof/client';
import type { Spending } from './spending.ts';
import { ToolRefusal } from './tool-refusal.ts';

export interface Wanted {
  /** Unique: as many as credits will be charged. */
  readonly addresses: readonly string[];
  /** Of the list. */
  readonly name: string | undefined;
}

export interface Begun {
  readonly listId: number;
  /** What the service has charged. */
  readonly credits: number;
  /** Null: a list. */
  readonly check: Check | null;
}

interface Order {
  readonly idempotencyKey: string;
  readonly sinceMs: number;
  readonly credits: number;
  /** Null: not at the service, or not known to be. */
  begun: Promise<Begun> | null;
  /** It may have been charged, whatever a later attempt is answered. */
  inDoubt: boolean;
}

/** Each of them holds credits of the run; beyond this the oldest is forgotten, and its credits stay taken. */
const MAX_ORDERS = 1_000;
/** The service remembers a key for 24 hours. */
const KEY_LIFE_MS = 23 * 3_600_000;

export class BegunChecks {
  readonly #spending: Spending;
  readonly #orders = new Map<string, Order>();

  constructor(spending: Spending) {
    this.#spending = spending;
  }

  async begin(wanted: Wanted, send: (idempotencyKey: string) => Promise<Begun>): Promise<Begun> {
    const name = nameOf(wanted);
    const order = this.#known(name) ?? this.#open(name, wanted.addresses.length);
    order.begun ??= this.#send(name, order, send);
    return order.begun;
  }

  /** Its host has the answer. */
  answered(wanted: Wanted): void {
    this.#orders.delete(nameOf(wanted));
  }

  #known(name: string): Order | undefined {
    const order = this.#orders.get(name);
    if (order === undefined || performance.now() - order.sinceMs < KEY_LIFE_MS) return order;
    this.#orders.delete(name);
    return undefined;
  }

  #open(name: string, credits: number): Order {
    const { left, limit } = this.#spending;
    if (!this.#spending.reserve(credits))
      throw new ToolRefusal(
        `This needs ${credits} credits and ${left} are left of the ${limit} that this run may spend: pass ` +
          'fewer addresses, or ask the user to start this server with a higher --max-credits.',
      );
    const order = {
      idempotencyKey: `mcp-${randomUUID()}`,
      sinceMs: performance.now(),
      credits,
      begun: null,
      inDoubt: false,
    };
    const [oldest] = this.#orders.size < MAX_ORDERS ? [] : this.#orders.keys();
    if (oldest !== undefined) this.#orders.delete(oldest);
    this.#orders.set(name, order);
    return order;
  }

  async #send(name: string, order: Order, send: (key: string) => Promise<Begun>): Promise<Begun> {
    try {
      const begun = await send(order.idempotencyKey);
      // The service may know more of them as the same address than we do.
      this.#spending.giveBack(order.credits - begun.credits);
      return begun;
    } catch (error) {
      order.begun = null;
      order.inDoubt ||= !isCertainlyFree(error);
      if (!order.inDoubt && this.#orders.get(name) === order) {
        this.#orders.delete(name);
        this.#spending.giveBack(order.credits);
      }
      throw error;
    }
  }
}

/** Refused at the first attempt, or at one after others that were refused: nothing was charged. */
function isCertainlyFree(error: unknown): boolean {
  return (error instanceof Refusal && error.status < 500 && !error.inDoubt) || error instanceof TypeError;
}

function nameOf({ addresses, name }: Wanted): string {
  return createHash('sha256')
    .update(JSON.stringify([name ?? null, addresses]))
    .digest('base64');
}
