// config: settings that nothing reads, and settings that contradict each other. A malformed one stops the start and every
// check; see diagnose.ts.
import { isIP } from 'node:net';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Config } from '../../settings/config.ts';
import { findDnsServers } from '../../settings/look-up-names.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { about, failure, faultsOr, warning } from './result.ts';

const SMTP_PORT = 25;

export const configCheck: DoctorCheck = {
  id: 'config',
  title: 'Configuration',
  needs: [],
  async run({ config }) {
    const faults = [...judgeConfig(config), ...(await unresolvedServers(config))];
    return faultsOr('Every setting is one of MXProof, and none contradicts another.', faults);
  },
};

async function unresolvedServers(config: Config): Promise<CheckResult[]> {
  try {
    await findDnsServers(config);
    return [];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [
      about(
        'MXPROOF_DNS_SERVERS',
        failure(error.message, 'Name DNS servers by their addresses, such as 192.0.2.53.'),
      ),
    ];
  }
}

function judgeConfig(config: Config): CheckResult[] {
  const unknown = config.warnings.map((line) =>
    warning(line, 'Correct its name or remove it; docs/guide/settings.md lists every setting.'),
  );
  return [...unknown, ...publicFaults(config), ...askingFaults(config)];
}

/** Of how the service is reached. */
function publicFaults(config: Config): CheckResult[] {
  const { publicUrl, tls, trustProxy, allowPrivateTargets } = config;
  const faults: CheckResult[] = [];
  const url = publicUrl === null ? null : new URL(publicUrl);
  const isElsewhere = url !== null && !isLoopback(url.hostname);
  const hasProxy = typeof trustProxy === 'number' ? trustProxy > 0 : trustProxy.length > 0;
  if (url?.protocol === 'http:' && tls !== null)
    faults.push(
      about(
        'MXPROOF_PUBLIC_URL',
        failure(
          'Links lead to http, and the service speaks https alone, since MXPROOF_TLS_CERT is set.',
          'Let MXPROOF_PUBLIC_URL begin with https.',
        ),
      ),
    );
  else if (url?.protocol === 'http:' && isElsewhere)
    faults.push(
      about(
        'MXPROOF_PUBLIC_URL',
        warning(
          'Browsers and programs reach the service over http: keys and sessions can be read on the way.',
          'Put a proxy with HTTPS in front of it, or set MXPROOF_TLS_CERT and MXPROOF_TLS_KEY.',
        ),
      ),
    );
  if (url?.protocol === 'https:' && tls === null && !hasProxy)
    faults.push(
      about(
        'MXPROOF_TRUST_PROXY',
        warning(
          'MXPROOF_PUBLIC_URL is https, but the service serves http and trusts no proxy: session cookies are not Secure, and all clients count as one.',
          'Set MXPROOF_TRUST_PROXY to the address of the proxy: 127.0.0.1 on the same machine, for a container the gateway of its network, such as 172.17.0.1.',
        ),
      ),
    );
  if (url === null && tls === null && !hasProxy && !isLoopback(config.host))
    faults.push(
      about(
        'HOST',
        warning(
          `The service listens on ${config.host} over plain http, with no proxy named: keys can be read on the way.`,
          'Set MXPROOF_TLS_CERT and MXPROOF_TLS_KEY, or put a proxy with HTTPS in front and set MXPROOF_TRUST_PROXY and MXPROOF_PUBLIC_URL.',
        ),
      ),
    );
  if (allowPrivateTargets && isElsewhere)
    faults.push(
      about(
        'MXPROOF_ALLOW_PRIVATE_TARGETS',
        warning(
          'Everyone with an account can have the service connect to addresses of your own network, since private targets are allowed.',
          'Unset it, unless all who have an account may reach that network.',
        ),
      ),
    );
  return faults;
}

/** Of how mail servers and DNS servers are asked. */
function askingFaults(config: Config): CheckResult[] {
  const { heloName, sourceAddresses, dnsSentinels, smtpPort, smtpRetryMs, listLimitMs } = config;
  const faults: CheckResult[] = [];
  if (heloName !== null && sourceAddresses.length > 0)
    faults.push(
      about(
        'MXPROOF_HELO_NAME',
        warning(
          'It has no effect: each of MXPROOF_SOURCE_ADDRESSES has a HELO name of its own.',
          'Remove it.',
        ),
      ),
    );
  if (dnsSentinels?.length === 0 && smtpPort === SMTP_PORT)
    faults.push(
      about(
        'MXPROOF_DNS_SENTINELS',
        warning(
          'It is "none", for closed networks, but port 25 of the internet is asked: a DNS server that lies is believed.',
          'Unset it, unless this machine has no way to the internet.',
        ),
      ),
    );
  const [firstRetryMs] = smtpRetryMs ?? [];
  if (firstRetryMs !== undefined && firstRetryMs >= listLimitMs)
    faults.push(
      about(
        'MXPROOF_SMTP_RETRY_SECONDS',
        warning(
          'Its first delay is as long as MXPROOF_LIST_HOURS: no address of a list is asked about a second time, and greylisted ones end unknown.',
          'Choose shorter delays, or more hours.',
        ),
      ),
    );
  return faults;
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(bare) === 4) return bare.startsWith('127.');
  return bare === '::1' || bare === 'localhost' || bare.endsWith('.localhost');
}
