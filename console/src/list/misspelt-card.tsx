// Addresses at misspelt domains: which they are, and one button that checks them as they were meant. Which domains is chosen
// one click away, since one may be right. Not shown where there are none.
import './misspelt-card.css';
import type { ListSummary } from '@mxproof/client';
import { useState } from 'react';
import { ChargeButton } from '../charge/charge-button.tsx';
import { formatCount } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { listCharges } from '../messages/en-charge.ts';
import { listMessages } from '../messages/en-list.ts';
import { useMay } from '../shell/own-session.ts';
import { type Misspelling, type Misspelt, toCorrect } from './corrections.ts';
import { newListsProblem } from './use-check-again.ts';
import { useCorrect } from './use-corrections.ts';

const text = listMessages.list.misspelt;
const NAMED = 3;

export function MisspeltCard({
  parts,
  misspelt,
  misspellings,
}: {
  readonly parts: readonly ListSummary[];
  readonly misspelt: readonly Misspelt[];
  readonly misspellings: readonly Misspelling[];
}) {
  const may = useMay();
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const ticked = misspellings.map(({ domain }) => domain).filter((domain) => !unticked.has(domain));
  const { lists, addresses } = toCorrect(misspelt, new Set(ticked));
  const correct = useCorrect(parts, lists);
  if (misspellings.length === 0) return null;
  const inList = misspelt.filter(({ isInList }) => isInList).length;
  const rest = misspellings.length - NAMED;
  return (
    <section className="card misspelt" aria-labelledby="misspelt-title">
      <div className="misspelt-what">
        <h2 id="misspelt-title">
          {text.title(
            misspellings.length,
            misspellings.reduce((sum, one) => sum + one.addresses, 0),
          )}
        </h2>
        <p className="small soft">{text.meaning}</p>
        <ul className="misspelt-pairs">
          {misspellings.slice(0, NAMED).map((pair) => (
            <li key={pair.domain}>
              <Pair {...pair} />
            </li>
          ))}
          {rest > 0 && <li className="soft">{text.others(rest)}</li>}
        </ul>
        {inList > 0 && <p className="small soft">{text.inList(inList)}</p>}
      </div>
      <div className="misspelt-tools">
        <ChargeButton
          addresses={addresses}
          label={text.fix(addresses)}
          busyLabel={text.fixing}
          title={listCharges.correctedQuestion(addresses)}
          otherWay={ticked.length > 1 ? listCharges.untick : undefined}
          isBusy={correct.isPending}
          variant="primary"
          onCharge={() => correct.mutate()}
        />
      </div>
      {may.change && (
        <details className="misspelt-choice">
          <summary>{text.choose}</summary>
          <p className="small soft">{text.chooseHint}</p>
          <ul>
            {misspellings.map((pair) => (
              <li key={pair.domain}>
                <label>
                  <input
                    type="checkbox"
                    checked={!unticked.has(pair.domain)}
                    disabled={correct.isPending}
                    onChange={({ target }) => {
                      const next = new Set(unticked);
                      if (target.checked) next.delete(pair.domain);
                      else next.add(pair.domain);
                      setUnticked(next);
                    }}
                  />
                  <Pair {...pair} />
                </label>
              </li>
            ))}
          </ul>
        </details>
      )}
      {correct.isError && <ProblemNotice>{newListsProblem(correct.error)}</ProblemNotice>}
    </section>
  );
}

function Pair({ domain, suggestion, addresses }: Misspelling) {
  return (
    <span>
      <span className="misspelt-pair">{text.pair(domain, suggestion)}</span>,{' '}
      <strong>{formatCount(addresses)}</strong>
    </span>
  );
}
