// How likely mail to an address bounces, beside its evidence, and by whose mail that is known.
import { listMessages } from '../messages/en-list.ts';
import { basisText, riskText } from './risk-text.tsx';
import type { ShownRow } from './use-rows.ts';

export function BounceRisk({ row }: { readonly row: ShownRow }) {
  const risk = riskText(row);
  if (risk === null) return null;
  return (
    <p>
      {listMessages.results.risk}: <strong>{risk}</strong>{' '}
      <span className="small soft">{basisText(row)}</span>
    </p>
  );
}
