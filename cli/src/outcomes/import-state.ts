// How far a file of outcomes has been reported, in the user's state folder, so that an import goes on after Ctrl-C or kill -9.
// Promise: what is lost of it costs time only, since the service knows each event by its id.

import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stateFolder } from '../shared/environment.ts';
import { writePrivate } from '../shared/write-private.ts';

export class ImportState {
  /** Null: what is read cannot be told from another file, such as a pipe. */
  readonly #file: string | null;

  private constructor(file: string | null) {
    this.#file = file;
  }

  /** Of this file as it is now, for this account, read in this way. */
  static async of(file: string, isPiped: boolean, reading: readonly unknown[]): Promise<ImportState> {
    const found = isPiped ? null : await stat(file, { bigint: true }).catch(() => null);
    if (found === null) return new ImportState(null);
    const { dev, ino, size, mtimeNs } = found;
    const what = ['mxproof outcomes import', ...[dev, ino, size, mtimeNs].map(String), ...reading];
    const name = createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 40);
    return new ImportState(join(stateFolder(), 'outcomes', `${name}.json`));
  }

  /** How many outcomes at its beginning the service has taken. */
  async reported(): Promise<number> {
    if (this.#file === null) return 0;
    const text = await readFile(this.#file, 'utf8').catch(() => '{}');
    try {
      const { reported } = JSON.parse(text) as { reported?: unknown };
      return Number.isSafeInteger(reported) && Number(reported) > 0 ? Number(reported) : 0;
    } catch {
      return 0;
    }
  }

  async save(reported: number): Promise<void> {
    if (this.#file !== null)
      await writePrivate(this.#file, `${JSON.stringify({ reported })}\n`).catch(() => {});
  }

  async forget(): Promise<void> {
    if (this.#file !== null) await rm(this.#file, { force: true }).catch(() => {});
  }
}
