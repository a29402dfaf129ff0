// What is known of an address: why it got its state as a sentence, then fact by fact. The same wherever a result is shown.
import './address-facts.css';
import type { Evidence, ResultRow } from '@mxproof/client';
import { providerName } from '@mxproof/common/vocabulary/providers';
import type { ReactNode } from 'react';
import { Fact } from '../design/fact.tsx';
import { formatCount, formatMoment } from '../design/format.ts';
import { messages } from '../messages/messages.ts';
import { flagsOf } from './flags.ts';
import { whyOf, whyText } from './why.ts';

const text = messages.check;

/** Of an unknown address the API's 0 says nothing. */
function hasScore({ state }: ResultRow): boolean {
  return state !== 'unknown' && state !== 'pending';
}

export function AddressFacts({
  row,
  evidence,
  children,
}: {
  readonly row: ResultRow;
  /** Null: not read yet, or no longer kept. */
  readonly evidence: Evidence | null;
  /** What belongs to the sentence. */
  readonly children?: ReactNode;
}) {
  const flags = flagsOf(row);
  const why = whyOf({ ...row, detail: evidence?.detail ?? row.detail ?? null });
  return (
    <>
      {evidence && <p className="facts-sentence">{evidence.explanation}</p>}
      {children}
      <dl className="facts">
        <Fact name={text.reason}>{why && whyText(why)}</Fact>
        <Fact name={text.provider}>{providerName(row.provider) || text.noMx}</Fact>
        <Fact name={text.mx}>{row.mx ?? text.noMx}</Fact>
        {hasScore(row) && (
          <Fact name={text.score}>
            {text.scoreOf(formatCount(row.score))} <span className="small soft">{text.scoreMeaning}</span>
          </Fact>
        )}
        {evidence && <Fact name={messages.evidence.checkedAt}>{formatMoment(evidence.checked_at)}</Fact>}
      </dl>
      {flags.length > 0 && (
        <ul className="row">
          {flags.map((flag) => (
            <li key={flag} className="flag small">
              {messages.flags[flag]}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
