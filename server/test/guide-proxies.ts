// nginx and Caddy with the examples of the guide, for real, on loopback.
// Promise: an example runs as it stands there but for what a test cannot have: ports, certificates, the service's address.
// stop() ends the process it started and leaves no folder behind.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../src/embedded/free-port.ts';
import { until } from './until.ts';

export const NAME = 'verify.example.com';
const GUIDE = readFileSync(new URL('../../docs/guide/https.md', import.meta.url), 'utf8');
/** As scripts/unpack-proxies.sh leaves them. */
const UNPACKED = process.env.MXPROOF_PROXY_DIR ?? '';
const START_LIMIT_MS = 30_000;
const LOG_MAX_CHARS = 16_384;

export type Make = 'nginx' | 'caddy';

export interface RunningProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** Null: it is not on this machine. */
export function programOf(make: Make): string | null {
  const path = make === 'nginx' ? '/usr/sbin/nginx' : '/usr/bin/caddy';
  return [`${UNPACKED}${path}`, path].find((each) => existsSync(each)) ?? null;
}

/** @param changes of the example, beyond what a test cannot have */
export async function startProxy(
  make: Make,
  servicePort: number,
  changes: Changes = {},
): Promise<RunningProxy> {
  const changed = { ...changes, '127.0.0.1:8080': `127.0.0.1:${servicePort}` };
  return launch(make, (folder, port) =>
    make === 'nginx'
      ? configureNginx(folder, port, changed)
      : configureCaddy(folder, port, exampleOf('caddy', changed)),
  );
}

/** With a Caddyfile and the variables it names. */
export function startCaddy(caddyfile: string, variables: Changes): Promise<RunningProxy> {
  return launch('caddy', (folder, port) => configureCaddy(folder, port, caddyfile), variables);
}

async function launch(
  make: Make,
  configure: (folder: string, port: number) => readonly string[],
  variables: Changes = {},
): Promise<RunningProxy> {
  const program = programOf(make);
  if (program === null) throw new Error(`${make} is not on this machine: run scripts/unpack-proxies.sh`);
  const folder = mkdtempSync(join(tmpdir(), `mxproof-${make}-`));
  const port = await findFreePort();
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, ...variables };
  const child = spawn(program, configure(folder, port), { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (said = `${said}${chunk}`.slice(-LOG_MAX_CHARS)));
  const ended = once(child, 'close');
  const proxy: RunningProxy = {
    port,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
  try {
    // Caddy listens before it has a certificate.
    await until(
      async () => child.exitCode !== null || (await ask(proxy, '/healthz')).status === 200,
      START_LIMIT_MS,
    );
    if (child.exitCode !== null) throw new Error('it ended');
  } catch (cause) {
    await proxy.stop();
    throw new Error(`${make} did not start:\n${said}`, { cause });
  }
  return proxy;
}

/** What stands in the example, and what stands there instead. */
export type Changes = Readonly<Record<string, string>>;

function blockOf(make: Make, begins: RegExp): string {
  const block = [...GUIDE.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)]
    .map(([, text]) => text!)
    .find(begins.test, begins);
  if (block === undefined) throw new Error(`docs/guide/https.md has no such example of ${make}`);
  return block;
}

/** The guide's lines that let only these addresses to the operator's interface, in their place in its example. */
export function onlyFrom(make: Make, address: string): Changes {
  const place = make === 'nginx' ? '  location / {' : '\treverse_proxy';
  const lines = blockOf(make, make === 'nginx' ? /^ {2}location ~/ : /^\t@operators/);
  return { [place]: `${lines.replace('10.0.0.0/8', address)}${place}` };
}

function exampleOf(make: Make, changes: Changes): string {
  const example = blockOf(make, make === 'nginx' ? /^server \{/ : /^\S+ \{\n\treverse_proxy/);
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the guide's example of ${make} has no ${from}`);
    return text.replaceAll(from, to);
  }, example);
}

function configureNginx(folder: string, port: number, changes: Changes): readonly string[] {
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=${NAME} -keyout ${folder}/privkey.pem -out ${folder}/fullchain.pem`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  const server = exampleOf('nginx', {
    'listen 443': `listen 127.0.0.1:${port}`,
    [`/etc/ssl/${NAME}`]: folder,
    ...changes,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${folder}/${what};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http {
access_log off; ${temporary.join(' ')}
${server}}
`,
  );
  return ['-e', 'stderr', '-p', folder, '-c', file];
}

function configureCaddy(folder: string, port: number, caddyfile: string): readonly string[] {
  const file = join(folder, 'Caddyfile');
  // A certificate of its own making: the real one would come from Let's Encrypt.
  writeFileSync(
    file,
    `{
	admin off
	auto_https disable_redirects
	default_bind 127.0.0.1
	https_port ${port}
	local_certs
	skip_install_trust
	storage file_system ${folder}
}
${caddyfile}`,
  );
  return ['run', '--config', file, '--adapter', 'caddyfile'];
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Grows until the answer has ended. */
  text(): string;
  readonly ended: Promise<string>;
  close(): void;
}

export interface Question {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** The client's own address. */
  readonly from?: string;
  readonly body?: string;
  /** The body is not ended, and may be the beginning of a longer one. */
  readonly isUnfinished?: boolean;
}

/** As a client of the proxy. Resolves when the head of the answer is there. */
export function ask(proxy: RunningProxy, path: string, question: Question = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, from = '127.0.0.5', body = '', isUnfinished = false } = question;
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: proxy.port,
        servername: NAME,
        rejectUnauthorized: false,
        localAddress: from,
        agent: false,
        method,
        path,
        headers: { host: NAME, ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more) => (text += more));
        const ended = new Promise<string>((done) => response.on('close', () => done(text)));
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: response.headers, text: () => text, ended, close: () => asked.destroy() });
      },
    );
    asked.on('error', reject);
    if (isUnfinished) asked.write(body);
    else asked.end(body);
  });
}
