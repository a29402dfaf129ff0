// What a new session may do, from what its host has shown so far. Decides, touches nothing.

import type { ReachableHost } from '../hosts/choose-host.ts';
import type { Source } from '../hosts/egress.ts';
import { sourceName } from '../hosts/source-name.ts';
import type { SessionPlan } from '../session/session-plan.ts';
import type { DispatcherOptions } from './dispatcher.ts';

export function planSession(
  { target, mxHost }: ReachableHost,
  source: Source,
  options: Pick<DispatcherOptions, 'smtpPort' | 'pipelining'>,
  nowMs: number,
): SessionPlan {
  const { ip, heloName, proxy } = source;
  const name = sourceName(source);
  const { greeting, replies, silence, timeouts } = mxHost;
  // One by one, silence is the host's and not that of a reply it has lost.
  const mayPipeline = replies.mayPipeline(nowMs) && !silence.isSilent(name, nowMs);
  return {
    target: {
      ip: target.ip,
      port: options.smtpPort,
      source: ip,
      hostName: target.host,
      ...(proxy === undefined ? {} : { proxy }),
    },
    heloName,
    mayTls: greeting.mayTls(nowMs),
    demandsTls: greeting.demandsTls,
    heloOnly: greeting.heloOnly,
    mayPipeline: options.pipelining && mayPipeline,
    answerMs: silence.nextTryMs(name, nowMs, timeouts.secondTryMs),
    timeouts,
  };
}
