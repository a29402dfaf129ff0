// One message to the operator's relay. Promise: over within the limit, DNS and TLS included; certificates are verified; at most
// 64 KiB of a reply are read; a failure is one sentence, with neither the login nor what the relay said.
import { connect, isIP, type Socket } from 'node:net';
import { findTarget, type TargetOptions } from '../../callback/find-target.ts';
import type { SmtpRelay } from '../../settings/alert-settings.ts';

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** Of the message: left of its Message-ID's `@`. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** How a person stops it. `url`: one click does (RFC 8058), without signing in; null: there is no https. */
  readonly unsubscribe?: { readonly url: string | null; readonly mailto: string };
  readonly date: Date;
}

export interface MailOptions extends Pick<TargetOptions, 'dnsServers' | 'watchdog'> {
  readonly ca?: string | undefined;
  readonly limitMs?: number;
}

export interface MailResult {
  /** Null: it was taken. */
  readonly error: string | null;
  /** Recipients that were not, of one that was. */
  readonly refused: number;
}

const LIMIT_MS = 30_000;
const MAX_REPLY_BYTES = 64 * 1024;

export async function sendMail(relay: SmtpRelay, mail: Mail, options: MailOptions): Promise<MailResult> {
  const signal = AbortSignal.timeout(options.limitMs ?? LIMIT_MS);
  let socket: Socket | null = null;
  try {
    socket = await openSocket(relay, options, signal);
    return await exchange(relay, mail, options, socket);
  } catch (error) {
    return { error: sentenceFor(error, { isLate: signal.aborted, recipients: mail.to.length }), refused: 0 };
  } finally {
    socket?.destroy();
  }
}

class RelayError extends Error {}

async function openSocket(relay: SmtpRelay, options: MailOptions, signal: AbortSignal): Promise<Socket> {
  const { host, port } = relay;
  const url = new URL(`https://${isIP(host) === 6 ? `[${host}]` : host}`);
  // Wherever the operator has it.
  const target = await findTarget(url, { ...options, isAllowed: () => true });
  if (target.kind === 'refused') throw new RelayError(`The relay of MXPROOF_SMTP_RELAY: ${target.why}.`);
  let failure: unknown = null;
  for (const ip of target.ips) {
    try {
      return await connected(ip, port, signal);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function connected(ip: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('time-out'));
    // Destroyed by the signal at any time: nodemailer's own limits are of silence, this one is of the whole.
    const socket = connect({ host: ip, port, signal });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // One that fails between two owners must not end the process.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

async function exchange(
  { host, port, security, login }: SmtpRelay,
  mail: Mail,
  { ca }: MailOptions,
  socket: Socket,
): Promise<MailResult> {
  // Loaded where there is a mail to send: most services have none, and it takes megabytes.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    getSocket: (_: unknown, give: (error: null, found: { connection: Socket }) => void) =>
      give(null, { connection: socket }),
    greetingTimeout: LIMIT_MS,
    socketTimeout: LIMIT_MS,
    maxResponseSize: MAX_REPLY_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
  });
  const sent = await transport.sendMail(messageOf(mail));
  return { error: null, refused: sent.rejected.length };
}

/** As nodemailer takes it. */
export function messageOf(mail: Mail) {
  return {
    from: mail.from,
    // As they are: what is quoted in one of them must not become another recipient.
    to: mail.to.map((address) => ({ name: '', address })),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    date: mail.date,
    messageId: `<${mail.id}@${mail.from.slice(mail.from.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail) },
    xMailer: false,
  } as const;
}

function unsubscribeHeaders({ unsubscribe }: Mail): Record<string, string> {
  if (unsubscribe === undefined) return {};
  const { url, mailto } = unsubscribe;
  if (url === null) return { 'List-Unsubscribe': `<${mailto}>` };
  return {
    'List-Unsubscribe': `<${url}>, <${mailto}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Its codes, never its text, which may repeat what was said to it. */
function sentenceFor(
  error: unknown,
  { isLate, recipients }: { readonly isLate: boolean; readonly recipients: number },
): string {
  const where = 'the relay of MXPROOF_SMTP_RELAY';
  if (error instanceof RelayError) return error.message;
  if (isLate) return `There was no answer in time from ${where}.`;
  const {
    code = 'failed',
    command,
    responseCode,
    cause,
  } = error as {
    code?: string;
    /** Which was answered so. */
    command?: string;
    responseCode?: number;
    cause?: { code?: string };
  };
  const said = responseCode === undefined ? '' : ` (${responseCode})`;
  if (code === 'EAUTH') return `The user name and password were refused by ${where}${said}.`;
  if (code === 'EENVELOPE' && command !== 'DATA') {
    const recipient = recipients === 1 ? 'The recipient' : 'Every recipient';
    const who = { 'MAIL FROM': 'The sender', 'RCPT TO': recipient }[command ?? ''];
    return `${who ?? 'The sender or every recipient'} was refused by ${where}${said}.`;
  }
  if (code === 'ETLS') return `There was no trusted TLS with ${where} (${cause?.code ?? code}).`;
  if (responseCode !== undefined) return `The message was refused by ${where}${said}.`;
  return `There was no connection with ${where} (${cause?.code ?? code}).`;
}
