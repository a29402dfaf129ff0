// Debian's PgBouncer in front of a PostgreSQL. Promise: stopped by stop(), however the test went.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../src/embedded/free-port.ts';
import { until } from './until.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
/** It refuses root. */
const NOBODY = 65_534;

/** Required, it fails where there is none. */
export const hasPgBouncer = existsSync(PGBOUNCER) || process.env.MXPROOF_REQUIRE_EXTRAS === '1';
if (!hasPgBouncer) console.warn(`skipped: no ${PGBOUNCER}`);

/** `settings`: lines of pgbouncer.ini; all others are as they come. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-pgbouncer-'));
  chmodSync(folder, 0o755);
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  const port = await findFreePort();
  writeFileSync(join(folder, 'users'), `"${url.username}" "${url.password}"\n`, { mode: 0o644 });
  const ini = `[databases]
${name} = host=${url.hostname} port=${url.port} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users')}
${settings}
`;
  writeFileSync(join(folder, 'ini'), ini, { mode: 0o644 });
  const child = spawn(PGBOUNCER, ['-q', join(folder, 'ini')], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  });
  url.port = String(port);
  await until(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
  return {
    url: url.href,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
