// Facts and an answer → the finding for the caller. Decides, no side effects. Promise: evidence is at most 2 KiB of
// JSON and names no address but the one it is about.

import { type AddressFlags, addressFlags } from '../domain/address-flags.ts';
import type { NO_OVERRIDES } from '../domain/disposable-overrides.ts';
import { isRole } from '../domain/role.ts';
import { suggestDomain } from '../domain/suggest-domain.ts';
import type { Answer } from '../state/answer.ts';
import { clip, jsonBytes, LINE_FRAME_BYTES, NO_SHARED_LINES } from '../state/transcript.ts';
import type { Address, Detail, DialogueLine, Evidence, Facts, Finding, Meaning } from '../types.ts';
import { verdict } from '../verdict/verdict.ts';
import type { DomainState } from './domain-cache.ts';

const EVIDENCE_MAX_BYTES = 2048;
/** JSON around everything else in an Evidence. */
const FRAME_BYTES = 240;
const RULE_MAX_BYTES = 240;
export const HOST_ACCEPTS_ALL =
  'this host accepted the catch-all probe in several domains and refused no recipient';
const NO_LINES: readonly DialogueLine[] = [];

/** What a finding rests on. */
export interface FindingBasis {
  readonly dns: Facts['dns'];
  readonly mailbox: Meaning | null;
  readonly connected: boolean;
  readonly refusesAll: boolean;
  /** The host that accepted was seen to accept every recipient of every domain. */
  readonly hostAcceptsAllSinceMs: number | null;
  readonly attempts: number;
  readonly rule: string;
  /** As `Facts.cause`. */
  readonly cause: Detail | null;
}

/** What a finding says when no server was asked. */
export const UNASKED: Omit<FindingBasis, 'rule'> = {
  dns: 'ok',
  mailbox: null,
  connected: false,
  refusesAll: false,
  hostAcceptsAllSinceMs: null,
  attempts: 0,
  cause: null,
};

export interface FindingInput {
  readonly email: string;
  readonly address: Address | null;
  readonly domain: DomainState | null;
  readonly answer: Answer | null;
  readonly learnt: FindingBasis;
  readonly nowMs: number;
  readonly keepEvidence: boolean;
  /** What the operator says of disposable domains. */
  readonly overrides: typeof NO_OVERRIDES;
}

export function makeFinding(input: FindingInput): Finding {
  const { address, domain, answer, learnt } = input;
  const mx = answer?.host ?? domain?.facts.mx ?? null;
  const known = domain?.knowledge.known(input.nowMs) === true;
  const facts: Facts = {
    address,
    ...flagsOf(address, domain, input.overrides),
    dns: learnt.dns,
    mx,
    provider: domain?.provider ?? '',
    mailbox: learnt.mailbox,
    connected: learnt.connected,
    // The domain's own probe weighs more than its host's habit.
    catchAll: known
      ? domain.knowledge.catchAll.answer
      : learnt.hostAcceptsAllSinceMs !== null
        ? 'yes'
        : 'unknown',
    refusesAll: learnt.refusesAll,
    cause: learnt.cause,
  };
  const { state, reason, detail, score, acceptAll, role, free, disposable, provider } = verdict(facts);
  const evidence = makeEvidence(input, mx, known);
  return {
    state,
    reason,
    detail,
    score,
    acceptAll,
    role,
    free,
    disposable,
    mx,
    provider,
    email: input.email,
    evidence,
  };
}

/** What is known of the domain is the same for all its addresses. */
function flagsOf(
  address: Address | null,
  domain: DomainState | null,
  overrides: typeof NO_OVERRIDES,
): AddressFlags {
  if (address === null || domain === null) return addressFlags(address, '', overrides);
  return { role: isRole(address), free: domain.free, disposable: domain.disposable };
}

