// Other verifiers, built where needed and run against the world's hosts. Promise: they are unmodified. They know only port
// 25 and the system's resolver, so each run is a process in a mount namespace of its own whose resolv.conf names the
// world's DNS (port 53); that takes root, and without it, or without their compiler, they are left out with a sentence.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Peer {
  readonly name: string;
  readonly version: string;
  readonly command: readonly string[];
}

interface PeerReport {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** By address, in the benchmark's words. */
  readonly answers: readonly string[];
  /** By address, in the peer's own words. */
  readonly said: readonly string[];
}

/** The verifier, or why there is none. `folder` is for what is built. */
type FindPeer = (folder: string) => Peer | string;

/** Where the peers' world answers DNS, so that a resolver of this machine's own is not in the way. */
const PEER_DNS_ADDRESS = '127.53.0.1';
export const PEER_PORTS = { smtpPort: 25, dnsPort: 53, dnsAddress: PEER_DNS_ADDRESS };

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PEERS = folderOf('../peers/');
/** Kept: the first build takes minutes. */
const REACHER_BUILD = folderOf('../tmp/reacher/');

export function findPeers(finders: readonly FindPeer[], log: (line: string) => void): readonly Peer[] {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-peer-'));
  const resolvConf = join(folder, 'resolv.conf');
  writeFileSync(resolvConf, `nameserver ${PEER_DNS_ADDRESS}\n`);
  const inside = ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', resolvConf];
  if (spawnSync(inside[0]!, [...inside.slice(1), 'true']).status !== 0) {
    log('peers left out: they need port 25, port 53 and a mount namespace, that is root');
    return [];
  }
  const peers: Peer[] = [];
  for (const find of finders) {
    const found = find(folder);
    if (typeof found === 'string') log(`left out: ${found}`);
    else peers.push({ ...found, command: [...inside, ...found.command] });
  }
  return peers;
}

export const findDeep: FindPeer = () => ({
  name: 'deep-email-validator',
  version: versionIn(folderOf('../package.json'), /"deep-email-validator": "([\d.]+)"/),
  command: [process.execPath, join(PEERS, 'deep-email-validator.ts')],
});

export const findAfterShip: FindPeer = (folder) => {
  const name = 'AfterShip/email-verifier';
  const cwd = join(PEERS, 'aftership');
  const binary = join(folder, 'aftership');
  const why = build('go', ['build', '-o', binary, '.'], cwd);
  if (why !== null) return `${name}: ${why}`;
  const version = versionIn(join(cwd, 'go.mod'), /email-verifier v([\d.]+)/);
  return { name, version, command: [binary] };
};

export const findReacher: FindPeer = () => {
  const name = 'Reacher';
  const cwd = join(PEERS, 'reacher');
  const why = build('cargo', ['build', '--release', '--locked', '--target-dir', REACHER_BUILD], cwd);
  if (why !== null) return `${name}: ${why}`;
  const version = versionIn(join(cwd, 'Cargo.toml'), /check-if-email-exists = \{ version = "=([\d.]+)"/);
  return { name, version, command: [join(REACHER_BUILD, 'release/reacher-peer')] };
};

/** What went wrong; null: nothing. */
function build(program: string, args: readonly string[], cwd: string): string | null {
  const built = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (built.status === 0) return null;
  return built.error?.message ?? built.stderr.trim().split('\n').at(-1) ?? 'does not build';
}

function versionIn(file: string, pattern: RegExp): string {
  const version = pattern.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} names no version`);
  return version;
}

export async function askPeer(
  { command }: Peer,
  emails: readonly string[],
  concurrency: number,
): Promise<PeerReport> {
  const [program, ...args] = command;
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ emails, concurrency }));
  return (await json(child.stdout)) as PeerReport;
}
