// Environment, and a configuration file below it → one frozen Config, read once at the start, by the table in settings.ts.
// Every variable is optional; a malformed one is an OperatorError with one sentence that names it; an empty one counts as unset;
// nothing else in the service reads the environment (the commands hand it over).

import { OperatorError } from '../rules/operator-error.ts';
import type { Retention } from '../rules/retention.ts';
import {
  type AlertWays,
  type MailSender,
  mailSender,
  mailWay,
  postWay,
  refusePlain,
} from './alert-settings.ts';
import { configFileOf, type Environment, refuseMistakes } from './config-file.ts';
import { dataDirOf } from './data-dir.ts';
import { secretValue } from './secret-file.ts';
import { type DnsServer, refuse, type SourceAddress } from './setting-kinds.ts';
import { isSecret, SETTINGS, type Setting } from './settings.ts';
import { openIdSettings, type SignInSettings } from './sign-in-settings.ts';
import { isSupervised } from './supervised.ts';
import { fileMistakes, unknownSettings } from './unknown-settings.ts';

export type { DnsServer, Environment, SourceAddress };

type Table = typeof SETTINGS;
type Key = keyof Table;
/** Null where nothing is set and nothing else holds. */
type Values = {
  readonly [K in Key]: ReturnType<Table[K]['read']> | (null extends Table[K]['fallback'] ? null : never);
};

/** Settings whose value in a Config is never null. */
type Filled = 'dataDir' | 'dnsServers' | 'sourceAddresses' | 'blockLists';

/** Never logged: it holds passwords, keys and tokens. */
export interface Config extends Omit<Values, Filled> {
  readonly dataDir: string;
  /** Empty: the system's. */
  readonly dnsServers: readonly DnsServer[];
  /** Empty: the system's choice. */
  readonly sourceAddresses: readonly SourceAddress[];
  /** Zones of DNS block lists that the doctor asks about each source. */
  readonly blockLists: readonly string[];
  /** For accounts that have set nothing else. */
  readonly retention: Retention;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly alertWays: AlertWays;
  /** Null: there is no relay, or no address to send from. */
  readonly mailSender: MailSender | null;
  readonly signIn: SignInSettings;
  /** Where metrics are served; null: nowhere. */
  readonly metrics: {
    readonly host: string;
    readonly port: number;
    readonly token: string | null;
    readonly names: readonly string[];
  } | null;
  /** Under systemd or in a container: SIGHUP reads settings again. */
  readonly isSupervised: boolean;
  /** npm runs this process, and may be killed in its place. */
  readonly isNpmScript: boolean;
  /** Sentences for the operator: variables that nothing reads, which may be misspelt. */
  readonly warnings: readonly string[];
}

export function readConfig(env: Environment): Config {
  const file = configFileOf(env);
  if (file !== null) refuseMistakes(fileMistakes(file));
  const values = valuesOf((setting) => readSetting(setting, env));
  return Object.freeze(join(values, env));
}

function valuesOf(read: (setting: Setting) => unknown): Values {
  const rows = Object.entries<Setting>(SETTINGS).map(([key, setting]) => [key, read(setting)]);
  return Object.fromEntries(rows) as Values;
}

/** Settings that must agree, each with what must hold between them. */
const AGREEING: readonly (readonly [keys: readonly Key[], check: (values: Values) => unknown])[] = [
  [['tlsCert', 'tlsKey'], tlsPair],
  [['backupPassphrase', 'backupRecipient'], backupLock],
  [['secretKey', 'secretKeyNext'], nextKey],
  [['alertUrl', 'alertSecret', 'alertFormat', 'allowPrivateTargets'], alertPost],
  [['heartbeatUrl', 'allowPrivateTargets'], heartbeat],
  [['alertMail', 'alertFrom', 'smtpRelay', 'mailFrom'], alertMailing],
  [
    [
      'oidcIssuer',
      'oidcClientId',
      'oidcClientSecret',
      'oidcName',
      'oidcAccountClaim',
      'oidcRoleClaim',
      'oidcOperators',
      'oidcOperatorClaim',
      'publicUrl',
    ],
    openIdSettings,
  ],
];

