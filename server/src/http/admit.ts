// Authenticates and admits a request: the key or session first, then the rate windows shared by all nodes.
// Promise: the cost of a request is taken before it is served, and given back if it turns out not to apply.
import { readKey } from '../rules/api-key.ts';
import { isWithin } from '../rules/cidr.ts';
import type { KeyAccess } from '../rules/key-access.ts';
import { batched } from '../store/batched.ts';
import type { Database } from '../store/database.ts';
import { type AccountLimits, findKeyOwners, validKeys } from '../store/keys.ts';
import {
  type RateDecision,
  type RateRequest,
  takeFromWindows,
  type WindowKind,
} from '../store/rate-windows.ts';
import { findSessions, type Session, validSessions } from '../store/sessions.ts';
import { createLastUsed } from './last-used.ts';

/** How many requests share one statement. */
const ASKED_AT_ONCE = 500;
const KEYS_REMEMBERED = 10_000;

/** The state of a rate window, as the RateLimit header gives it. */
export interface WindowState {
  readonly remaining: number;
  readonly resetMs: number;
}

export type Limits = Readonly<Record<WindowKind, number>>;

export interface Caller {
  readonly accountId: number;
  /** Of a test key: the account whose test side this is; else the same. What operators know it by. */
  readonly parentId: number;
  /** What it was admitted with: a key, or a session by its negated id. Rate windows and streams are counted by it. */
  readonly keyId: number;
  /** Null: it came with a key. */
  readonly session: Session | null;
  /** A test key: its account is the test twin of the one that it was made for. */
  readonly test: boolean;
  /** It may make and delete keys. */
  readonly manage: boolean;
  readonly access: KeyAccess;
  /** Its account is. */
  readonly suspended: boolean;
  readonly limits: Limits;
  /** Of all keys and sessions of the account together. */
  readonly accountLimits: Limits;
  /** As of the last decision. `addresses` only if addresses were taken. */
  readonly windows: { requests: WindowState; addresses: WindowState | null };
}

type Admission =
  | { readonly kind: 'invalid_api_key' }
  | { readonly kind: 'admitted'; readonly caller: Caller }
  | { readonly kind: 'rate_limited'; readonly caller: Caller; readonly retryAfterMs: number };

/** What a request presents. If it is both, the key decides. */
interface Credentials {
  readonly authorization: string | undefined;
  /** Hash of the session's cookie and proof. */
  readonly session: Buffer | null;
  /** Where it comes from. */
  readonly ip: string;
}

export interface Gate {
  /** Whether the last request with this key was admitted, and its account is active. Not an authorization. */
  admittedLast(authorization: string | undefined): boolean;
  /** Takes 1 from the requests window. */
  admit(presented: Credentials): Promise<Admission>;
  /** The 429 of a refused ask costs nothing at all: the request's own 1 is given back as well. */
  takeAddresses(
    caller: Caller,
    amount: number,
  ): Promise<{ granted: true } | { granted: false; retryAfterMs: number }>;
  giveBack(caller: Caller, kind: WindowKind, amount: number): void;
  /** Whether what the caller was admitted with still is valid: asked again and again while a response goes on. */
  isValid(caller: Caller): Promise<boolean>;
  /** Resolves when nothing that was given back or noted is on its way any more. */
  settled(): Promise<void>;
}

