// postgres: whether the database can carry the service.

import { NEWEST_POSTGRES } from '../../embedded/newest-postgres.ts';
import { findCluster } from '../../embedded/place-cluster.ts';
import { connectionsOfNode } from '../../rules/node-connections.ts';
import {
  type DatabaseFacts,
  findPooler,
  type PoolerMode,
  readDatabaseFacts,
} from '../../store/database-facts.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { about, failure, faultsOr, sentence, skipped, warning } from './result.ts';

const OLDEST_VERSION = 140_000;
const SLOW_MS = 25;
const FEW_CONNECTIONS = 3;
const OLD_TRANSACTION_SECONDS = 3_600;

export const postgresCheck: DoctorCheck = {
  id: 'postgres',
  title: 'PostgreSQL',
  needs: [],
  reportsDatabase: true,
  async run({ config, db, databaseError }, signal) {
    const ofNode = connectionsOfNode(config.databaseConnections);
    const newest = config.databaseUrl === null ? NEWEST_POSTGRES.version : null;
    if (db !== null)
      return judgePostgres(await readDatabaseFacts(db), await findPooler(db, signal), ofNode, newest);
    if (config.databaseUrl === null && findCluster(config.dataDir) === null)
      return skipped('There is no database yet: the first start of the service makes it.');
    return unopened(databaseError ?? 'it could not be opened', config.databaseUrl !== null);
  },
};

/**
 * @param ofNode the connections that a node has at most
 * @param newest the newest version that is known of the included PostgreSQL; null: it is the operator's own
 */
export function judgePostgres(
  facts: DatabaseFacts,
  pooler: PoolerMode,
  ofNode: number,
  newest: number | null,
): readonly CheckResult[] {
  const { version, hasFsync, isStandby, connectionsLeft, connectionsAllowed, roundTripMs } = facts;
  const faults: CheckResult[] = [];
  if (version < OLDEST_VERSION)
    faults.push(
      about(
        'version',
        failure(
          `It is PostgreSQL ${versionText(version)}, and MXProof needs 14 or newer.`,
          'Upgrade PostgreSQL, or unset DATABASE_URL to use the embedded one.',
        ),
      ),
    );
  if (newest !== null && version < newest)
    faults.push(
      about(
        'version',
        warning(
          `The included PostgreSQL is ${versionText(version)}, and ${versionText(newest)} repairs faults of it.`,
          'Update MXProof and restart the service; if it is the newest MXProof, docs/guide/postgresql.md says how to move to a PostgreSQL of your own.',
        ),
      ),
    );
  if (isStandby)
    faults.push(
      about(
        'standby',
        failure(
          'It is a standby and takes no writes.',
          'Let DATABASE_URL lead to the primary, or promote this server.',
        ),
      ),
    );
  if (!hasFsync)
    faults.push(
      about(
        'fsync',
        failure(
          'fsync is off: a power cut or a crash of the machine can lose or corrupt lists and credits that were paid for.',
          'Set "fsync = on" in postgresql.conf and reload PostgreSQL.',
        ),
      ),
    );
  if (pooler === 'transaction')
    faults.push(
      about(
        'pooler',
        failure(
          'A pooler in transaction mode is in between: prepared statements and LISTEN, which the service uses, break in it.',
          'Let DATABASE_URL lead to PostgreSQL itself, or set the pooler to session mode (pool_mode = session).',
        ),
      ),
    );
  if (connectionsLeft < ofNode) {
    const detail = `${connectionsLeft} of ${connectionsAllowed} connections are left, and a node has up to ${ofNode}.`;
    const advice =
      'Raise max_connections (or the limit of the database or its user), or close the connections of other programs.';
    faults.push(
      about('connections', (connectionsLeft < FEW_CONNECTIONS ? failure : warning)(detail, advice)),
    );
  }
  const { oldestTransactionSeconds: oldest } = facts;
  if (oldest !== null && oldest > OLD_TRANSACTION_SECONDS)
    faults.push(
      about(
        'oldest transaction',
        warning(
          `A transaction has been open for ${hoursText(oldest)}: until it ends, deleted rows stay on disk and tables grow.`,
          'Find it with "SELECT pid, xact_start, state FROM pg_stat_activity ORDER BY xact_start" and end it with pg_terminate_backend(pid).',
        ),
      ),
    );
  if (roundTripMs > SLOW_MS)
    faults.push(
      about(
        'latency',
        warning(
          `A statement without any work takes ${roundTripMs.toFixed(0)} ms: requests wait for several of them.`,
          'Put the database and the service into the same data centre, and see whether the database is overloaded.',
        ),
      ),
    );
  const through = pooler === 'session' ? ', through a pooler in session mode' : '';
  return faultsOr(
    `PostgreSQL ${versionText(version)} answers in ${roundTripMs.toFixed(1)} ms${through}; ${connectionsLeft} of ${connectionsAllowed} connections are left.`,
    faults,
  );
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/i,
    'A pooler such as PgBouncer is in between: let DATABASE_URL lead to PostgreSQL itself.',
  ],
  [
    /password authentication|no pg_hba|role .* does not exist|authentication/i,
    'Correct the user and password in DATABASE_URL, and see pg_hba.conf of the server.',
  ],
  [
    /database .* does not exist/i,
    'Create the database with "createdb", or correct its name in DATABASE_URL.',
  ],
  [
    /too many (clients|connections)|remaining connection slots/i,
    'Raise max_connections, or close the connections of other programs.',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'Correct the host name in DATABASE_URL, or see why it does not resolve.'],
  [/ECONNREFUSED|ENOENT/, 'Start PostgreSQL, or correct the host and port in DATABASE_URL.'],
  [/SSL/i, 'Add "?sslmode=require" to DATABASE_URL, or remove it, as the server wants it.'],
];
const ADVICE_OF_SILENCE =
  'See whether the host and port in DATABASE_URL are PostgreSQL, whether a firewall drops the packets, and whether the server is overloaded.';
const ADVICE_OF_EMBEDDED =
  'See the sentence; run the doctor as the user who runs the service, or as root; see the log of the service.';

function unopened(why: string, isOwn: boolean): CheckResult {
  if (!isOwn) return failure(sentence(why), ADVICE_OF_EMBEDDED);
  const advice = ADVICE.find(([words]) => words.test(why))?.[1] ?? ADVICE_OF_SILENCE;
  return failure(sentence(`Cannot use the database at DATABASE_URL: ${why}`), advice);
}

function versionText(version: number): string {
  return `${Math.floor(version / 10_000)}.${version % 10_000}`;
}

function hoursText(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
