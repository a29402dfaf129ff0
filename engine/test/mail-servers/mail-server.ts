// What the real mail servers under test have in common: what is asked of them, and how they are found.
// Promise: everything lives in one temporary folder and on one loopback address; a make that is not on this machine is
// null, and its tests are skipped or fail, never pass.
import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, globSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { TestContext } from 'vitest';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../world/src/test-only-certificate.ts';

export interface MailServerOptions {
  readonly address: string;
  readonly port: number;
  /** Domain whose mailboxes are MAILBOXES below; whatever is named nowhere does not exist. */
  readonly domain: string;
  readonly catchAllDomain: string;
  readonly tls: 'none' | 'offered' | 'required';
  readonly nullSender: 'accepted' | 'refused';
  readonly client: 'welcome' | 'refused_at_connect' | 'refused_at_rcpt';
  readonly smtpUtf8: boolean;
  /** Per transaction; null: as the make comes. */
  readonly recipientsMax: number | null;
  /** At once from one client; null: as the make comes. */
  readonly connectionsMax: number | null;
  /** Where first-time recipients `grey…` are deferred: `grey-book.ts`. */
  readonly greyPort: number;
  readonly extra?: ExtraLines;
}

/** What only one make can do, in its own language. */
export interface ExtraLines {
  /** Settings: main.cf, the first section of exim.conf, smtpd.conf before `listen`, sendmail.mc before its mailers. */
  readonly main?: readonly string[];
  /** master.cf lines, the first of them instead of smtpd's; `ADDRESS` stands for where it listens. */
  readonly services?: readonly string[];
  /** Exim: first in the ACL of this command. */
  readonly connectAcl?: readonly string[];
  readonly mailAcl?: readonly string[];
  readonly rcptAcl?: readonly string[];
  /** Files beside the configuration, by name; `FOLDER` in any line stands for where they are. */
  readonly files?: Readonly<Record<string, string>>;
  /** sendmail: rows of its access and virtual user tables, before the others. */
  readonly access?: readonly string[];
  readonly people?: readonly string[];
}

export interface MailServer {
  readonly make: string;
  readonly address: string;
  readonly port: number;
  /** What it wrote to its log and its standard error, for a failed start or a puzzled reader. */
  log(): string;
  stop(): Promise<void>;
}

export type MailServerStarter = (options: MailServerOptions) => Promise<MailServer | null>;

/** The same people at every make: local part → what its server says. */
export const MAILBOXES = {
  known: ['anna', 'bernd', 'info', 'postmaster', 'grey.one', 'grey.two'],
  full: { local: 'full', reply: '552 5.2.2 Mailbox is full' },
  fullForNow: { local: 'full.for.now', reply: '452 4.2.2 Mailbox is over quota' },
  closed: { local: 'closed', reply: '550 5.2.1 This mailbox is disabled' },
  broken: { local: 'broken', reply: '451 4.3.0 Temporary lookup failure' },
} as const;

export const BLOCKED_TEXT = 'Service unavailable; Client host [127.0.0.1] blocked using bl.example.org';

/** Holds a folder for each make, as `dpkg -x` leaves its packages. */
export const UNPACKED =
  process.env.MXPROOF_MTA_DIR === undefined ? null : resolve(process.env.MXPROOF_MTA_DIR);

/** Ends a test whose make is not here: skipped for all to see, or failed where the extras are required. */
export function withoutServer(make: string, context: TestContext): never {
  const why = `${make} is not on this machine, or may not be started: that takes root, or sudo without a password`;
  if (process.env.MXPROOF_REQUIRE_EXTRAS !== '1') return context.skip(why);
  throw new Error(`${why}. MXPROOF_REQUIRE_EXTRAS=1 asks for it; CONTRIBUTING.md says how to get it.`);
}

/** In the make's own folder below MXPROOF_MTA_DIR, on PATH, or in the usual system folders. */
export function findProgram(make: string, names: readonly string[]): string | null {
  const system = ['/usr/sbin', '/usr/libexec/sendmail', '/usr/bin'];
  const folders = [
    ...(UNPACKED === null ? [] : system.map((folder) => join(UNPACKED, make, folder))),
    ...(process.env.PATH ?? '').split(delimiter),
    ...system,
  ];
  for (const folder of folders)
    for (const name of names) if (isProgram(join(folder, name))) return join(folder, name);
  return null;
}

/** Libraries that were unpacked beside a program rather than installed. */
export function libraryPath(make: string): { LD_LIBRARY_PATH?: string } {
  if (UNPACKED === null) return {};
  // The folder is named after the architecture: x86_64-linux-gnu, aarch64-linux-gnu, arm-linux-gnueabihf.
  const folders = globSync(join(UNPACKED, make, '{usr/lib,lib}/*-linux-*'));
  return folders.length === 0 ? {} : { LD_LIBRARY_PATH: folders.join(delimiter) };
}

export function userExists(name: string): boolean {
  try {
    execFileSync('id', ['-u', name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export function makeFolder(make: string): string {
  const folder = mkdtempSync(join(tmpdir(), `mxproof-${make}-`));
  // The server's own users look in here too.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'cert.pem'), TEST_ONLY_CERTIFICATE);
  writeFileSync(join(folder, 'key.pem'), TEST_ONLY_KEY, { mode: 0o600 });
  return folder;
}

/** Writes the extra files; gives the lines with their folder in place. */
export function extraLines(
  { extra = {} }: MailServerOptions,
  folder: string,
): Required<Omit<ExtraLines, 'files'>> {
  const placed = (lines: readonly string[] = []) => lines.map((line) => line.replaceAll('FOLDER', folder));
  for (const [name, text] of Object.entries(extra.files ?? {}))
    writeFileSync(join(folder, name), text.replaceAll('FOLDER', folder), { mode: 0o644 });
  return {
    main: placed(extra.main),
    services: placed(extra.services),
    connectAcl: placed(extra.connectAcl),
    mailAcl: placed(extra.mailAcl),
    rcptAcl: placed(extra.rcptAcl),
    access: placed(extra.access),
    people: placed(extra.people),
  };
}

/** One port for every make, each on an address of its own: free on all of them when found. */
export async function freePort(addresses: readonly string[]): Promise<number> {
  for (let port = 20_000 + Math.floor(Math.random() * 10_000); ; port += 1) {
    const free = await Promise.all(addresses.map((address) => canListen(address, port)));
    if (free.every(Boolean)) return port;
  }
}

function canListen(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
