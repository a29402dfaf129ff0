// The only access to PostgreSQL: a pool that survives the death of the database, and transactions.
// Promise: a connection that breaks is an `Unavailable` error for its caller, never a crash of the process.
import pg from 'pg';
import { DatabaseHosts, HOST_CONNECT_TIMEOUT_MS } from './database-hosts.ts';

/** A handshake takes three round trips: with a database two seconds away it must still come about. */
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
};
const NO_LIMITS = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
const SET_LIMITS = Object.entries(LIMITS)
  .map(([name, limitMs]) => `SET ${name} = ${limitMs}`)
  .join(';');
/** A server that is frozen or cut off enforces neither limit: no caller waits longer than this. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Lets a connection that only waits for notifications detect that the server is gone. */
const KEEP_ALIVE_AFTER_MS = 10_000;
const POOL_SIZE = 16;
const DEADLOCK_ATTEMPTS = 3;
const INT8_OID = 20;

// Identifiers, sums and times stay far below 2^53.
pg.types.setTypeParser(INT8_OID, Number);

export type Row = Record<string, unknown>;

/** Something that runs statements: the pool, or one transaction's connection. */
export interface Tx {
  query<R extends Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Prepared once per connection under `name`; for the hot statements. */
  prepared<R extends Row>(name: string, text: string, values: readonly unknown[]): Promise<R[]>;
}

export interface Database extends Tx {
  /** How many connections it has at most. */
  readonly poolSize: number;
  /** Its connections at this moment, and callers that wait for one. */
  connections(): { readonly inUse: number; readonly idle: number; readonly waiting: number };
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** As PostgreSQL counts: 140005 is 14.5. */
  serverVersion(): Promise<number>;
  /** Throws unless the database answers. */
  ping(): Promise<void>;
  /** A connection of its own for LISTEN; the caller ends it. */
  connectAlone(): Promise<pg.Client>;
  close(): Promise<void>;
}

/** The same database within a transaction: what would begin one of its own joins it, and ends with it. */
export function joined(db: Database, tx: Tx): Database {
  return {
    poolSize: db.poolSize,
    connections: () => db.connections(),
    serverVersion: () => db.serverVersion(),
    ping: () => db.ping(),
    connectAlone: () => db.connectAlone(),
    close: () => db.close(),
    query: (text, values) => tx.query(text, values),
    prepared: (name, text, values) => tx.prepared(name, text, values),
    transaction: (work) => work(tx),
  };
}

export interface DatabaseOptions {
  /** May name several hosts. */
  readonly url: string;
  readonly poolSize?: number;
  readonly applicationName?: string;
  readonly onError?: (error: Error) => void;
  /** Called with what the operator should know of the hosts. */
  readonly onHost?: (line: string) => void;
  /** 0: none, for statements that may take an hour. */
  readonly answerTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** False: for a look that leaves its sessions as they were, since a pooler may hand them to others. */
  readonly setsLimits?: boolean;
}

export function openDatabase(options: DatabaseOptions): Database {
  const hosts = new DatabaseHosts(options.url, (line) => options.onHost?.(line));
  const setsLimits = options.setsLimits ?? true;
  /** PgBouncer refuses limits at the start of a session: they are set in the session then, for a round trip more. */
  let refusesLimits = false;
  const connection: pg.ClientConfig = {
    application_name: options.applicationName ?? 'mxproof',
    connectionTimeoutMillis:
      options.connectTimeoutMs ?? (hosts.isSeveral ? HOST_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS),
    ...(setsLimits ? LIMITS : NO_LIMITS),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
  const poolSize = options.poolSize ?? POOL_SIZE;
  const Client = clientOf(hosts, () => (refusesLimits ? NO_LIMITS : {}));
  const pool = new pg.Pool({
    ...connection,
    query_timeout: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    max: poolSize,
    Client,
    verify: (client, done) => void prepare(client).then(() => done(), done),
  });
  // Without this handler an idle connection's death would end the process.
  pool.on('error', (error) => options.onError?.(error));

  async function prepare(client: pg.ClientBase): Promise<void> {
    await checkHost(hosts, client);
    if (refusesLimits && setsLimits) await client.query(SET_LIMITS);
  }

  /** Each host has its turn, and one that refuses limits a second one. */
  async function connected<T>(connect: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const { url } = hosts;
      try {
        return await connect();
      } catch (error) {
        const isRefused = isRefusedLimit(error);
        refusesLimits ||= isRefused;
        if (attempt >= hosts.count || !(isRefused || hosts.url !== url)) throw error;
      }
    }
  }

  const checkOut = () => connected(() => pool.connect());

  const query: Run = async (config) => {
    const client = await checkOut();
    let broken: Error | undefined;
    try {
      return await client.query(config);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const client = await checkOut();
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const value = await work(on((config) => client.query(config)));
        await client.query('COMMIT');
        return value;
      } catch (error) {
        // After a statement without an answer, a ROLLBACK would wait as long again.
        if (isUnanswered(error)) broken = error as Error;
        else
          await client.query('ROLLBACK').catch((rollbackError: Error) => {
            broken = rollbackError;
          });
        if (isDeadlock(error) && attempt < DEADLOCK_ATTEMPTS) continue;
        throw error;
      } finally {
        client.release(broken);
      }
    }
  }

  return {
    ...on(query),
    poolSize,
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    transaction,
    async serverVersion() {
      const { rows } = await query<{ server_version_num: string }>({ text: 'SHOW server_version_num' });
      return Number(rows[0]?.server_version_num);
    },
    async ping() {
      await query({ text: 'SELECT 1' });
    },
    async connectAlone() {
      return connected(async () => {
        const client = new Client({ ...connection, statement_timeout: false });
        await client.connect();
        await checkHost(hosts, client).catch(async (error) => {
          await client.end().catch(() => {});
          throw error;
        });
        return client;
      });
    },
    close: () => pool.end(),
  };
}

