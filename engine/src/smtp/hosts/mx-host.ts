// What is known of one mail host address: its pace, and in parts what it has shown. Each part is written only through its
// own verbs, and what concerns several of them goes through here. Promise: nothing here outlives its hour, except that it
// refuses everyone; a host that was down or shut is tried again.

import type { Holder } from '@mxproof/common/fair-share';
import { invariant } from '@mxproof/common/invariant';
import {
  backOff,
  boundBy,
  createPace,
  doorOpensMs,
  forgetFullness,
  hasLearnt,
  hasSlot,
  minuteEndsMs,
  opened,
  type Pace,
  roomLeft,
} from '../../pace/pace.ts';
import type { LiveNodes } from '../../policy/live-nodes.ts';
import type { Payers } from '../../policy/payers.ts';
import type { ChosenLimits } from '../../policy/policy.ts';
import { type SessionTimeouts, withTimeouts } from '../session/session-plan.ts';
import { ConnectionQueue } from './parts/connection-queue.ts';
import { HostAnswers } from './parts/host-answers.ts';
import { HostAvailability } from './parts/host-availability.ts';
import { HostConnects } from './parts/host-connects.ts';
import { HostErrors } from './parts/host-errors.ts';
import { HostGreeting } from './parts/host-greeting.ts';
import { HostRefusals } from './parts/host-refusals.ts';
import { HostReplies } from './parts/host-replies.ts';
import { HostSilence } from './parts/host-silence.ts';
import { HostSenders } from './parts/senders.ts';
import type { StrainedHosts } from './parts/strained-hosts.ts';

export interface ProviderPace {
  readonly pace: Pace;
  readonly connections: ConnectionQueue;
  /** Hosts of it that were asked too much. */
  readonly strained: StrainedHosts;
}

export interface MxHost {
  readonly ip: string;
  provider: string;
  limits: ChosenLimits;
  timeouts: SessionTimeouts;
  readonly pace: Pace;
  shared: ProviderPace | null;
  /** Accounts that hold its connections, and lanes that wait for one. */
  readonly connections: ConnectionQueue;
  /** Connecting to it. */
  readonly connects: HostConnects;
  /** Whether it lets us in. */
  readonly availability: HostAvailability;
  /** EHLO or HELO, TLS or clear. */
  readonly greeting: HostGreeting;
  /** Errors it tolerates in a session. */
  readonly errors: HostErrors;
  /** Whether its replies can be matched to their commands. */
  readonly replies: HostReplies;
  /** Which of our senders it accepts. */
  readonly senders: HostSenders;
  /** Answers about recipients. */
  readonly answers: HostAnswers;
  /** Whether it refuses everyone. */
  readonly refusals: HostRefusals;
  /** Sessions that ended without one. */
  readonly silence: HostSilence;
}

export function createMxHost(
  ip: string,
  provider: string,
  limits: ChosenLimits,
  shared: ProviderPace | null,
  timeouts: SessionTimeouts,
  nodes: LiveNodes,
  payers: Payers = { areSeveral: false },
): MxHost {
  return {
    ip,
    provider,
    limits,
    timeouts: timeoutsFor(limits, timeouts),
    pace: createPace(limits),
    shared,
    connections: new ConnectionQueue(),
    connects: new HostConnects(),
    availability: new HostAvailability(),
    greeting: new HostGreeting(),
    errors: new HostErrors(limits.refusalsPerConnection),
    replies: new HostReplies(),
    senders: new HostSenders(),
    answers: new HostAnswers(),
    refusals: new HostRefusals(nodes, payers),
    silence: new HostSilence(),
  };
}

/**
 * The same address under the name of a provider or of a row of the policy, which it did not have so far: only the
 * owner of that zone can point its names somewhere, while any zone can point at a provider's address.
 */
export function rename(
  mxHost: MxHost,
  provider: string,
  limits: ChosenLimits,
  shared: ProviderPace | null,
  timeouts: SessionTimeouts,
): void {
  const { pace, connections, errors } = mxHost;
  const isMoved = mxHost.shared !== shared;
  mxHost.provider = provider;
  mxHost.limits = limits;
  mxHost.timeouts = timeoutsFor(limits, timeouts);
  mxHost.shared = shared;
  errors.policyMax = limits.refusalsPerConnection;
  boundBy(pace, limits);
  if (shared === null || !isMoved) return;
  // Its open connections are closed as the provider's.
  shared.pace.open += pace.open;
  connections.copyTo(shared.connections);
}

