// Which replies of a session are known to be their own command's. Decides, touches nothing.
// Promise: one reply too many or too few moves every later one to its neighbour, and replies look alike; so a reply is
// trusted only before a seal, a reply that only its own command can have caused:
//   221    answers QUIT and nothing else: as many replies as commands have come, whatever they looked like
//   RSET   where its words are known to be no recipient's: shifted, its place would hold another's words
//   HELP   asked only where a host says no 221 and its replies look alike; no other command is answered with 214
//   words  one by one, a reply unlike all before it is not a copy of them: that of a host that hangs up right after it
// Not detected: a host that loses one reply and doubles another, or lets replies overtake each other, so that their
// number stays the same; and, where no 221 came, one that repeats a recipient's and its RSET's reply in a row, later, in
// the very places of another recipient's.

import type { Command } from '../../state/answer.ts';
import type { Reply } from '../../types.ts';
import { CLOSING } from './flight.ts';

/** The reply to RSET is also given to a sender or a recipient: it seals nothing. */
const UNTOLD = '';

/** Enough to tell replies apart. */
const WORDS_MAX_CHARS = 200;
/** Names, addresses, numbers of the moment: they differ where the same is said. */
const OF_THE_MOMENT = /[\d@<>]/;

function wordsOf({ code, enhanced, lines }: Reply): string {
  let words = `${code} ${enhanced ?? ''}`;
  const text = lines.join(' ').slice(0, WORDS_MAX_CHARS).toLowerCase();
  for (const word of text.split(' ')) if (!OF_THE_MOMENT.test(word)) words += ` ${word}`;
  return words;
}

/** What RSET is answered with, in replies that are sealed; null: they do not show it. */
export function resetWordsIn(commands: readonly Command[]): string | null {
  if (!commands.some(({ kind, reply }) => kind === 'rset' && reply !== null)) return null;
  const { rset, mail, rcpt } = acceptedWords(commands);
  if (rset.size === 0 || rcpt.size === 0) return null;
  const [words = UNTOLD] = rset;
  return rset.size > 1 || mail.has(words) || rcpt.has(words) ? UNTOLD : words;
}

/** The distinct replies to accepted commands, by kind. */
function acceptedWords(commands: readonly Command[]): Record<Command['kind'], Set<string>> {
  const words = {
    mail: new Set<string>(),
    rcpt: new Set<string>(),
    rset: new Set<string>(),
    help: new Set<string>(),
  };
  const last: Partial<Record<Command['kind'], Reply>> = {};
  for (const { kind, reply } of commands) {
    // The reader returns one object for equal short replies: a hundred recipients cost one comparison.
    if (reply === null || reply.code >= 300 || reply === last[kind]) continue;
    last[kind] = reply;
    words[kind].add(wordsOf(reply));
  }
  return words;
}

export interface OwnReplies {
  /** Commands whose replies are their own. */
  readonly own: ReadonlySet<Command>;
  /** Recipients get the same reply as MAIL, RSET or EHLO: without 221, only HELP can seal. */
  readonly alike: boolean;
}

/**
 * Without 221. Where every reply was waited for, only a copy can have come in another's place, and a copy is known by
 * its words: a reply in words that were not heard before is not a copy.
 */
export function ownReplies(
  commands: readonly Command[],
  greeted: readonly Reply[],
  resetWords: string | null,
): OwnReplies {
  const dialogue = new Dialogue(greeted, resetWords);
  const asked: Command[] = [];
  let own = 0;
  let sealed = 0;
  for (const command of commands) {
    const { kind, reply } = command;
    if (reply === null) continue;
    if (reply.code === CLOSING) break;
    asked.push(command);
    const shown = dialogue.hear(kind, reply);
    // Another command's for certain: what came since the last seal may be as well.
    if (shown === 'muddle') {
      own = sealed;
      break;
    }
    if (shown === 'nothing') continue;
    own = asked.length;
    if (shown === 'seal') sealed = own;
  }
  return { own: new Set(asked.slice(0, own)), alike: dialogue.alike };
}