/** Connects to the host whose turn it is; where that fails, it is the next one's. */
function clientOf(hosts: DatabaseHosts, overrides: () => pg.ClientConfig) {
  return class HostClient extends pg.Client {
    readonly hostUrl = hosts.url;

    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, ...overrides(), connectionString: hosts.url });
      // It may fail in the very packet that made it free, before its user has attached a handler, and would end the process.
      // The rejected statement tells its caller.
      this.on('error', () => {});
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error, client: this) => void): void;
    override connect(callback?: (error: Error, client: this) => void): Promise<this> | undefined {
      const connected = super.connect().then(
        () => this,
        (error: Error) => {
          hosts.failed(this.hostUrl);
          throw hosts.explain(error, this.hostUrl);
        },
      );
      if (callback === undefined) return connected;
      connected.then(
        () => callback(undefined as never, this),
        (error: Error) => callback(error, this),
      );
      return undefined;
    }
  };
}

async function checkHost(hosts: DatabaseHosts, client: pg.ClientBase): Promise<void> {
  await hosts.check(client, (client as pg.Client & { hostUrl: string }).hostUrl);
}

type Run = <R extends Row>(config: pg.QueryConfig) => Promise<pg.QueryResult<R>>;

function on(run: Run): Tx {
  return {
    async query<R extends Row>(text: string, values: readonly unknown[] = []) {
      return (await run<R>({ text, values: values as unknown[] })).rows;
    },
    async prepared<R extends Row>(name: string, text: string, values: readonly unknown[]) {
      return (await run<R>({ name, text, values: values as unknown[] })).rows;
    },
  };
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function isRefusedLimit(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message);
}

/** Of a transaction with a `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01';
}

/** Its limit has ended the statement. */
export function isTooSlow(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** The driver's words for a statement that had no answer in time. */
const UNANSWERED_TEXT = 'Query read timeout';

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === UNANSWERED_TEXT;
}

/**
 * By class: the connection (08), resources such as disk or connections (53), the operator's doing (57P0), time-outs
 * (25P03, 57014), a standby that is not yet the primary (25006), the server's own disk (58030).
 */
const UNAVAILABLE_STATES = /^(08...|53...|57P0[1-5]|25P03|57014|25006|58030)$/;
/** What the network says where the server says nothing. */
const UNAVAILABLE_ERRNOS =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL|E[MN]FILE)$/;
const UNAVAILABLE_TEXT =
  /connection terminated|timeout (exceeded when trying to connect|expired)|client has encountered a connection error|not queryable|after calling end on the pool|database system is (starting|shutting|in recovery)/i;

/** The database cannot answer now: the request is safe to repeat, and gets a 503. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (UNAVAILABLE_STATES.test(code) || UNAVAILABLE_ERRNOS.test(code) || isUnanswered(error)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return error instanceof Error && UNAVAILABLE_TEXT.test(error.message);
}

/** The error is PostgreSQL's own, whose text may quote values of a row or statement. */
export function isFromPostgres(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}
