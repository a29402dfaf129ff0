// `mxproof reply`: what the engine makes of a server's reply.
export interface ReplyIo {
  readonly stdin: AsyncIterable<string> | NodeJS.ReadableStream;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

export async function runReply(_args: string[], io: ReplyIo): Promise<number> {
  io.stderr('not built yet\n');
  return 2;
}
