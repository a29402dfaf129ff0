// The server as a host runs it: a process of its own, spoken to by the official client over its standard input and output.
// Promise: what it said to anyone, results and errors alike, is kept for the test to look through.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const LAUNCHER = join(import.meta.dirname, '../bin/mxproof-mcp.mjs');

type Env = Readonly<Record<string, string>>;

export interface Connection {
  readonly client: Client;
  /** The answer's JSON; throws on an error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  ask(name: string, input?: object): Promise<any>;
  /** The one sentence of a result with `isError`. */
  refusal(name: string, input?: object): Promise<string>;
  close(): Promise<void>;
}

/** All that any of them has said. */
export const said: string[] = [];

export async function connect(env: Env, ...args: string[]): Promise<Connection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (piece: Buffer) => said.push(piece.toString()));
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(transport);
  const call = async (name: string, input: object = {}) => {
    const result = (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
    said.push(JSON.stringify(result));
    const [content] = result.content;
    return { isError: result.isError === true, text: content?.type === 'text' ? content.text : '' };
  };
  return {
    client,
    async ask(name, input) {
      const { isError, text } = await call(name, input);
      if (isError) throw new Error(text);
      return JSON.parse(text);
    },
    async refusal(name, input) {
      const { isError, text } = await call(name, input);
      if (!isError) throw new Error(`${name} was not refused: ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}

/** What it prints and ends with when its start cannot be right. */
export function start(env: Env, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
    input: '',
  });
  return { status, stdout, stderr };
}
