// Greylisting for real servers: one small book of who was seen, behind the three protocols they ask in (Postfix's
// policy protocol, sendmail's socket map, and a bare line for the rest). Promise: the first question about a
// sender, client and recipient is deferred, every later one is not; loopback only.
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface GreyBook {
  readonly port: number;
  close(): Promise<void>;
}

const INPUT_MAX_CHARS = 16 * 1024;

export async function startGreyBook(): Promise<GreyBook> {
  const seen = new Set<string>();
  const sockets = new Set<Socket>();
  const isNew = (key: string): boolean => {
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let input = '';
    socket.on('data', (chunk) => {
      input += chunk.toString('latin1');
      for (;;) {
        const answer = readOne(input, isNew);
        if (answer === null) break;
        input = input.slice(answer.used);
        socket.write(answer.text);
        if (answer.last) socket.end();
      }
      if (input.length > INPUT_MAX_CHARS) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface PolicyAnswer {
  readonly used: number;
  readonly text: string;
  readonly last: boolean;
}

function readOne(input: string, isNew: (key: string) => boolean): PolicyAnswer | null {
  const netstring = /^(\d{1,5}):/.exec(input);
  if (netstring !== null) {
    const from = netstring[0].length;
    const length = Number(netstring[1]);
    if (input.length < from + length + 1) return null;
    const text = isNew(input.slice(from, from + length)) ? 'OK new' : 'NOTFOUND ';
    return { used: from + length + 1, text: `${text.length}:${text},`, last: false };
  }
  if (input.startsWith('ask ')) {
    const end = input.indexOf('\n');
    return end < 0
      ? null
      : { used: end + 1, text: isNew(input.slice(0, end)) ? 'new\n' : 'known\n', last: true };
  }
  const end = input.indexOf('\n\n');
  if (end < 0) return null;
  const asked = new Map(
    input
      .slice(0, end)
      .split('\n')
      .map((line) => [line.split('=')[0], line] as const),
  );
  const key = ['client_address', 'sender', 'recipient'].map((name) => asked.get(name)).join(' ');
  const put = (asked.get('recipient') ?? '').startsWith('recipient=grey') && isNew(key);
  const action = put ? 'defer_if_permit 4.2.0 Greylisted, see http://postgrey.example/help' : 'dunno';
  return { used: end + 2, text: `action=${action}\n\n`, last: false };
}
