// Evidence of many addresses as one small text: repeated words are stored once, and so are the lines that the addresses
// of a session share. Promise: unpacking returns what was packed.
import type { DialogueLine, Evidence, Meaning } from '@mxproof/engine';

const WHO = ['us', 'server', 'note'] as const satisfies readonly DialogueLine['from'][];

type PackedLine = readonly [atMs: number, who: number, text: string];
/** Words by their index; -1: none. */
type PackedRow = readonly [
  position: number,
  dns: number,
  host: number,
  ip: number,
  source: number,
  tls: 0 | 1,
  rule: number,
  suggestion: number,
  attempts: number,
  session: number,
  dialogue: readonly PackedLine[],
  /** Not in evidence that was packed before it was kept. */
  meaning?: number,
];

interface Pack {
  words: string[];
  sessions: (readonly PackedLine[])[];
  rows: PackedRow[];
}

/**
 * Takes evidence as it comes. A row becomes text at once: thousands of addresses wait to be written, and as objects their
 * evidence would be copied by one collection of garbage after another. (Not bytes: V8 counts those apart, and collects
 * everything twice as often.)
 */
export class EvidencePack {
  readonly #words = new Map<string, number>();
  readonly #sessions = new Map<readonly DialogueLine[], number>();
  readonly #rows: string[] = [];

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  add(position: number, given: Evidence): void {
    const row: PackedRow = [
      position,
      this.#word(given.dns),
      this.#word(given.host),
      this.#word(given.ip),
      this.#word(given.source),
      given.tls ? 1 : 0,
      this.#word(given.rule),
      this.#word(given.suggestion),
      given.attempts,
      indexIn(this.#sessions, given.session),
      given.dialogue.map(packLine),
      this.#word(given.meaning),
    ];
    this.#rows.push(JSON.stringify(row));
  }

  text(): string {
    const words: Pack['words'] = [...this.#words.keys()];
    const sessions: Pack['sessions'] = [...this.#sessions.keys()].map((lines) => lines.map(packLine));
    const pieces = [...this.#rows];
    pieces[0] = `{"words":${JSON.stringify(words)},"sessions":${JSON.stringify(sessions)},"rows":[${pieces[0] ?? ''}`;
    pieces[pieces.length - 1] += ']}';
    // Joined last, so that the rows are copied only once.
    return pieces.join(',');
  }

  #word(text: string | null): number {
    return text === null ? -1 : indexIn(this.#words, text);
  }
}

export function packEvidence(found: Iterable<readonly [position: number, evidence: Evidence]>): string {
  const pack = new EvidencePack();
  for (const [position, evidence] of found) pack.add(position, evidence);
  return pack.text();
}

/** Erasures up to 0.2 could leave a text that is not JSON: there is nothing in it then. */
export function unpackEvidence(text: string): Map<number, Evidence> {
  const { words, sessions, rows } = readPack(text);
  const word = (index: number) => words[index] ?? null;
  const shared = sessions.map((lines) => lines.map(unpackLine));
  return new Map(
    rows.map(
      ([position, dns, host, ip, source, tls, rule, suggestion, attempts, session, dialogue, meaning]) => [
        position,
        {
          dns: word(dns),
          host: word(host),
          ip: word(ip),
          source: word(source),
          tls: tls === 1,
          meaning: word(meaning ?? -1) as Meaning | null,
          session: shared[session]!,
          dialogue: dialogue.map(unpackLine),
          rule: word(rule) ?? '',
          suggestion: word(suggestion),
          attempts,
        },
      ],
    ),
  );
}

function readPack(text: string): Pack {
  try {
    return JSON.parse(text) as Pack;
  } catch {
    return { words: [], sessions: [], rows: [] };
  }
}

/** What is left without these positions, and the words and lines that only they have; null: nothing. */
export function withoutPositions(text: string, positions: readonly number[]): string | null {
  const left = [...unpackEvidence(text)].filter(([position]) => !positions.includes(position));
  return left.length === 0 ? null : packEvidence(left);
}

function indexIn<Key>(known: Map<Key, number>, key: Key): number {
  let index = known.get(key);
  if (index === undefined) {
    index = known.size;
    known.set(key, index);
  }
  return index;
}

function packLine({ atMs, from, text }: DialogueLine): PackedLine {
  return [Math.round(atMs), WHO.indexOf(from), text];
}

function unpackLine([atMs, who, text]: PackedLine): DialogueLine {
  return { atMs, from: WHO[who]!, text };
}
