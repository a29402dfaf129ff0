// TLS to PostgreSQL (sslmode and sslrootcert in DATABASE_URL).
// Promise: a server whose certificate cannot be verified is not used, and one sentence says what to do; only
// `sslmode=no-verify` says otherwise.
import { OperatorError } from '../rules/operator-error.ts';

/** The driver verifies in all of these, and prints a page about that unless the mode says so itself. */
const VERIFIED_MODES = ['prefer', 'require', 'verify-ca'];

/** As the driver reads it without a warning. */
export function verifiedUrl(url: string): string {
  const parsed = URL.parse(url);
  const settings = parsed?.searchParams;
  if (!parsed || !settings || settings.get('uselibpqcompat') === 'true') return url;
  const isRenamed = VERIFIED_MODES.includes(settings.get('sslmode') ?? '');
  // libpq's word for what the driver does without a file.
  const isSystem = settings.get('sslrootcert') === 'system';
  if (!isRenamed && !isSystem) return url;
  settings.set('sslmode', 'verify-full');
  if (isSystem) settings.delete('sslrootcert');
  return parsed.href;
}

/** Files that the driver reads for each connection. */
export function tlsFilesOf(url: string): readonly string[] {
  const settings = URL.parse(verifiedUrl(url))?.searchParams;
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => settings?.get(name) ?? []);
}

/** Safe to repeat, should the certificate change. */
class UntrustedDatabase extends OperatorError {
  readonly code = '08001';
}

const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
const UNKNOWN_AUTHORITY =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_UNTRUSTED)$/;
const OTHER_FAULT = /^CERT_\w+$/;
const WITHOUT_TLS = 'The server does not support SSL connections';

/** Null: the certificate was not the reason. `host`: without a password. */
export function trustFaultOf(error: Error, host: string): UntrustedDatabase | null {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const certificate = `The certificate of PostgreSQL at ${host}`;
  if (code === OTHER_NAME)
    return new UntrustedDatabase(
      `${certificate} is for another name: correct the host in DATABASE_URL, or give the server a certificate for this name.`,
    );
  if (UNKNOWN_AUTHORITY.test(code))
    return new UntrustedDatabase(
      `${certificate} is not signed by a known authority (${message}): add "sslrootcert=FILE" to DATABASE_URL, the certificate of its authority.`,
    );
  if (OTHER_FAULT.test(code))
    return new UntrustedDatabase(`${certificate} is refused (${message}): give the server a valid one.`);
  if (message === WITHOUT_TLS)
    return new UntrustedDatabase(
      `PostgreSQL at ${host} does not speak TLS: set "ssl = on" there, or take sslmode out of DATABASE_URL.`,
    );
  return null;
}
