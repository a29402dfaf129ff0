// Evidence of many addresses as one text: dialogue lines that a session's addresses share are said once.
import type { DialogueLine, Evidence } from '@mxproof/engine';

type Packed = Omit<Evidence, 'session'> & { readonly session: number };

interface Pack {
  sessions: (readonly DialogueLine[])[];
  rows: [position: number, evidence: Packed][];
}

export function packEvidence(found: readonly (readonly [position: number, evidence: Evidence])[]): string {
  const sessions = new Map<readonly DialogueLine[], number>();
  const rows = found.map(([position, { session, ...own }]): [number, Packed] => {
    let index = sessions.get(session);
    if (index === undefined) {
      index = sessions.size;
      sessions.set(session, index);
    }
    return [position, { ...own, session: index }];
  });
  return JSON.stringify({ sessions: [...sessions.keys()], rows } satisfies Pack);
}

export function unpackEvidence(text: string): Map<number, Evidence> {
  const pack = JSON.parse(text) as Pack;
  return new Map(
    pack.rows.map(([position, own]) => [position, { ...own, session: pack.sessions[own.session]! }]),
  );
}
