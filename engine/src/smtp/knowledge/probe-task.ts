// A recipient asked about for the domain's sake: the impossible one, or postmaster. Promise: the impossible local
// part is made once per domain and kept, since greylisting knows recipients.
import { groupOf } from '../../dns/domain-facts.ts';
import type { Holder } from '../../pace/fair-share.ts';
import type { Address } from '../../types.ts';
import type { Answer, Task, TaskDomain } from '../session/task.ts';
import { clip, replyWords, withoutMailboxes } from '../session/transcript.ts';
import type { DomainKnowledge } from './domain-knowledge.ts';
import { impossibleLocal } from './impossible-local.ts';

const WORDS_MAX_BYTES = 200;

export class ProbeTask implements Task {
  readonly kind: 'impossible' | 'postmaster';
  readonly address: Address;
  readonly domain: TaskDomain;
  readonly single = false;
  readonly holder: Holder;
  readonly lot = 0;
  readonly boundSource = null;
  readonly boundSender = null;
  readonly #told: (task: ProbeTask, answer: Answer) => void;
  drops = 0;
  sendersRefused = 0;
  hostAnswersBefore = 0;
  onWire = false;
  withdrawn = false;

  constructor(
    kind: 'impossible' | 'postmaster',
    domain: TaskDomain & { readonly knowledge: DomainKnowledge },
    holder: Holder,
    random: () => number,
    told: (task: ProbeTask, answer: Answer) => void,
    ip: string | null = null,
  ) {
    domain.knowledge.impossible ??= impossibleLocal(random);
    const local = kind === 'postmaster' ? 'postmaster' : domain.knowledge.impossible;
    this.kind = kind;
    this.holder = holder;
    this.domain = ip === null ? domain : onlyAt(domain, ip);
    this.address = { local, domain: domain.name, mailbox: `${local}@${domain.name}`, needsSmtpUtf8: false };
    this.#told = told;
  }

  told(answer: Answer): void {
    this.#told(this, answer);
  }

  probeBehind(): null {
    return null;
  }
}

/** The same domain as if it had one exchanger: some questions are for the host that gave an answer. */
export function onlyAt(domain: TaskDomain, ip: string): TaskDomain {
  const targets = domain.facts.targets.filter((target) => target.ip === ip);
  return { ...domain, facts: { ...domain.facts, targets, group: groupOf(targets) } };
}

/** For the evidence of every address of the domain; nobody owns the address in it. */
export function probeWords(task: Task, answer: Answer): string {
  const said = answer.reply === null ? 'no answer' : replyWords(answer.reply);
  const { mailbox } = task.address;
  return clip(`catch-all probe <${mailbox}>: ${withoutMailboxes(said, mailbox)}`, WORDS_MAX_BYTES);
}
