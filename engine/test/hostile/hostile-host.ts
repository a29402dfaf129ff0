// SMTP hosts that mean no good, on real sockets: an honest dialogue whose every line can be replaced by bytes, silence
// or violence. Promise: loopback only; what each host saw and sent is counted; close() ends every connection.
import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket, type TLSSocketOptions } from 'node:tls';
import { TEST_ONLY_CERTIFICATE, TEST_ONLY_KEY } from '../../../world/src/test-only-certificate.ts';

/** What a host does at a stage: text as it stands, or anything at all. Not named: the honest answer. */
export type Act = string | Buffer | ((line: Connection, command: string) => void);

export interface Script {
  readonly banner?: Act;
  readonly ehlo?: Act;
  readonly helo?: Act;
  readonly starttls?: Act;
  readonly mail?: Act;
  readonly rcpt?: Act;
  readonly rset?: Act;
  readonly quit?: Act;
}

export interface Connection {
  readonly socket: Socket;
  readonly timers: Set<NodeJS.Timeout>;
  /** Commands of this line so far, this one included. */
  commands: number;
  write(bytes: string | Buffer): void;
  /** The honest answer to a command. */
  honest(command: string): void;
  /** Until the other side has had enough; says no more after that. */
  forever(everyMs: number, bytes: string | Buffer): void;
  later(ms: number, action: () => void): void;
}

export interface HostileHost {
  readonly address: string;
  readonly lines: () => number;
  readonly open: () => number;
  readonly sentBytes: () => number;
}

export interface HostileHosts {
  readonly port: number;
  add(script: Script, address: string): Promise<HostileHost>;
  close(): Promise<void>;
}

export const silence: Act = () => {};
export const reset: Act = ({ socket }) => socket.resetAndDestroy();
export const hangUp: Act = ({ socket }) => socket.destroy();
/** Says goodbye to reading or writing, never to both. */
export const halfClose: Act = ({ socket }) => socket.end();

const KNOWN = /^RCPT TO:<anna@/i;

const HONEST: Readonly<Record<keyof Script, (command: string) => string>> = {
  banner: () => '220 hostile.example ESMTP\r\n',
  ehlo: () => '250-hostile.example\r\n250-PIPELINING\r\n250 8BITMIME\r\n',
  helo: () => '250 hostile.example\r\n',
  starttls: () => '502 5.5.1 Not here\r\n',
  mail: () => '250 2.1.0 Ok\r\n',
  rcpt: (command) => (KNOWN.test(command) ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n'),
  rset: () => '250 2.0.0 Ok\r\n',
  quit: () => '221 2.0.0 Bye\r\n',
};

export function hostileHosts(port: number): HostileHosts {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  return {
    port,
    async add(script, address) {
      let lines = 0;
      let open = 0;
      let sent = 0;
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
        lines += 1;
        open += 1;
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          open -= 1;
          sent += socket.bytesWritten;
          sockets.delete(socket);
        });
        serve(socket, script, timers);
      });
      servers.push(server);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, address, resolve);
      });
      return { address, lines: () => lines, open: () => open, sentBytes: () => sent };
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function serve(socket: Socket, script: Script, timers: Set<NodeJS.Timeout>): void {
  const line: Connection = {
    socket,
    timers,
    commands: 0,
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    honest: (command) => line.write(HONEST[stageOf(command)](command)),
    forever(everyMs, bytes) {
      if (!socket.writable || socket.destroyed) return;
      if (everyMs > 0) line.write(bytes);
      // As fast as the connection takes it, and no faster: the flood is the client's to stop, not this memory's to hold.
      else if (!socket.write(bytes)) {
        socket.once('drain', () => line.forever(0, bytes));
        return;
      }
      line.later(everyMs, () => line.forever(everyMs, bytes));
    },
    later(ms, action) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        action();
      }, ms);
      timers.add(timer);
    },
  };
  const act = (stage: keyof Script, command: string): void => {
    const what = script[stage];
    if (what === undefined) line.write(HONEST[stage](command));
    else if (typeof what === 'function') what(line, command);
    else line.write(what);
    if (stage === 'quit' && what === undefined) socket.end();
  };
  let input = '';
  socket.on('data', (chunk) => {
    input += chunk.toString('latin1');
    for (let end = input.indexOf('\r\n'); end >= 0; end = input.indexOf('\r\n')) {
      const command = input.slice(0, end);
      input = input.slice(end + 2);
      line.commands += 1;
      act(stageOf(command), command);
    }
  });
  socket.on('end', () => socket.destroy());
  act('banner', '');
}

/** STARTTLS in earnest: an honest dialogue inside, but for what `script` says; `greeting` comes unasked. */
export function secured(script: Script = {}, options: TLSSocketOptions = {}, greeting = ''): Act {
  return (line) => {
    line.write('220 2.0.0 Go ahead\r\n');
    line.socket.removeAllListeners('data');
    const secure = new TLSSocket(line.socket, {
      isServer: true,
      cert: TEST_ONLY_CERTIFICATE,
      key: TEST_ONLY_KEY,
      ...options,
    });
    secure.on('error', () => secure.destroy());
    serve(secure, { ...script, banner: greeting }, line.timers);
  };
}

function stageOf(command: string): keyof Script {
  const verb = command.slice(0, 4).toLowerCase();
  const stages: Readonly<Record<string, keyof Script>> = {
    '': 'banner',
    ehlo: 'ehlo',
    helo: 'helo',
    star: 'starttls',
    mail: 'mail',
    rcpt: 'rcpt',
    rset: 'rset',
    quit: 'quit',
  };
  return stages[verb] ?? 'quit';
}
