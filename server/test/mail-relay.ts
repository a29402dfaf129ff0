// A relay that takes mail on loopback, and what is in a message.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface TakenMail {
  readonly to: readonly string[];
  /** As it was sent. */
  readonly source: string;
}

export interface MailRelay {
  readonly taken: TakenMail[];
  readonly port: number;
  close(): Promise<void>;
}

/** `refuse`: what it answers to the message; null: it takes it. */
export async function startRelay(refuse: () => Error | null = () => null): Promise<MailRelay> {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    disableReverseLookup: true,
    onData(stream, session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const error = refuse();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        if (error === null) taken.push({ to, source: Buffer.concat(pieces).toString() });
        done(error);
      });
    },
  });
  // Who sends may be gone before the relay has said goodbye.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    taken,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** Lines that were broken for their length are whole again. */
export function decoded(source: string): string {
  return source.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
}

/** The path of the first link of this kind: `/join/…`. */
export function pathIn({ source }: TakenMail, kind: string): string {
  const found = new RegExp(`https://verify\\.example(/${kind}/[\\w-]+)`).exec(decoded(source));
  if (!found) throw new Error(`no link of ${kind}`);
  return found[1]!;
}

export function headersOf(source: string): string[] {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1);
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.slice(0, line.indexOf(':')));
}
