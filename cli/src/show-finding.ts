// A finding for people: the verdict, its reason in a sentence, and on request the whole dialogue.
// Promise: nothing a mail server says reaches the terminal as control characters.

import { type Evidence, explain, type Finding } from '@mxproof/engine';
import { plain } from './print.ts';

const MARK = { deliverable: '✓', risky: '!', undeliverable: '✗', unknown: '?' } as const;
const COLOUR = { deliverable: 32, risky: 33, undeliverable: 31, unknown: 36 } as const;

/** The row of the results endpoint. */
export function wireRow(finding: Finding): Record<string, unknown> {
  const { email, state, reason, score, acceptAll, role, free, disposable, mx, provider } = finding;
  return { email, state, reason, score, accept_all: acceptAll, role, free, disposable, mx, provider };
}

export function findingText(finding: Finding, colours: boolean): string {
  const { state, reason, evidence } = finding;
  const paint = (text: string) => (colours ? `\u001b[${COLOUR[state]}m${text}\u001b[0m` : text);
  const flags = [
    finding.role && 'role',
    finding.free && 'free',
    finding.disposable && 'disposable',
    finding.acceptAll && 'accepts all',
  ];
  const facts = [
    `${reason}, score ${finding.score}`,
    finding.mx && `mx ${finding.mx}`,
    finding.provider && `provider ${finding.provider}`,
    ...flags,
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  const lines = [
    `${paint(`${MARK[state]} ${state}`)}  ${plain(finding.email)}`,
    `    ${explain(finding, evidence)} (${plain(evidence.rule)})`,
    `    ${facts.join(' · ')}`,
  ];
  if (evidence.suggestion) lines.push(`    did you mean ${plain(evidence.suggestion)}?`);
  return lines.join('\n');
}

export function dialogueText({ evidence }: Finding): string {
  const where = [
    evidence.host,
    evidence.ip,
    evidence.source && `from ${evidence.source}`,
    evidence.tls && 'TLS',
  ];
  const lines = [
    `    DNS: ${plain(evidence.dns ?? 'not queried')}`,
    `    server: ${where.filter(Boolean).join(' ') || 'none'}, ${evidence.attempts} attempt${evidence.attempts === 1 ? '' : 's'}`,
    ...[...evidence.session, ...evidence.dialogue].map(lineText),
  ];
  return lines.join('\n');
}

const SPEAKER = { us: '→', server: '←', note: '·' } as const;

function lineText(line: Evidence['dialogue'][number]): string {
  return `    ${String(Math.round(line.atMs)).padStart(7)} ms ${SPEAKER[line.from]} ${plain(line.text)}`;
}
