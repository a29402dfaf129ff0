// A verdict for people: what it is, why in a sentence, and on request what DNS and the mail server said.
// Promise: verdicts of this machine and of a service look alike, and nothing a mail server says reaches the terminal as control characters.

import type { ResultRow, Evidence as WireEvidence } from '@mxproof/client';
import { DETAILS } from '@mxproof/common/vocabulary/details';
import { type Detail, explain, type Finding } from '@mxproof/engine';
import { dateOf, plain } from '../shared/print.ts';

/** What both the engine's finding and the service's evidence say. */
export interface ShownFinding {
  readonly email: string;
  readonly state: keyof typeof MARK;
  readonly reason: string;
  /** Null: from before 0.2. */
  readonly detail: Detail | null;
  readonly score: number;
  readonly explanation: string;
  readonly rule: string;
  readonly suggestion: string | null;
  readonly mx: string | null;
  readonly provider: string;
  readonly flags: readonly string[];
  readonly dns: string | null;
  readonly host: Host | null;
  readonly attempts: number;
  readonly checkedAtSeconds: number | null;
  readonly dialogue: readonly Line[];
}

interface Host {
  readonly name: string;
  readonly address: string | null;
  readonly source: string | null;
  readonly tls: boolean;
}

interface Line {
  readonly atMs: number;
  readonly from: keyof typeof SPEAKER;
  readonly text: string;
}

const MARK = { deliverable: '✓', risky: '!', undeliverable: '✗', unknown: '?' } as const;
const COLOUR = { deliverable: 32, risky: 33, undeliverable: 31, unknown: 36 } as const;
const SPEAKER = { client: '→', server: '←', note: '·' } as const;

/** The row of the results endpoint with `include=detail`. */
export function wireRow(finding: Omit<Finding, 'evidence'>): Record<string, unknown> {
  const { email, state, reason, score, acceptAll, role, free, disposable, mx, provider, detail } = finding;
  return { email, state, reason, score, accept_all: acceptAll, role, free, disposable, mx, provider, detail };
}

export function shownFinding(finding: Finding): ShownFinding {
  const { evidence } = finding;
  return {
    ...finding,
    ...evidence,
    explanation: explain(finding, evidence),
    flags: flagWords({ ...finding, accept_all: finding.acceptAll }),
    host:
      evidence.host === null
        ? null
        : { name: evidence.host, address: evidence.ip, source: evidence.source, tls: evidence.tls },
    checkedAtSeconds: null,
    dialogue: [...evidence.session, ...evidence.dialogue].map((line) => ({
      ...line,
      from: line.from === 'us' ? 'client' : line.from,
    })),
  };
}

export function shownEvidence(
  row: Omit<ResultRow, 'provider'> & { provider?: string },
  evidence: WireEvidence,
): ShownFinding {
  return {
    ...evidence,
    // Not there in the answer of an older service.
    detail: evidence.detail ?? null,
    mx: row.mx,
    provider: row.provider ?? '',
    flags: flagWords(row),
    dns: evidence.dns === null ? null : evidence.dns.found,
    checkedAtSeconds: evidence.checked_at,
    dialogue: evidence.dialogue.map(({ at_ms, from, text }) => ({ atMs: at_ms, from, text })),
  };
}

type Flags = Readonly<Record<'role' | 'free' | 'disposable' | 'accept_all', boolean>>;

function flagWords({ role, free, disposable, accept_all }: Flags): string[] {
  return [role && 'role', free && 'free', disposable && 'disposable', accept_all && 'accepts all'].filter(
    (word) => word !== false,
  );
}

export function verdictText(shown: ShownFinding, colours: boolean): string {
  const { state } = shown;
  const paint = (text: string) => (colours ? `\u001b[${COLOUR[state]}m${text}\u001b[0m` : text);
  const facts = [
    `${shown.reason}, score ${shown.score}`,
    shown.mx && `mx ${shown.mx}`,
    shown.provider && `provider ${shown.provider}`,
    ...shown.flags,
  ].filter((fact) => fact !== null && fact !== '');
  const lines = [
    `${paint(`${MARK[state]} ${state}`)}  ${plain(shown.email)}`,
    `    ${plain(shown.explanation)}`,
    `    ${plain(facts.join(' · '))}`,
    ...(shown.detail === null ? [] : [`    detail: ${plain(detailText(shown.detail))}`]),
    `    rule: ${plain(shown.rule)}`,
  ];
  if (shown.suggestion) lines.push(`    Did you mean ${plain(shown.suggestion)}?`);
  return lines.join('\n');
}

/** How the verdict came about, line by line. */
export function evidenceText({ dns, host, attempts, checkedAtSeconds, dialogue }: ShownFinding): string {
  const when = checkedAtSeconds === null ? '' : `, checked ${dateOf(checkedAtSeconds)}`;
  const lines = [
    `    DNS: ${dns ?? 'not queried'}`,
    `    server: ${host === null ? 'none' : hostText(host)}, ${attempts} attempt${attempts === 1 ? '' : 's'}${when}`,
    ...dialogue.map(
      ({ atMs, from, text }) => `    ${String(Math.round(atMs)).padStart(7)} ms ${SPEAKER[from]} ${text}`,
    ),
  ];
  return lines.map(plain).join('\n');
}

function hostText({ name, address, source, tls }: Host): string {
  return [name, address, source && `from ${source}`, tls && 'TLS'].filter(Boolean).join(' ');
}

/** A word of a later service is shown as it is. */
function detailText(detail: Detail): string {
  return Object.hasOwn(DETAILS, detail) ? `${detail} (${DETAILS[detail].brief})` : detail;
}
