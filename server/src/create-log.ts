// The service's log: JSON lines, or readable ones on a terminal.
// Promise: an exit loses no line; on a terminal, no control character of a field or message gets through.

import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export async function createLog(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  isTerminal = process.stdout.isTTY === true,
): Promise<Logger> {
  const options = { level: config.logLevel, timestamp: pino.stdTimeFunctions.isoTime };
  const format = config.logFormat ?? (isTerminal ? 'pretty' : 'json');
  return format === 'json' ? pino(options) : pino(options, await prettyStream());
}

/**
 * pino-pretty in this process rather than as a transport, whose thread may lose the last lines. It loads in about
 * 16 ms, and only here; a formatter of ours would have to do errors, colours and control characters as well.
 */
async function prettyStream() {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    sync: true,
    singleLine: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
  });
}
