// Where a command reads from and writes to: the process's own streams, or a test's.

export interface CommandIo {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

export const PROCESS_IO: CommandIo = {
  // Opened when read: a terminal that is only looked at would keep the process alive.
  stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
};
