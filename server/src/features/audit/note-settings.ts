// What the settings of a start are, against those of the machine's last one.
// Promise: numbers and closed words are known as they are; of every other text no more than whether it is another, by a hash whose
// key a rotation of the secret key leaves as it is.
import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import type { Context } from '../../flow/context.ts';
import { type AuditNote, type AuditValue, THE_SERVICE } from '../../rules/audit.ts';
import type { Config } from '../../settings/config.ts';
import { SETTINGS, type Setting } from '../../settings/settings.ts';
import { writeAudit } from '../../store/audit.ts';
import { type KeptSetting, type KeptSettings, keepSettings, lastSettings } from './stored-settings.ts';

const HASH_KEY_BYTES = 32;

/** One row, where something differs. The first start of a machine differs from nothing. */
export async function noteSettings(
  { db, addressKey }: Pick<Context, 'db' | 'addressKey'>,
  config: Config,
  machine: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lastSettings(tx, machine);
    const after = keptOf(config, await addressKey(tx));
    const { changes, changed } = difference(before, after);
    if (Object.keys(changes).length === 0 && changed.length === 0) return;
    await keepSettings(tx, machine, after);
    await writeAudit(
      tx,
      { ...THE_SERVICE, client: machine },
      { action: 'settings.changed', accountId: null, changes, changed },
    );
  });
}

function keptOf(config: Config, key: KeyObject): KeptSettings {
  const hashKey = Buffer.from(hkdfSync('sha256', key, '', 'mxproof settings', HASH_KEY_BYTES));
  return Object.fromEntries(
    Object.entries<Setting>(SETTINGS).map(([field, setting]) => [
      setting.name,
      kept(setting, config[field as keyof Config], hashKey),
    ]),
  );
}

function kept({ name, read }: Setting, value: unknown, hashKey: Buffer): KeptSetting {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value / (read.unit ?? 1);
  if (typeof value === 'string' && read.isWord) return value;
  const text = `${name}\n${JSON.stringify(value, inFull)}`;
  return { hash: createHmac('sha256', hashKey).update(text).digest('base64') };
}

/** A policy has maps and sets. */
function inFull(_key: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

function difference(
  before: KeptSettings,
  after: KeptSettings,
): Required<Pick<AuditNote, 'changes' | 'changed'>> {
  const changes: Record<string, [AuditValue, AuditValue]> = {};
  const changed: string[] = [];
  for (const [name, is] of Object.entries(after)) {
    const was = before[name] ?? null;
    if (isShown(was) && isShown(is)) {
      if (was !== is) changes[name] = [was, is];
    } else if (hashOf(was) !== hashOf(is)) changed.push(name);
  }
  return { changes, changed };
}

function isShown(setting: KeptSetting): setting is AuditValue {
  return setting === null || typeof setting !== 'object';
}

/** Undefined: it is shown. */
function hashOf(setting: KeptSetting): string | undefined {
  return isShown(setting) ? undefined : setting.hash;
}
