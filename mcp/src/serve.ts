// One run: a connection on standard input and output, for as long as its host keeps it open.
// Promise: standard output carries the protocol alone; what people are to read goes to standard error.

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { MXProof } from '@mxproof/client';
import { BegunChecks } from './begun-checks.ts';
import { cleanText } from './clean-text.ts';
import { createServer } from './create-server.ts';
import type { Settings } from './settings.ts';
import { Spending } from './spending.ts';

/** The largest text allowed, each character escaped in six, and room for the rest. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Few and short, since a model waits, and its host for at most a minute. */
const MAX_RETRIES = 2;
const ATTEMPT_MS = 25_000;
const CALL_MS = 30_000;

export function serve({ apiKey, baseUrl, maxCredits, readOnly }: Settings, version: string): void {
  const say = (text: string) =>
    void process.stderr.write(`mxproof-mcp: ${cleanText(text.replaceAll(apiKey, '(key)'))}\n`);
  const mx = new MXProof({
    apiKey,
    baseUrl,
    maxRetries: MAX_RETRIES,
    timeoutMs: ATTEMPT_MS,
    deadlineMs: CALL_MS,
    onWarning: say,
  });
  // Of the run, not of the connection: a host that says hello twice does not get the limit twice.
  const spending = new Spending(maxCredits);
  const parts = { mx, spending, begun: new BegunChecks(spending), readOnly, apiKey, say };
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  serveStdio(() => createServer(parts, version), { transport, onerror: ({ message }) => say(message) });
  // The host has gone: a wait for a list must not outlive it.
  process.stdin.once('close', () => process.exit(0));
}
