import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { type Child, startNode } from '../../../server/test/child.ts';
import { until } from '../../../server/test/until.ts';

const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mxproof reload '));
const children: Child[] = [];
afterAll(async () => {
  for (const each of children) await each.end();
  rmSync(folder, { recursive: true, force: true });
});
const path = (name: string) => join(folder, name);
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

function certify(name: string): void {
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1'.split(' ');
  const files = ['-keyout', path('key.pem'), '-out', path('cert.pem')];
  execFileSync('openssl', [...words, '-subj', `/CN=${name}`, ...files], { stdio: 'ignore' });
}

function servedName(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    }).on('error', reject);
  });
}

function start(shell: string): Child {
  const env = { PATH: process.env.PATH, MXPROOF_CONFIG: path('mxproof.conf') };
  const child = startNode([launcher, 'serve'], env, { shell });
  children.push(child);
  return child;
}

test.skipIf(!hasOpenssl)(
  'under systemd SIGHUP reads certificate, policy and configuration file again; elsewhere it stops the service; SIGUSR1 does nothing',
  async () => {
    certify('before.example.com');
    writeFileSync(path('policy.json'), '{"never": ["one.example"]}');
    const config = [
      'PORT=0',
      `MXPROOF_DATA_DIR="${path('data')}"`,
      'MXPROOF_DNS_SERVERS=127.0.0.1:9',
      'MXPROOF_HELO_NAME=probe.example.com',
      'MXPROOF_SHOW_FIRST_KEY=0',
      `MXPROOF_TLS_CERT="${path('cert.pem')}"`,
      `MXPROOF_TLS_KEY="${path('key.pem')}"`,
      `MXPROOF_POLICY_FILE="${path('policy.json')}"`,
    ];
    const write = (...more: string[]) => writeFileSync(path('mxproof.conf'), [...config, ...more].join('\n'));
    write();
    const service = start('export SYSTEMD_EXEC_PID=$$');
    const { url } = JSON.parse(await service.line(/"msg":"ready"/)) as { url: string };
    const port = Number(new URL(url).port);
    expect(await servedName(port)).toBe('before.example.com');

    // One request and no program answers a supervisor.
    const env = { PATH: process.env.PATH, PORT: String(port), MXPROOF_CONFIG: path('mxproof.conf') };
    const asked = spawnSync(process.execPath, ['--trace-deprecation', launcher, 'healthcheck'], {
      env,
      encoding: 'utf8',
    });
    expect(asked).toMatchObject({
      status: 0,
      stdout: `The service answers at ${url}, and so does its database.\n`,
    });

    service.process.kill('SIGUSR1');
    certify('after.example.com');
    writeFileSync(path('policy.json'), '{"never": ["two.example"]}');
    write('MXPROOF_LIST_HOURS=5');
    service.process.kill('SIGHUP');
    await service.line(/settings read again: certificate, policy file and disposable domains/);
    expect(await servedName(port)).toBe('after.example.com');
    expect(await service.line(/take effect at the next start/)).toContain(
      '"settings":["MXPROOF_LIST_HOURS"]',
    );

    // A mistake leaves all of it as it was.
    writeFileSync(path('policy.json'), '{"nevr": []}');
    service.process.kill('SIGHUP');
    await service.line(/MXPROOF_POLICY_FILE .* The settings read before stay in effect\./);
    expect(await servedName(port)).toBe('after.example.com');
    expect(service.lines.filter((line) => /Debugger listening/.test(line))).toEqual([]);
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);

    writeFileSync(path('policy.json'), '{}');
    const other = start('export SYSTEMD_EXEC_PID=1');
    await other.line(/"msg":"ready"/);
    other.process.kill('SIGHUP');
    expect(await other.ended).toBe(0);
    await until(() => other.lines.some((line) => /"signal":"SIGHUP","msg":"shutting down"/.test(line)));
  },
);
