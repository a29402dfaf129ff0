// The only access to PostgreSQL: a pool that survives the death of the database, and transactions.
// Promise: a connection that breaks is an `Unavailable` error for its caller, never a crash of the process.
import pg from 'pg';
import { DatabaseHosts, HOST_CONNECT_TIMEOUT_MS } from './database-hosts.ts';

/** A handshake takes three round trips: with a database two seconds away it must still come about. */
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
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
}

export function openDatabase(options: DatabaseOptions): Database {
  const hosts = new DatabaseHosts(options.url, (line) => options.onHost?.(line));
  const connection: pg.ClientConfig = {
    application_name: options.applicationName ?? 'mxproof',
    connectionTimeoutMillis:
      options.connectTimeoutMs ?? (hosts.isSeveral ? HOST_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS),
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
  const poolSize = options.poolSize ?? POOL_SIZE;
  const pool = new pg.Pool({
    ...connection,
    query_timeout: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    max: poolSize,
    Client: clientOf(hosts),
    verify: (client, done) => void checkHost(hosts, client).then(() => done(), done),
  });
  // Without this handler an idle connection's death would end the process.
  pool.on('error', (error) => options.onError?.(error));

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const client = await hosts.each(() => pool.connect());
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const value = await work(on(client));
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
    ...on(pool, hosts),
    poolSize,
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    transaction,
    async serverVersion() {
      const { rows } = await hosts.each(() =>
        pool.query<{ server_version_num: string }>('SHOW server_version_num'),
      );
      return Number(rows[0]?.server_version_num);
    },
    async ping() {
      await hosts.each(() => pool.query('SELECT 1'));
    },
    connectAlone: () =>
      hosts.each(async () => {
        const client = new (clientOf(hosts))({ ...connection, statement_timeout: false });
        await client.connect();
        await checkHost(hosts, client).catch(async (error) => {
          await client.end().catch(() => {});
          throw error;
        });
        return client;
      }),
    close: () => pool.end(),
  };
}

/** Connects to the host whose turn it is; where that fails, it is the next one's. */
function clientOf(hosts: DatabaseHosts) {
  return class HostClient extends pg.Client {
    readonly hostUrl = hosts.url;

    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: hosts.url });
      // One that is being connected, checked out or used may not end the process either: it may fail in the very packet that
      // made it free, before its user has attached a handler. The rejected statement tells its caller.
      this.on('error', () => {});
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error, client: this) => void): void;
    override connect(callback?: (error: Error, client: this) => void): Promise<this> | undefined {
      const connected = super.connect().then(
        () => this,
        (error: Error) => {
          hosts.failed(this.hostUrl, error);
          throw error;
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

/** `hosts`: of a pool, which connects. */
function on(target: pg.Pool | pg.PoolClient, hosts?: DatabaseHosts): Tx {
  const sent = <T>(work: () => Promise<T>) => (hosts === undefined ? work() : hosts.each(work));
  return {
    async query<R extends Row>(text: string, values: readonly unknown[] = []) {
      return (await sent(() => target.query<R>(text, values as unknown[]))).rows;
    },
    async prepared<R extends Row>(name: string, text: string, values: readonly unknown[]) {
      return (await sent(() => target.query<R>({ name, text, values: values as unknown[] }))).rows;
    },
  };
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
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
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|database system is (starting|shutting|in recovery)/i;

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

/** The database rejected a statement, so its transaction is certainly rolled back. */
export function isRefused(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(codeOf(error)) && !isUnavailable(error);
}
