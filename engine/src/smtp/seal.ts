// Which replies of a session are known to be their own command's. Decides, touches nothing.
// Promise: one reply too many or too few moves every later one to its neighbour, and replies look alike; so a reply is
// believed only behind a seal, a reply that only its own command can have drawn. There are three:
//   221         answers QUIT and nothing else: as many replies as commands have come, whatever they looked like
//   RSET        where its words are known and were heard nowhere else in the session: everything up to it
//   one by one  without 221: a reply unlike all before it is no copy of them; RSET and HELP seal what was said alike
// Out of reach: a host that loses one reply and doubles another, or lets replies overtake each other, so that their
// number stays the same.
import type { Reply } from '../types.ts';
import { CLOSING, type Command, type Flight } from './flight.ts';

/** What RSET is answered with is also said to a sender or a recipient: it tells nothing. */
export const UNTOLD = '';

/** Enough to tell replies apart; the rest of a long one is not looked at. */
const WORDS_MAX_CHARS = 200;
/** Names, addresses, numbers of the moment: they differ where the same is said. */
const OF_THE_MOMENT = /[\d@<>]/;

export function wordsOf({ code, enhanced, lines }: Reply): string {
  let words = `${code} ${enhanced ?? ''}`;
  const text = lines.join(' ').slice(0, WORDS_MAX_CHARS).toLowerCase();
  for (const word of text.split(' ')) if (!OF_THE_MOMENT.test(word)) words += ` ${word}`;
  return words;
}

/** What RSET is answered with, in replies that are sealed; null: they do not show it. */
export function resetWordsIn(commands: Iterable<Command>): string | null {
  let reset: string | null = null;
  let isOneTaken = false;
  const others = new Set<string>();
  for (const { kind, reply } of commands) {
    if (reply === null || reply.code >= 300) continue;
    const words = wordsOf(reply);
    if (kind === 'rset') {
      if (reset !== null && reset !== words) return UNTOLD;
      reset = words;
      continue;
    }
    others.add(words);
    if (kind === 'rcpt') isOneTaken = true;
  }
  if (reset === null || !isOneTaken) return null;
  return others.has(reset) ? UNTOLD : reset;
}

/**
 * For the first flight of a session. Its RSET's words are heard for the first time, so the reply is no copy of another,
 * and no recipient is answered with them: each of the others has had its own.
 */
export function isSealedByReset(
  { commands }: Flight,
  greeted: readonly Reply[],
  resetWords: string | null,
): boolean {
  const last = commands.at(-1);
  if (resetWords === null || resetWords === UNTOLD || last?.kind !== 'rset') return false;
  for (const command of commands) {
    if (command.reply === null) return false;
    if ((wordsOf(command.reply) === resetWords) !== (command === last)) return false;
  }
  return !greeted.some((reply) => wordsOf(reply) === resetWords);
}

export interface InStep {
  /** Commands whose replies are their own. */
  readonly own: ReadonlySet<Command>;
  /** Recipients are told what MAIL, RSET or EHLO is: without 221, only HELP would tell whose a reply is. */
  readonly alike: boolean;
}

/**
 * For a session that asked one by one and ended without 221. Only a copy can have come in a reply's place, since for
 * one that is lost it would still be waiting. A copy is known by its words: what was not heard before is none.
 */
export function inStepOneByOne(
  commands: readonly Command[],
  greeted: readonly Reply[],
  knownResetWords: string | null,
): InStep {
  const greetings = new Set(greeted.map(wordsOf));
  const heard = new Set(greetings);
  const asked: Command[] = [];
  let own = 0;
  let alike = false;
  /** A recipient was told what another was told before: either may have had the other's. */
  let doubt = false;
  /** A RSET that showed nothing: what follows may be its reply, or that of the next MAIL. */
  let unsure = false;
  let mailWords: string | null = null;
  let resetWords = knownResetWords;
  for (const command of commands) {
    const { kind, reply } = command;
    if (reply === null) continue;
    if (reply.code === CLOSING) break;
    const words = wordsOf(reply);
    const isNew = !heard.has(words);
    heard.add(words);
    asked.push(command);
    const isRefused = reply.code >= 300;
    let seals = false;
    if (kind === 'mail') {
      if (isRefused) seals = isNew && !doubt;
      else if (mailWords !== null && words !== mailWords) break;
      else if (mailWords === null && !isNew) alike = true;
      if (isRefused ? !seals : mailWords === null && !isNew) doubt = true;
      if (!isRefused) mailWords = words;
    } else if (kind === 'rcpt') {
      const isLikeOthers = words === mailWords || words === resetWords || greetings.has(words);
      if (words === resetWords) resetWords = UNTOLD;
      if (isLikeOthers) alike = true;
      seals = isNew && !isLikeOthers && !doubt && (isRefused || !unsure);
      if (!seals) doubt = true;
    } else if (kind === 'help') {
      seals = true;
    } else if (resetWords === null) {
      seals = isNew && !doubt && !isRefused;
      if (seals) resetWords = words;
      else unsure = true;
    } else if (resetWords !== UNTOLD && words !== resetWords) break;
    else if (resetWords !== UNTOLD && words !== mailWords) seals = true;
    else unsure = true;
    if (!seals) continue;
    own = asked.length;
    if (kind === 'help' || kind === 'rset') {
      doubt = false;
      unsure = false;
    }
  }
  return { own: new Set(asked.slice(0, own)), alike };
}
