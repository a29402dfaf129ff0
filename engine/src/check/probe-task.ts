// A recipient asked about for its domain's sake: the catch-all probe, or postmaster. Promise: the probe's local part is
// made once per domain and kept, since greylisting knows recipients.

import type { Holder } from '@mxproof/common/fair-share';
import { groupOf } from '../dns/domain-facts.ts';
import type { Answer } from '../state/answer.ts';
import { NOT_QUEUED, Task, type TaskDomain } from '../state/task.ts';
import { clip, replyWords, withoutMailboxes } from '../state/transcript.ts';
import type { Address } from '../types.ts';
import type { DomainKnowledge } from './domain-knowledge.ts';
import { probeLocal } from './probe-local.ts';

const WORDS_MAX_BYTES = 200;

export class ProbeTask extends Task {
  readonly kind: 'catch_all' | 'postmaster';
  readonly address: Address;
  readonly domain: TaskDomain;
  readonly single = false;
  readonly holder: Holder;
  readonly lot = 0;
  readonly boundSource = null;
  readonly boundSender = null;
  readonly #told: (task: ProbeTask, answer: Answer) => void;

  constructor(
    kind: 'catch_all' | 'postmaster',
    domain: TaskDomain & { readonly knowledge: DomainKnowledge },
    holder: Holder,
    random: () => number,
    told: (task: ProbeTask, answer: Answer) => void,
    ip: string | null = null,
  ) {
    super(NOT_QUEUED);
    const { catchAll } = domain.knowledge;
    catchAll.probeLocal ??= probeLocal(random);
    const local = kind === 'postmaster' ? 'postmaster' : catchAll.probeLocal;
    this.kind = kind;
    this.holder = holder;
    this.domain = ip === null ? domain : onlyAt(domain, ip);
    this.address = { local, domain: domain.name, mailbox: `${local}@${domain.name}`, needsSmtpUtf8: false };
    this.#told = told;
  }

  told(answer: Answer): void {
    this.move({ kind: 'probe_told' });
    this.#told(this, answer);
  }

  probeBehind(): null {
    return null;
  }
}

/** The same domain as if it had one MX host: some questions are for the host that gave an answer. */
export function onlyAt(domain: TaskDomain, ip: string): TaskDomain {
  const targets = domain.facts.targets.filter((target) => target.ip === ip);
  return { ...domain, facts: { ...domain.facts, targets, group: groupOf(targets) } };
}

/** For the evidence of every address of the domain; the address in it is not a person's. */
export function probeWords(task: Task, answer: Answer): string {
  const said = answer.reply === null ? 'no answer' : replyWords(answer.reply);
  const { mailbox } = task.address;
  return clip(`catch-all probe <${mailbox}>: ${withoutMailboxes(said, mailbox)}`, WORDS_MAX_BYTES);
}
