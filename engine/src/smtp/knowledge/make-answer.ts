// From what happened to an Answer. Decides, touches nothing. Promise: 4xx and "too fast" are temporary whatever else
// they say; the dialogue is the recipient's own, and no other mailbox is named in it.

import type { MailTarget } from '../../dns/domain-facts.ts';
import type { Answer, Command } from '../../state/answer.ts';
import type { Task } from '../../state/task.ts';
import { NO_SHARED_LINES, rcptLine, replyLine, replyWords } from '../../state/transcript.ts';
import type { Detail, DialogueLine, Meaning, Reply, ReplyReading } from '../../types.ts';
import { isTemporary } from '../../verdict/is-temporary.ts';
import type { ShutPeriod } from '../hosts/parts/host-availability.ts';
import { sourceOf } from '../hosts/source-name.ts';
import type { Flight } from '../session/flight.ts';
import type { Session } from '../session/session.ts';

type NoReplyKind = 'dropped' | 'silent' | 'no_smtputf8';

/** What it means when a server that is connected gave no reply about a recipient. */
export const NO_REPLY: Readonly<Record<NoReplyKind, ReplyReading>> = {
  dropped: noReply('temporary', 'connection_lost', 'connection: dropped while asking'),
  // Asked one by one, so that it is known which recipient got no answer.
  silent: noReply('temporary', 'timeout', 'connection: no reply in time at rcpt'),
  no_smtputf8: noReply('protocol', 'unclear', 'smtputf8: the server does not offer it'),
};

function noReply(meaning: Meaning, detail: Detail, rule: string): ReplyReading {
  return { meaning, detail, clarity: 'plain', by: 'connection', rule, retryAfterMs: null };
}

export function answerOf(
  task: Task,
  session: Session,
  kind: 'reply' | NoReplyKind,
  reading: ReplyReading,
  reply: Reply | null,
  sender: string,
  dialogue: readonly DialogueLine[],
): Answer {
  const { target } = session.plan;
  return {
    kind,
    meaning: reading.meaning,
    detail: reading.detail,
    clarity: reading.clarity,
    temporary: reply === null ? kind !== 'no_smtputf8' : isTemporary(reading, reply),
    rule: reading.rule,
    retryAfterMs: reading.retryAfterMs,
    connected: true,
    unresponsive: kind === 'silent' ? 'once' : 'no',
    counts: true,
    reply,
    host: hostOf(task, session),
    ip: target.ip,
    source: sourceOf(target),
    sender,
    tls: session.tls,
    session: session.lines,
    dialogue,
  };
}

/** Domains may have different names for one address; each finding has its domain's own. */
function hostOf(task: Task, session: Session): string {
  const { ip, hostName } = session.plan.target;
  for (const target of task.domain.facts.targets) if (target.ip === ip) return target.host;
  return hostName;
}

/** The question and, where there was one, the reply that decided. */
export function dialogueOf(task: Task, command: Command, sentAtMs: number): readonly DialogueLine[] {
  const question = rcptLine(sentAtMs, task.address.mailbox);
  const { reply, answeredAtMs, sender } = command;
  return reply === null
    ? [question]
    : [question, replyLine(answeredAtMs, reply, task.address.mailbox, sender)];
}

/** For recipients that no host can be asked about: every address is down or turns us away. */
export function shutAnswer(
  shut: ShutPeriod | null,
  ip: string | null,
  source: string | null,
  sender: string,
): Answer {
  return {
    kind: shut?.kind === 'proxy_down' ? 'no_proxy' : 'shut',
    meaning: shut?.meaning ?? null,
    // No address has answered so far.
    detail: shut?.detail ?? 'timeout',
    clarity: 'plain',
    temporary: shut?.temporary ?? true,
    rule: shut?.rule ?? 'connection: no MX host could be reached',
    retryAfterMs: shut?.retryAfterMs ?? null,
    connected: shut?.connected ?? false,
    unresponsive: shut?.unresponsive ?? 'no',
    counts: true,
    reply: null,
    host: shut?.host ?? null,
    ip,
    source,
    sender,
    tls: shut?.tls ?? false,
    session: shut?.session ?? NO_SHARED_LINES,
    dialogue: [],
  };
}

/** For recipients queued while a host that was silent to others rests: no attempt of theirs is used up. */
export function restingAnswer(answer: Answer, shut: ShutPeriod, nowMs: number): Answer {
  return { ...answer, counts: false, retryAfterMs: Math.max(0, shut.untilMs - nowMs) };
}

/** For recipients whose host wants a longer pause than a caller is kept waiting. */
export function pausedAnswer(
  target: MailTarget | undefined,
  source: string | null,
  sender: string,
  waitMs: number,
  counts: boolean,
): Answer {
  return {
    kind: 'paused',
    meaning: 'rate_limited',
    detail: 'rate_limited',
    clarity: 'plain',
    temporary: true,
    rule: 'pace: the host asked for a pause',
    retryAfterMs: waitMs,
    connected: true,
    unresponsive: 'no',
    counts,
    reply: null,
    host: target?.host ?? null,
    ip: target?.ip ?? null,
    source,
    sender,
    tls: false,
    session: NO_SHARED_LINES,
    dialogue: [],
  };
}

/** For recipients whose host refuses everyone and is asked slowly: no attempt of theirs is used up. */
export function refusesAllAnswer(
  target: MailTarget | undefined,
  source: string | null,
  sender: string,
  waitMs: number,
): Answer {
  const rule =
    'pace: this host has refused every recipient for a while and is asked slowly until it accepts one';
  return { ...pausedAnswer(target, source, sender, waitMs, false), rule };
}

/** For recipients that the policy's limit per hour or day leaves for later: no attempt of theirs is used up. */
export function budgetAnswer(
  target: MailTarget | undefined,
  source: string | null,
  sender: string,
  waitMs: number,
): Answer {
  const rule = 'budget: the limit of recipients per hour or day is used up for this provider and source';
  return { ...pausedAnswer(target, source, sender, waitMs, false), detail: 'budget', rule };
}

/** The first MAIL stands for all of the session's: they are alike. */
export function noteMail(session: Session, flight: Flight): void {
  const mail = flight.commands[0];
  if (mail?.kind !== 'mail') return;
  const { sender, words, reply, answeredAtMs } = mail;
  session.lines.add(flight.sentAtMs, 'us', words, sender);
  if (reply !== null) session.lines.add(answeredAtMs, 'server', replyWords(reply), sender);
}