export function canTell(resetWords: string | null): boolean {
  return resetWords !== null && resetWords !== UNTOLD;
}

/** For a session that stays, all of it answered: as good as 221, where the words for RSET are known. */
export function isSealedByReset(
  commands: readonly Command[],
  greeted: readonly Reply[],
  resetWords: string | null,
): boolean {
  if (resetWords === null || !canTell(resetWords)) return false;
  const last = commands.at(-1);
  if (last?.kind !== 'rset' || last.reply === null || last.reply.code >= 300) return false;
  const { rset, mail, rcpt } = acceptedWords(commands);
  if (rset.size !== 1 || !rset.has(resetWords) || mail.size > 1) return false;
  const others = new Set([...mail, ...greeted.map(wordsOf)]);
  return !others.has(resetWords) && others.isDisjointFrom(rcpt) && !rcpt.has(resetWords);
}

/** What a reply proves: it belongs to its command; all before it do too; one of them does not; or nothing. */
type ReplyProof = 'own' | 'seal' | 'muddle' | 'nothing';

class Dialogue {
  alike = false;
  readonly #greetings: ReadonlySet<string>;
  readonly #heard: Set<string>;
  #mailWords: string | null = null;
  #resetWords: string | null;
  /** A recipient got a reply seen before: it may be a copy, and every later reply its neighbour's. */
  #isInDoubt = false;
  /** A RSET that showed nothing: what follows may be its reply, or that of the next MAIL. */
  #isUnsure = false;

  constructor(greeted: readonly Reply[], resetWords: string | null) {
    this.#greetings = new Set(greeted.map(wordsOf));
    this.#heard = new Set(this.#greetings);
    this.#resetWords = resetWords;
  }

  hear(kind: Command['kind'], reply: Reply): ReplyProof {
    const words = wordsOf(reply);
    const isNew = !this.#heard.has(words);
    this.#heard.add(words);
    const isAccepted = reply.code < 300;
    switch (kind) {
      case 'mail':
        return this.#mail(words, isNew, isAccepted);
      case 'rcpt':
        return this.#rcpt(words, isNew, isAccepted);
      case 'help':
        return this.#seal();
      case 'rset':
        return this.#rset(words, isNew, isAccepted);
      default:
        return kind satisfies never;
    }
  }

  #mail(words: string, isNew: boolean, isAccepted: boolean): ReplyProof {
    if (!isAccepted) return isNew && !this.#isInDoubt ? 'own' : this.#doubt();
    if (this.#mailWords !== null) return words === this.#mailWords ? 'nothing' : 'muddle';
    this.#mailWords = words;
    if (isNew) return 'nothing';
    this.alike = true;
    return this.#doubt();
  }

  /** A shifted reply here would be MAIL's or RSET's, and those are known. */
  #rcpt(words: string, isNew: boolean, isAccepted: boolean): ReplyProof {
    const isReset = words === this.#resetWords;
    if (isReset) this.#resetWords = UNTOLD;
    if (isReset || words === this.#mailWords || this.#greetings.has(words)) {
      this.alike = true;
      return this.#doubt();
    }
    const isOwn = isNew && !this.#isInDoubt && !(isAccepted && this.#isUnsure);
    return isOwn ? 'own' : this.#doubt();
  }

  #rset(words: string, isNew: boolean, isAccepted: boolean): ReplyProof {
    const known = this.#resetWords;
    if (known === null && isNew && isAccepted && !this.#isInDoubt) {
      this.#resetWords = words;
      return this.#seal();
    }
    if (known !== null && known !== UNTOLD) {
      if (words !== known) return 'muddle';
      if (words !== this.#mailWords && !this.#greetings.has(words)) return this.#seal();
    }
    this.#isUnsure = true;
    return 'nothing';
  }

  #seal(): ReplyProof {
    this.#isInDoubt = false;
    this.#isUnsure = false;
    return 'seal';
  }

  #doubt(): ReplyProof {
    this.#isInDoubt = true;
    return 'nothing';
  }
}
