// tls: whether the service's certificate is valid, its own, and for how long.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Config } from '../../settings/config.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { failure, faultsOr, skipped, warning } from './result.ts';

const WARNED_DAYS = 21;
const DAY_MS = 86_400_000;
const RENEW =
  'Renew the certificate, then have the service read it: "systemctl reload mxproof", "docker kill --signal=HUP CONTAINER", or elsewhere a restart.';

export const tlsCheck: DoctorCheck = {
  id: 'tls',
  title: 'TLS certificate',
  needs: [],
  run: async ({ config }) => judgeTls(config, Date.now()),
};

export function judgeTls(
  { tls, publicUrl }: Pick<Config, 'tls' | 'publicUrl'>,
  nowMs: number,
): CheckResult | readonly CheckResult[] {
  if (tls === null) return skipped('MXPROOF_TLS_CERT is not set: the service itself serves plain HTTP.');
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(tls.cert);
  } catch {
    return failure(
      'MXPROOF_TLS_CERT holds no certificate that can be read.',
      "Let it name the certificate with its chain, in PEM format, such as Let's Encrypt's fullchain.pem.",
    );
  }
  const faults: CheckResult[] = [];
  if (!isKeyOf(certificate, tls.key))
    faults.push(
      failure(
        'MXPROOF_TLS_KEY is not the key of the certificate in MXPROOF_TLS_CERT, or cannot be read.',
        'Let both name files that were made together; a key with a passphrase does not work.',
      ),
    );
  const days = Math.floor((certificate.validToDate.getTime() - nowMs) / DAY_MS);
  const until = certificate.validToDate.toISOString().slice(0, 10);
  if (certificate.validFromDate.getTime() > nowMs)
    faults.push(
      failure('The certificate is not valid yet.', 'See whether the clock of this machine is right.'),
    );
  if (certificate.validToDate.getTime() <= nowMs)
    faults.push(failure(`The certificate expired on ${until}: clients refuse to connect.`, RENEW));
  else if (days < WARNED_DAYS)
    faults.push(warning(`The certificate expires in ${daysText(days)}, on ${until}.`, RENEW));
  const host = publicUrl === null ? null : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  if (host !== null && !isFor(certificate, host))
    faults.push(
      warning(
        `The certificate is not for ${host}, the host of MXPROOF_PUBLIC_URL.`,
        'Use a certificate that names it, or correct MXPROOF_PUBLIC_URL.',
      ),
    );
  return faultsOr(`The certificate is valid for ${daysText(days)} more, until ${until}.`, faults);
}

function isKeyOf(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function isFor(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