function makeEvidence(input: FindingInput, mx: string | null, catchAllKnown: boolean): Evidence {
  const { domain, answer, address } = input;
  const session = (input.keepEvidence ? answer?.session : null) ?? NO_SHARED_LINES;
  const dialogue = input.keepEvidence && answer !== null ? withNotes(input, answer, catchAllKnown) : NO_LINES;
  const evidence: Evidence = {
    dns: domain?.facts.words ?? null,
    host: mx,
    ip: answer?.ip ?? null,
    source: answer?.source ?? null,
    tls: answer?.tls ?? false,
    meaning: input.learnt.mailbox,
    session: session.lines,
    dialogue,
    rule: clip(input.learnt.rule, RULE_MAX_BYTES),
    suggestion: domain !== null ? domain.suggestion : address === null ? null : suggestDomain(address.domain),
    attempts: input.learnt.attempts,
  };
  // A text grows threefold in JSON at most: what is small enough even then need not be counted exactly.
  if (session.bytes + bytesAtMost(evidence) <= EVIDENCE_MAX_BYTES) return evidence;
  return session.bytes + bytesOf(evidence) <= EVIDENCE_MAX_BYTES ? evidence : shortened(evidence);
}

/** What is known of the domain and the host, each with its age. */
function withNotes(input: FindingInput, answer: Answer, catchAllKnown: boolean): readonly DialogueLine[] {
  const { domain, nowMs } = input;
  const { hostAcceptsAllSinceMs } = input.learnt;
  const probe = catchAllKnown ? (domain?.knowledge.catchAll.evidence ?? null) : null;
  if (probe === null && hostAcceptsAllSinceMs === null) return answer.dialogue;
  const note = (sinceMs: number, text: string): DialogueLine => ({
    atMs: Math.max(0, nowMs - sinceMs),
    from: 'note',
    text,
  });
  const told = probe === null ? answer.dialogue : withLine(answer.dialogue, note(probe.atMs, probe.words));
  return hostAcceptsAllSinceMs === null
    ? told
    : withLine(told, note(hostAcceptsAllSinceMs, HOST_ACCEPTS_ALL));
}

/** Allocates exactly, which `[...lines, line]` does not: thousands of findings are in memory at a time. */
function withLine(lines: readonly DialogueLine[], line: DialogueLine): readonly DialogueLine[] {
  const all = new Array<DialogueLine>(lines.length + 1);
  lines.forEach((one, at) => {
    all[at] = one;
  });
  all[lines.length] = line;
  return all;
}

/** Without the session's lines, here and below: those were counted when they came. */
function bytesAtMost(evidence: Evidence): number {
  let units = evidence.rule.length + (evidence.dns?.length ?? 0) + (evidence.host?.length ?? 0);
  units += evidence.suggestion?.length ?? 0;
  for (const line of evidence.dialogue) units += line.text.length;
  return FRAME_BYTES + LINE_FRAME_BYTES * evidence.dialogue.length + units * 3;
}

function bytesOf(evidence: Evidence): number {
  let bytes = FRAME_BYTES + textBytes(evidence.dns) + textBytes(evidence.host) + textBytes(evidence.rule);
  bytes += textBytes(evidence.suggestion);
  return bytes + bytesOfLines(evidence.dialogue);
}

function bytesOfLines(lines: readonly DialogueLine[]): number {
  return lines.reduce((sum, line) => sum + LINE_FRAME_BYTES + jsonBytes(line.text), 0);
}

/** Drops the session's first lines before any line about the address itself. */
function shortened(evidence: Evidence): Evidence {
  let less: Evidence = { ...evidence, dns: evidence.dns === null ? null : clip(evidence.dns, 120) };
  while (bytesOf(less) + bytesOfLines(less.session) > EVIDENCE_MAX_BYTES && less.session.length > 0)
    less = { ...less, session: less.session.slice(0, -1) };
  while (bytesOf(less) > EVIDENCE_MAX_BYTES && less.dialogue.length > 0)
    less = { ...less, dialogue: less.dialogue.slice(0, -1) };
  return less;
}

function textBytes(text: string | null): number {
  return text === null ? 4 : jsonBytes(text);
}
