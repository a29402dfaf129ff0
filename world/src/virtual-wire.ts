// A connection in memory between the engine and a simulated host. Promise: events come on later turns, in order, and
// `closed` once and last, as from a socket.
//
//   connecting ──▶ open ──startTls by both──▶ secured
//        └────────────┴──────────────────────────┴──▶ closed
import type { Clock, ConnectTarget, Wire, WireEvents } from '@mxproof/engine';
import type { Host } from './host.ts';
import { HostSession } from './host-session.ts';

const DEFAULT_SOURCE = '127.0.0.1';
const REFUSAL_MS = 1;
/** What a ClientHello begins with, for hosts that only want to see that one came. */
const CLIENT_HELLO = '\x16\x03\x01 hello\n';

export function connectVirtually(
  host: Host | undefined,
  target: ConnectTarget,
  events: WireEvents,
  clock: Clock,
): Wire {
  let state: 'connecting' | 'open' | 'closed' = 'connecting';
  let session: HostSession | null = null;
  let clientTls = false;
  let serverTls = false;
  let secured = false;

  const close = (error: string | null) => {
    if (state === 'closed') return;
    state = 'closed';
    session?.closed();
    clock.setTimeout(() => events.closed(error), 0);
  };

  const secureWhenBoth = () => {
    if (!clientTls || !serverTls || secured) return;
    secured = true;
    clock.setTimeout(() => {
      if (state !== 'open') return;
      session?.secured();
      events.secured();
    }, latencyMs);
  };

  const latencyMs = host?.spec.replyDelayMs ?? 0;
  if (host === undefined || host.spec.down === true) {
    clock.setTimeout(() => close('ECONNREFUSED'), REFUSAL_MS);
  } else if (host.spec.down !== 'silent') {
    clock.setTimeout(() => {
      if (state !== 'connecting') return;
      state = 'open';
      session = new HostSession(host, target.source ?? DEFAULT_SOURCE, clock, {
        send: (data) => {
          if (state !== 'open') return;
          if (clientTls && !secured) close('EPROTO');
          else events.data(typeof data === 'string' ? Buffer.from(data) : data);
        },
        startTls: () => {
          serverTls = true;
          secureWhenBoth();
        },
        end: () => close(clientTls && !secured ? 'ECONNRESET' : null),
        reset: () => close('ECONNRESET'),
      });
      events.connected();
      session.open();
    }, latencyMs);
  }

  return {
    write(text) {
      const latin1 = Buffer.from(text).toString('latin1');
      clock.setTimeout(() => {
        if (state === 'open') session?.receive(latin1);
      }, 0);
    },
    startTls() {
      clientTls = true;
      clock.setTimeout(() => {
        if (state !== 'open') return;
        if (serverTls) secureWhenBoth();
        else session?.receive(CLIENT_HELLO);
      }, 0);
    },
    destroy: () => close(null),
  };
}
