// secret-key rotate: another key for what is secret in the store, while the service runs or not.

import { type RotationStatus, rotateSecretKey, rotationStatus } from '@mxproof/server/operate';
import { printJson, printLine } from '../shared/print.ts';
import { createProgress } from '../shared/progress.ts';
import { commandActor, withStore } from './with-store.ts';

interface RotateOptions {
  readonly progress?: boolean;
  readonly json?: boolean;
}

export async function secretKeyRotate({ progress, json }: RotateOptions): Promise<void> {
  if (progress) return showStatus(await withStore(rotationStatus), json);
  const rotated = await withStore(async ({ db, config }) => {
    const { values } = await rotationStatus({ db, config });
    const progress = createProgress(values, process.stderr.isTTY && !json);
    let done = 0;
    return rotateSecretKey({
      db,
      config,
      actor: commandActor(),
      onStep: (line) => void process.stderr.write(`${line}\n`),
      onBatch(_, more) {
        done += more;
        progress.to(done);
      },
    }).finally(() => progress.clear());
  });
  const { sealed, unreadable, keptAt } = rotated;
  if (json) return printJson({ sealed, unreadable, kept_at: keptAt });
  printLine(`The secret key is rotated: ${sealed} values are sealed with the new one.`);
  if (unreadable > 0)
    printLine(`${unreadable} opened with neither key: they were lost before, and stay as they are.`);
  printLine(
    keptAt === null
      ? 'Now set MXPROOF_SECRET_KEY to the value of MXPROOF_SECRET_KEY_NEXT on every node, remove MXPROOF_SECRET_KEY_NEXT, and keep the old key as long as backups made with it.'
      : `The key before is in ${keptAt}: keep it as long as backups made with it, then remove it.`,
  );
}

const SENTENCES: Readonly<Record<RotationStatus['state'], string>> = {
  idle: 'No rotation is under way.',
  prepared: 'A new key is there, and nothing is sealed with it yet.',
  rotating: 'A rotation was begun and is not finished: run "mxproof secret-key rotate".',
};

function showStatus({ state, values, withKeyInUse, nodesWithoutNext }: RotationStatus, asJson = false): void {
  if (asJson) {
    printJson({
      state,
      values,
      sealed_with_key_in_use: withKeyInUse,
      nodes_without_next_key: nodesWithoutNext,
    });
    return;
  }
  printLine(SENTENCES[state]);
  printLine(`${withKeyInUse} of ${values} values are sealed with the key in use.`);
  for (const machine of nodesWithoutNext) printLine(`The node on ${machine} does not have the new key.`);
}
