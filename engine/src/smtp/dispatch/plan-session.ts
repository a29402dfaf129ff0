// What a new session may do, from what its host has shown so far. Decides, touches nothing.

import type { ReachableHost } from '../hosts/choose-host.ts';
import type { Source } from '../hosts/egress.ts';
import type { SessionPlan } from '../session/session-plan.ts';
import type { DispatcherOptions } from './dispatcher.ts';

export function planSession(
  { target, mxHost }: ReachableHost,
  source: Source,
  options: Pick<DispatcherOptions, 'smtpPort' | 'pipelining'>,
  nowMs: number,
): SessionPlan {
  const { greeting, replies, silence, timeouts } = mxHost;
  // One by one, silence is the host's and not that of a reply it has lost.
  const mayPipeline = replies.mayPipeline(nowMs) && !silence.isSilent(source.ip, nowMs);
  return {
    target: { ip: target.ip, port: options.smtpPort, source: source.ip, hostName: target.host },
    heloName: source.heloName,
    mayTls: greeting.mayTls(nowMs),
    demandsTls: greeting.demandsTls,
    heloOnly: greeting.heloOnly,
    mayPipeline: options.pipelining && mayPipeline,
    answerMs: silence.nextTryMs(source.ip, nowMs, timeouts.secondTryMs),
    timeouts,
  };
}