/** What is wrong, by the setting that it is said of; empty: nothing. */
export function configErrors(env: Environment): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  const attempt = <T>(name: string | null, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const [first = ''] = error.message.split(' ', 1);
      errors.set(name ?? first, error.message);
      return undefined;
    }
  };
  const values = valuesOf((setting) => attempt(setting.name, () => readSetting(setting, env)));
  for (const [keys, check] of AGREEING)
    if (keys.every((key) => values[key] !== undefined)) attempt(null, () => check(values));
  return errors;
}

function join(values: Values, env: Environment): Config {
  return {
    ...values,
    dataDir: dataDirOf(env),
    dnsServers: values.dnsServers ?? [],
    sourceAddresses: values.sourceAddresses ?? [],
    blockLists: values.blockLists ?? [],
    retention: Object.freeze({
      results: values.resultsDays,
      evidence: values.evidenceDays,
      callbacks: values.callbacksDays,
      single_checks: values.singleChecksDays,
    }),
    ...backupLock(values),
    ...nextKey(values),
    tls: tlsPair(values),
    alertWays: Object.freeze({ post: alertPost(values), mail: alertMailing(values) }),
    mailSender: mailSender(senderOf(values)),
    signIn: Object.freeze({
      byKey: values.signInByKey,
      byMail: mailSender(senderOf(values)) !== null,
      openid: openIdSettings(values),
    }),
    heartbeatUrl: heartbeat(values),
    metrics:
      values.metricsPort === null
        ? null
        : Object.freeze({
            host: values.metricsHost,
            port: values.metricsPort,
            token: values.metricsToken,
            names: values.metricsNames ?? [],
          }),
    isSupervised: isSupervised(env),
    isNpmScript: (env.npm_lifecycle_event ?? '') !== '',
    warnings: Object.freeze(unknownSettings(env)),
  };
}

function alertPost({ alertUrl, alertSecret, alertFormat, allowPrivateTargets }: Values): AlertWays['post'] {
  return postWay(alertUrl, {
    secret: alertSecret,
    format: alertFormat,
    allowsPrivate: allowPrivateTargets,
  });
}

function heartbeat({ heartbeatUrl, allowPrivateTargets }: Values): string | null {
  if (heartbeatUrl !== null) refusePlain(heartbeatUrl, 'MXPROOF_HEARTBEAT_URL', allowPrivateTargets);
  return heartbeatUrl;
}

function alertMailing(values: Values): AlertWays['mail'] {
  return mailWay(values.alertMail, senderOf(values));
}

function senderOf({ alertFrom, mailFrom, smtpRelay }: Values) {
  return { own: alertFrom, mailFrom, relay: smtpRelay };
}

function readSetting(setting: Setting, env: Environment): unknown {
  const given = givenValue(setting, env);
  return given === null ? setting.fallback : setting.read(given, setting.name);
}

/** As it is set; null: it is not. */
export function givenValue(setting: Setting, env: Environment): string | null {
  return isSecret(setting) ? secretValue(env, setting.name) : env[setting.name]?.trim() || null;
}

/** Of age, a file with a passphrase has no recipient. */
function backupLock({ backupPassphrase, backupRecipient }: Values): Pick<Values, 'backupRecipient'> {
  if (backupPassphrase !== null && backupRecipient !== null)
    return refuse(
      'MXPROOF_BACKUP_RECIPIENT',
      'and MXPROOF_BACKUP_PASSPHRASE are both set: remove one of them',
    );
  return { backupRecipient };
}

/** A key of the data folder is followed by one that is made there. */
function nextKey({ secretKey, secretKeyNext }: Values): Pick<Values, 'secretKeyNext'> {
  if (secretKeyNext !== null && secretKey === null)
    return refuse(
      'MXPROOF_SECRET_KEY_NEXT',
      'is set without MXPROOF_SECRET_KEY: to rotate the key of the data folder, remove it',
    );
  return { secretKeyNext: secretKeyNext === secretKey ? null : secretKeyNext };
}

function tlsPair({ tlsCert: cert, tlsKey: key }: Values): Config['tls'] {
  if (cert === null && key === null) return null;
  if (cert === null) return refuse('MXPROOF_TLS_CERT', 'must be set when MXPROOF_TLS_KEY is');
  if (key === null) return refuse('MXPROOF_TLS_KEY', 'must be set when MXPROOF_TLS_CERT is');
  return Object.freeze({ cert, key });
}
