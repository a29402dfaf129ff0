// listen: the callbacks of test lists, shown as they are sent and handed on to a receiver on this machine.
// Promise: what is forwarded is what the service signed; a broken connection is opened again; Ctrl-C ends it with 0.

import { CallbackRejected, type SentCallback, verifyCallback } from '@mxproof/client';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { EXIT, StatusError } from '../shared/exit-status.ts';
import { whileNotInterrupted } from '../shared/interrupt.ts';
import { plain, printJson, printLine } from '../shared/print.ts';
import { type ForwardResult, forwardCallback } from './forward-callback.ts';
import { findWebhookSecrets } from './webhook-secrets.ts';

/** After an interruption, callbacks of the last hour come late: their age is the receiver's to judge. */
const TOLERANCE_SECONDS = 2 * 3_600;

interface Options extends ServiceOptions {
  readonly forwardTo?: URL;
  readonly secretFile?: string;
  readonly json?: boolean;
}

type Signature = 'valid' | 'invalid' | 'unchecked';

interface HandledCallback {
  readonly callback: SentCallback;
  readonly signature: Signature;
  /** Why it is invalid. */
  readonly fault: string | null;
  readonly forwarded: ForwardResult | null;
}

export async function listen({ forwardTo, secretFile, json, ...options }: Options): Promise<number> {
  const { mx, mode, url } = await connectService(options);
  if (mode !== 'test')
    throw new StatusError(
      EXIT.notAllowed,
      'Only a test key can listen: log in with one that starts with mx_test_.',
    );
  const secrets = await findWebhookSecrets(secretFile);
  if (secrets.length === 0)
    say('Signatures are not checked: set MXPROOF_WEBHOOK_SECRET or pass --secret-file.');
  const where = forwardTo === undefined ? '' : `, forwarding to ${forwardTo.href}`;
  let seen = 0;
  await whileNotInterrupted(async (signal) => {
    const callbacks = mx.callbacks.listen({
      signal,
      onOpen: () => say(`Listening to the callbacks of test lists at ${url}${where}. Press Ctrl-C to stop.`),
      onInterruption: () => say('The connection was lost; opening it again.'),
    });
    for await (const callback of callbacks) {
      const handled = await handle(callback, secrets, forwardTo, signal);
      seen += 1;
      if (json) printJson(onWire(handled, forwardTo));
      else printLine(lineOf(handled));
    }
  });
  say(`Stopped after ${seen} callback${seen === 1 ? '' : 's'}.`);
  return EXIT.ok;
}

async function handle(
  callback: SentCallback,
  secrets: readonly string[],
  forwardTo: URL | undefined,
  signal: AbortSignal,
): Promise<HandledCallback> {
  const fault = secrets.length === 0 ? null : await faultOf(callback, secrets);
  const forwarded = forwardTo === undefined ? null : await forwardCallback(forwardTo, callback, signal);
  const checked = fault === null ? 'valid' : 'invalid';
  return { callback, signature: secrets.length === 0 ? 'unchecked' : checked, fault, forwarded };
}

/** Null: it is what the service signed with one of the secrets. */
async function faultOf({ body, headers }: SentCallback, secrets: readonly string[]): Promise<string | null> {
  try {
    await verifyCallback(body, headers, secrets, { toleranceSeconds: TOLERANCE_SECONDS });
    return null;
  } catch (error) {
    if (error instanceof CallbackRejected) return error.kind;
    throw error;
  }
}

function lineOf({ callback, signature, fault, forwarded }: HandledCallback): string {
  const checked = {
    valid: '✓ signature valid',
    invalid: `✗ signature invalid (${fault})`,
    unchecked: '? not checked',
  };
  const parts = [`list ${callback.list_id}`, checked[signature], `for ${callback.url}`];
  if (forwarded !== null)
    parts.push(
      forwarded.status === null
        ? `not delivered: ${forwarded.error}`
        : `receiver answered ${forwarded.status} in ${forwarded.durationMs} ms`,
    );
  return plain(parts.join('  '));
}

function onWire(
  { callback, signature, fault, forwarded }: HandledCallback,
  forwardTo: URL | undefined,
): unknown {
  return {
    ...callback,
    signature,
    signature_fault: fault,
    forwarded:
      forwarded === null
        ? null
        : {
            url: forwardTo?.href,
            status: forwarded.status,
            error: forwarded.error,
            duration_ms: forwarded.durationMs,
          },
  };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
