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

export function packEvidence(found: readonly (readonly [position: number, evidence: Evidence])[]): string {
  const words = new Map<string, number>();
  const sessions = new Map<readonly DialogueLine[], number>();
  const word = (text: string | null) => (text === null ? -1 : indexIn(words, text));
  const rows = found.map(
    ([position, given]): PackedRow => [
      position,
      word(given.dns),
      word(given.host),
      word(given.ip),
      word(given.source),
      given.tls ? 1 : 0,
      word(given.rule),
      word(given.suggestion),
      given.attempts,
      indexIn(sessions, given.session),
      given.dialogue.map(packLine),
      word(given.meaning),
    ],
  );
  const pack: Pack = {
    words: [...words.keys()],
    sessions: [...sessions.keys()].map((lines) => lines.map(packLine)),
    rows,
  };
  return JSON.stringify(pack);
}

export function unpackEvidence(text: string): Map<number, Evidence> {
  const { words, sessions, rows } = JSON.parse(text) as Pack;
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
