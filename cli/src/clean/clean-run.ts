// What `mxproof clean` has submitted, kept in the user's state folder, so that it can go on after Ctrl-C or kill -9.
// Promise: no addresses are charged twice. A list is submitted under a key made from its addresses, which the service
// remembers for 24 hours; that it is about to be submitted is on the disk before, its id after.

import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@mxproof/server/operator-error';
import { stateFolder } from '../shared/environment.ts';
import { dateOf } from '../shared/print.ts';
import { writePrivate } from '../shared/write-private.ts';

/** The service forgets a key after 24. */
const KEY_SECONDS = 23 * 3_600;
const KEPT_DAYS = 90;

interface Part {
  readonly begunAtSeconds: number;
  /** Null: it may have been submitted, and it may not. */
  readonly listId: number | null;
}

interface State {
  /** Of a run with --fresh: keys that the service has not seen. */
  readonly nonce: string;
  /** A repetition under the same key must have the same body. */
  readonly name: string;
  readonly parts: readonly (Part | null)[];
  /** A bit for each address, in base64, up to the last that was left out. */
  readonly leftOut?: string;
}

export interface RunDescription {
  readonly url: string;
  readonly key: string;
  readonly name: string;
  /** All that a run may send, by which it is known again, whatever is left out of it. */
  readonly parts: readonly (readonly string[])[];
  readonly isFresh: boolean;
}

export class CleanRun {
  readonly #file: string;
  readonly #fingerprint: string;
  #state: State;

  private constructor(file: string, fingerprint: string, state: State) {
    this.#file = file;
    this.#fingerprint = fingerprint;
    this.#state = state;
  }

  static async open({ url, key, name, parts, isFresh }: RunDescription): Promise<CleanRun> {
    const hash = createHash('sha256').update(JSON.stringify(['mxproof clean', url, key]));
    // An address holds no line feed that would make two lists one: JSON.
    for (const part of parts) hash.update(JSON.stringify(part));
    const fingerprint = hash.digest('hex').slice(0, 40);
    const file = join(folder(), `${fingerprint}.json`);
    const saved = isFresh ? null : await readState(file);
    const nonce = isFresh ? newNonce() : '';
    await forgetOld();
    return new CleanRun(file, fingerprint, saved ?? { nonce, name, parts: parts.map(() => null) });
  }

  get name(): string {
    return this.#state.name;
  }

  /** Of its lists, if there are several; with each part's number, the key it is submitted under. */
  get group(): string {
    return `clean-${this.#fingerprint}-${this.#state.nonce}`;
  }

  /** Before the first part, with the time at which lists of this group were created. */
  startAfter(createdAtSeconds: number, nowSeconds: number): void {
    // Their keys are forgotten, here and at the service: they are another run's.
    if (nowSeconds - createdAtSeconds > KEY_SECONDS) this.#state = { ...this.#state, nonce: newNonce() };
  }

  listId(part: number): number | null {
    return this.#state.parts[part]?.listId ?? null;
  }

  /** Seconds; null before the first part. */
  get begunAtSeconds(): number | null {
    return this.#state.parts[0]?.begunAtSeconds ?? null;
  }

  /** Places of addresses that are not sent, as the first run has found them: others would be other lists, charged again. */
  get leftOut(): ReadonlySet<number> {
    const bits = Buffer.from(this.#state.leftOut ?? '', 'base64');
    const places = new Set<number>();
    for (const [at, byte] of bits.entries())
      for (let bit = 0; bit < 8; bit += 1) if ((byte >> bit) & 1) places.add(at * 8 + bit);
    return places;
  }

  /** Before the first part; on the disk with it. */
  leaveOut(places: ReadonlySet<number>): void {
    let last = -1;
    for (const place of places) last = Math.max(last, place);
    const bits = Buffer.alloc((last >> 3) + 1);
    for (const place of places) bits[place >> 3]! |= 1 << (place & 7);
    this.#state = { ...this.#state, leftOut: bits.toString('base64') };
  }

  /** How many lists it is, without what is left out. */
  splitInto(parts: number): void {
    if (this.begunAtSeconds === null)
      this.#state = { ...this.#state, parts: Array.from({ length: parts }, () => null) };
    else if (this.#state.parts.length !== parts) throw damaged(this.#file);
  }

  /** The key to submit this part under. On the disk before it is used. */
  async begin(part: number, nowSeconds: number): Promise<string> {
    const known = this.#state.parts[part];
    if (known && nowSeconds - known.begunAtSeconds > KEY_SECONDS)
      throw new OperatorError(
        `This file may have been submitted on ${dateOf(known.begunAtSeconds)}: look for "${this.name}" in "mxproof list ls"; to submit it again, and be charged, pass --fresh.`,
      );
    if (!known) await this.#save(part, { begunAtSeconds: nowSeconds, listId: null });
    return `${this.group}-${part}`;
  }

  async submitted(part: number, listId: number): Promise<void> {
    await this.#save(part, { ...this.#state.parts[part]!, listId });
  }

  async #save(part: number, saved: Part): Promise<void> {
    this.#state = { ...this.#state, parts: this.#state.parts.with(part, saved) };
    await writePrivate(this.#file, `${JSON.stringify(this.#state)}\n`).catch(
      (error: NodeJS.ErrnoException) => {
        throw new OperatorError(
          `Cannot write ${this.#file} (${error.code}), which prevents double charges: set XDG_STATE_HOME to a folder you can write to.`,
        );
      },
    );
  }
}

function newNonce(): string {
  return randomBytes(6).toString('hex');
}

function folder(): string {
  return join(stateFolder(), 'clean');
}

async function readState(file: string): Promise<State | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new OperatorError(`Cannot read ${file} (${error.code}).`);
  });
  if (text === null) return null;
  try {
    const state = JSON.parse(text) as State;
    if (typeof state.nonce === 'string' && typeof state.name === 'string' && Array.isArray(state.parts))
      return state;
  } catch {
    // Said below.
  }
  throw damaged(file);
}

function damaged(file: string): OperatorError {
  return new OperatorError(
    `${file} is damaged: delete it and run again; within 24 hours, nothing is charged twice.`,
  );
}

/** Results that old are not worth having. */
async function forgetOld(): Promise<void> {
  const names = await readdir(folder()).catch(() => []);
  for (const name of names) {
    const file = join(folder(), name);
    const known = await stat(file).catch(() => null);
    if (known?.isFile() && Date.now() - known.mtimeMs > KEPT_DAYS * 86_400_000)
      await rm(file, { force: true });
  }
}
