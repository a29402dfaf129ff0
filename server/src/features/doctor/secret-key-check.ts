// secret_key: whether there is a key, and whether it opens what is stored. Promise: makes none.
import { OperatorError } from '../../rules/operator-error.ts';
import {
  exposedKeyFile,
  findSecretKey,
  isShortKey,
  preparedSecretKey,
  secretKeys,
} from '../../settings/secret-key.ts';
import { createSecretBox } from '../../store/secret-box.ts';
import { isRotating, trySecretKey } from '../../store/webhook-secrets.ts';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { failure, ok, skipped, warning } from './result.ts';

export const secretKeyCheck: DoctorCheck = {
  id: 'secret_key',
  title: 'Secret key',
  needs: [],
  reportsDatabase: true,
  async run({ config, db }): Promise<CheckResult> {
    let key: string | null;
    try {
      key = findSecretKey(config);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return failure(error.message, 'Run the doctor as the user who runs the service, or as root.');
    }
    const exposed = exposedKeyFile(config);
    if (exposed !== null)
      return failure(
        `The secret key in ${exposed} can be read by the group of the file or by others.`,
        `Run "chmod 600 ${exposed}"; the service does so at its next start if the file is its user's.`,
      );
    if (key === null) return withoutKey(config.databaseUrl !== null);
    const state =
      db === null
        ? null
        : await trySecretKey(
            db,
            createSecretBox(() => secretKeys(config)),
          );
    if (state === 'other key')
      return failure(
        "The secret key is not the one that this database's webhook secrets are encrypted with: the service will not start.",
        'Set MXPROOF_SECRET_KEY to the service\'s value or MXPROOF_DATA_DIR to its data folder; if the key is lost, set a new one and run "mxproof secret rotate-all".',
      );
    if (state === 'opens' && (await isRotating(db!)))
      return warning(
        'A rotation of the secret key was begun and is not finished: secrets are sealed with two keys.',
        'Run "mxproof secret-key rotate": it goes on where it ended.',
      );
    if (state === 'opens' && config.secretKey === null && preparedSecretKey(config) !== null)
      return warning(
        'A rotation of the secret key was begun and is not finished: a new key is there, and nothing is sealed with it yet.',
        'Run "mxproof secret-key rotate": it goes on where it ended.',
      );
    if (isShortKey(key))
      return warning(
        'The secret key is short.',
        'Generate one with "openssl rand -hex 32", set MXPROOF_SECRET_KEY to it, and run "mxproof secret rotate-all".',
      );
    if (state === null) return ok('There is a key; without the database it cannot be tried.');
    return ok(
      state === 'opens' ? 'The key opens what is stored.' : 'There is a key, and nothing stored yet.',
    );
  },
};

function withoutKey(hasOwnDatabase: boolean): CheckResult {
  if (!hasOwnDatabase) return skipped('There is no key yet: the first start of the service makes it.');
  return warning(
    'MXPROOF_SECRET_KEY is not set, and the data folder has no key: the next start makes one, which other nodes on this database do not have.',
    'Set MXPROOF_SECRET_KEY to the same value on every node.',
  );
}