/** The policy's seconds for this host before the checker's own. */
function timeoutsFor(limits: ChosenLimits, timeouts: SessionTimeouts): SessionTimeouts {
  const { bannerSeconds, replySeconds, secondTrySeconds } = limits;
  return withTimeouts(timeouts, {
    ...(bannerSeconds === null ? {} : { bannerMs: bannerSeconds * 1000 }),
    ...(replySeconds === null ? {} : { replyMs: replySeconds * 1000 }),
    ...(secondTrySeconds === null ? {} : { secondTryMs: secondTrySeconds * 1000 }),
  });
}

/** It has shown something that must not be forgotten before its time: a pause, a refusal, a limit. */
export function isRemembered(
  { pace, availability, errors, refusals, limits }: MxHost,
  nowMs: number,
): boolean {
  return (
    hasLearnt(pace, nowMs) ||
    availability.isShut(nowMs) ||
    errors.hasLearnt(nowMs) ||
    refusals.isRefusingAll(limits)
  );
}

/** What is over an hour old may have had reasons of that hour. */
export function forgetOld({ pace, limits, errors }: MxHost, nowMs: number): void {
  forgetFullness(pace, limits, nowMs);
  errors.forgetOld(nowMs);
}

/** A connection is opened on behalf of `holder`. */
export function holdConnection({ pace, connections, shared }: MxHost, holder: Holder): void {
  pace.open += 1;
  connections.took(holder);
  if (shared === null) return;
  shared.pace.open += 1;
  shared.connections.took(holder);
}

/** It is closed. */
export function releaseConnection({ pace, connections, shared }: MxHost, holder: Holder): void {
  pace.open -= 1;
  invariant(pace.open >= 0, 'a host has fewer than no connections');
  connections.left(holder);
  if (shared === null) return;
  shared.pace.open -= 1;
  invariant(shared.pace.open >= 0, 'a provider has fewer than no connections');
  shared.connections.left(holder);
}

/** A connection from `source` was closed. What has changed for that source, every lane has to see. */
export function wakeLanes(
  { pace, connections, shared, availability }: MxHost,
  source: string | null,
  nowMs: number,
): void {
  const isShut = availability.shutFor(source, nowMs) !== null;
  connections.wake(() => isShut || nowMs < pace.pausedUntilMs || hasSlot(pace));
  shared?.connections.wake(() => isShut || nowMs < shared.pace.pausedUntilMs || hasSlot(shared.pace));
}

/** Recipients that it may be asked about at this moment. */
export function recipientsLeft({ pace, limits, refusals }: MxHost, nowMs: number): number {
  return Math.min(roomLeft(pace, limits, nowMs), refusals.roomLeft(limits, nowMs));
}

/** When it may be asked about one more; not after now: it may already. */
export function recipientsLeftAtMs({ pace, limits, refusals }: MxHost, nowMs: number): number {
  const minuteMs = roomLeft(pace, limits, nowMs) > 0 ? 0 : minuteEndsMs(pace);
  return Math.max(minuteMs, refusals.roomAtMs(limits, nowMs));
}

/** When another connection would not come too soon after the others. */
export function opensAtMs({ pace, limits, refusals }: MxHost, nowMs: number, payer: string | null): number {
  return Math.max(doorOpensMs(pace, nowMs), refusals.opensAtMs(limits, pace.opens, nowMs, payer));
}

/** Recipients are sent to it, each for a payer. */
export function asksAbout(
  { pace, limits, refusals }: MxHost,
  payers: readonly string[],
  nowMs: number,
): void {
  pace.minuteRecipients += payers.length;
  refusals.asked(payers, limits, nowMs);
}

/** A connect has begun. */
export function connectBegan({ connects, pace }: MxHost, proxy: string | null, nowMs: number): void {
  connects.through(proxy).began(nowMs);
  opened(pace, nowMs);
}

/** A connect was answered. */
export function connectAnswered({ connects, availability }: MxHost, proxy: string | null): void {
  availability.reached(proxy);
  connects.through(proxy).answered();
}

/** It has answered about a recipient: it is neither unresponsive nor in trouble. */
export function heardFrom({ availability, silence }: MxHost, source: string | null): void {
  availability.answered();
  if (silence.ended(source)) availability.noLongerUnresponsive(source);
}

/** It ends every session at the first error, and has just done so: nothing new, and no reason to ask more slowly. */
export function endsAsKnown({ errors, answers }: MxHost, nowMs: number): boolean {
  return errors.endsAtFirst(nowMs) && answers.endedRefused;
}

/**
 * A sign that we ask too much, of `payer`: the host is asked more slowly and, where others of its provider have given one lately,
 * the whole provider. `namedMs`: a wait the host itself asked for.
 */
export function slower(
  { ip, pace, shared }: MxHost,
  payer: string,
  nowMs: number,
  namedMs: number | null,
): void {
  backOff(pace, nowMs, namedMs);
  if (shared?.strained.isProven(ip, payer, nowMs) === true) backOff(shared.pace, nowMs, namedMs);
}
