// The service's log: JSON lines, or short and coloured ones on a terminal.
// Promise: an exit loses no line that standard output accepts; no state of standard output stops the service; on a
// terminal, no control character of a field or message gets through; database errors are logged without the values they
// quote.

import { type Logger, pino } from 'pino';
import type { Config } from '../settings/config.ts';
import { describeError } from '../store/describe-error.ts';
import { createLogOutput } from './log-output.ts';
import { shortLine } from './short-line.ts';

export async function createLog(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  isTerminal = process.stdout.isTTY === true,
  // Node knows NO_COLOR and a terminal that has none.
  hasColours = process.stdout.isTTY === true && process.stdout.hasColors(),
): Promise<Logger> {
  const options = {
    level: config.logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  const output = createLogOutput((lines) => log.warn({ lines }, 'standard output lost log lines'));
  const format = config.logFormat ?? (isTerminal ? 'pretty' : 'json');
  const log: Logger = pino(options, format === 'json' ? output : await prettyOutput(output, hasColours));
  return log;
}

/**
 * pino-pretty in this process rather than as a transport, whose thread may lose the last lines. It is loaded only here; a
 * formatter of ours would have to do errors, colours and control characters as well (ADR 0016).
 */
async function prettyOutput(output: { write(line: string): void }, colorize: boolean) {
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize,
    singleLine: true,
    hideObject: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: shortLine,
  });
  return { write: (line: string) => output.write(`${pretty(line).trimEnd()}\n`) };
}