/** `accountFactor`: how many times a key's limits an account has, for all of its keys together. */
export function createGate(db: Database, limits: Limits, accountFactor: number): Gate {
  const ownerOf = batched(ASKED_AT_ONCE, (keys: readonly NonNullable<ReturnType<typeof readKey>>[]) =>
    findKeyOwners(db, keys),
  );
  const sessionOf = batched(ASKED_AT_ONCE, (hashes: readonly Buffer[]) => findSessions(db, hashes));
  const isKeyValid = batched(ASKED_AT_ONCE, async (keyIds: readonly number[]) => {
    const valid = await validKeys(db, keyIds);
    return keyIds.map((keyId) => valid.has(keyId));
  });
  const isSessionValid = batched(ASKED_AT_ONCE, async (sessions: readonly Session[]) => {
    const valid = await validSessions(
      db,
      sessions.map(({ id }) => id),
    );
    // One that has gone to another account has nothing to do with this one any more.
    return sessions.map(({ id, accountId }) => valid.get(id) === accountId);
  });
  const take = batched(ASKED_AT_ONCE, (asks: readonly RateRequest[]) => takeFromWindows(db, asks));
  const lastUsed = createLastUsed(db);
  const onTheirWay = new Set<Promise<unknown>>();
  /** Hashes of keys, the latest last. */
  const admitted = new Set<string>();

  function remember(hash: string, isAdmitted: boolean): void {
    admitted.delete(hash);
    if (isAdmitted) admitted.add(hash);
    const oldest = admitted.values().next().value;
    if (admitted.size > KEYS_REMEMBERED && oldest !== undefined) admitted.delete(oldest);
  }

  type Who = Pick<Caller, 'keyId' | 'accountId' | 'limits' | 'accountLimits'>;
  const askOwn = ({ keyId, limits }: Who, kind: WindowKind, amount: number) =>
    take({ holderId: keyId, kind, limit: limits[kind], amount });
  const askAccount = ({ accountId, accountLimits }: Who, kind: WindowKind, amount: number) =>
    take({ holderId: accountId, kind: `account_${kind}`, limit: accountLimits[kind], amount });

  /** From both windows or neither; what the client is told of is its own. */
  async function ask(who: Who, kind: WindowKind, amount: number): Promise<RateDecision> {
    const [own, account] = await Promise.all([askOwn(who, kind, amount), askAccount(who, kind, amount)]);
    if (own.granted && account.granted) return own;
    if (own.granted) onTheWay(askOwn(who, kind, -amount));
    if (account.granted) onTheWay(askAccount(who, kind, -amount));
    return {
      ...own,
      granted: false,
      remaining: own.granted ? Math.min(who.limits[kind], own.remaining + amount) : own.remaining,
      retryAfterMs: Math.max(own.retryAfterMs, account.retryAfterMs),
    };
  }

  /**
   * Not awaited: requests of this node are answered in order, so the caller's next one sees it. Lost with the database's
   * death it costs the caller one request for a minute.
   */
  function onTheWay(giving: Promise<unknown>): void {
    const settled = giving.catch(() => {}).finally(() => onTheirWay.delete(settled));
    onTheirWay.add(settled);
  }

  /** Of a key of the account without limits of its own. */
  function baseLimits({ base }: AccountLimits): Limits {
    return {
      requests: base.requests ?? limits.requests,
      addresses: base.addresses ?? limits.addresses,
    };
  }

  /** Of all its keys together. They follow the highest of its keys': a key whose limit was raised can use it. */
  function accountLimits(base: Limits, { ofKeys }: AccountLimits): Limits {
    const of = (kind: WindowKind) => Math.floor(accountFactor * Math.max(base[kind], ofKeys[kind] ?? 0));
    return { requests: of('requests'), addresses: of('addresses') };
  }

  function giveBack(caller: Caller, kind: WindowKind, amount: number): void {
    const { windows } = caller;
    const now = windows[kind];
    if (now) windows[kind] = { ...now, remaining: Math.min(caller.limits[kind], now.remaining + amount) };
    onTheWay(ask(caller, kind, -amount));
  }

  return {
    giveBack,
    isValid: ({ keyId, session }) => (session ? isSessionValid(session) : isKeyValid(keyId)),
    admittedLast(authorization) {
      const key = readKey(bearer(authorization));
      return key !== null && admitted.has(nameOf(key));
    },
    async admit({ authorization, session: hash, ip }) {
      const key = readKey(bearer(authorization));
      const owner = key && (await ownerOf(key));
      const session = authorization === undefined && hash ? await sessionOf(hash) : null;
      const found = owner ?? session;
      if (!found || (found.allowedIps !== null && !isWithin(ip, found.allowedIps)))
        return { kind: 'invalid_api_key' };
      if (owner) lastUsed.saw(owner.keyId);
      const base = baseLimits(found.accountLimits);
      const who = {
        accountId: found.accountId,
        parentId: found.parentId,
        keyId: owner ? owner.keyId : -session!.id,
        session: owner ? null : session,
        test: found.test,
        manage: found.manage,
        access: found.access,
        suspended: found.suspended,
        limits: {
          requests: found.rateRequests ?? base.requests,
          addresses: found.rateAddresses ?? base.addresses,
        },
        accountLimits: accountLimits(base, found.accountLimits),
      };
      const decision = await ask(who, 'requests', 1);
      if (key) remember(nameOf(key), decision.granted && !found.suspended);
      const caller: Caller = { ...who, windows: { requests: decision, addresses: null } };
      return decision.granted
        ? { kind: 'admitted', caller }
        : { kind: 'rate_limited', caller, retryAfterMs: decision.retryAfterMs };
    },
    async takeAddresses(caller, amount) {
      const decision = await ask(caller, 'addresses', amount);
      caller.windows.addresses = decision;
      if (decision.granted) return { granted: true };
      giveBack(caller, 'requests', 1);
      return { granted: false, retryAfterMs: decision.retryAfterMs };
    },
    async settled() {
      await Promise.all([...onTheirWay, lastUsed.settled()]);
    },
  };
}

/** By its prefix: the response to an expired or unknown test key is a test response too. */
export function isTestKey(authorization: string | undefined): boolean {
  return bearer(authorization).startsWith('mx_test_');
}

const nameOf = ({ hash }: { hash: Buffer }) => hash.toString('base64');

function bearer(authorization: string | undefined): string {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
}
