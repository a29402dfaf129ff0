// The input a process is working on, in a file: when the process hangs or dies, its parent reads it there.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const INPUT_MAX_BYTES = 65_536;
/** How many inputs have begun, and how long the last one is. */
const HEAD_BYTES = 8;

export class InputFile {
  readonly #file: number;
  readonly #bytes = Buffer.alloc(HEAD_BYTES + INPUT_MAX_BYTES);

  constructor(path: string, flags: 'w+' | 'r+') {
    this.#file = openSync(path, flags);
  }

  put(input: Buffer): void {
    this.#bytes.writeUInt32BE(this.#bytes.readUInt32BE(0) + 1, 0);
    this.#bytes.writeUInt32BE(input.length, 4);
    input.copy(this.#bytes, HEAD_BYTES);
    writeSync(this.#file, this.#bytes, 0, HEAD_BYTES + input.length, 0);
  }

  read(): { readonly begun: number; readonly input: Buffer } {
    readSync(this.#file, this.#bytes, 0, this.#bytes.length, 0);
    const length = this.#bytes.readUInt32BE(4);
    const input = Buffer.from(this.#bytes.subarray(HEAD_BYTES, HEAD_BYTES + length));
    return { begun: this.#bytes.readUInt32BE(0), input };
  }

  close(): void {
    closeSync(this.#file);
  }
}
