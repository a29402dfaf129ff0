// Splits “Send carefully” at the bounce rate that its reader accepts. Shown where the rate of at least one address is known.
import { ACTIONS } from '@mxproof/common/vocabulary/labels';
import { countSides } from '@mxproof/files/bounce-limit';
import { useMemo, useState } from 'react';
import { Button } from '../design/button.tsx';
import { StateShape } from '../design/state-mark.tsx';
import { listMessages } from '../messages/en-list.ts';
import { keepChoice, lastChoice } from './download-choice.ts';
import { LimitField } from './limit-field.tsx';
import type { PlacedRow } from './use-rows.ts';

const text = listMessages.risk;

export function CarefulFew({
  rows,
  isOff,
  onDownload,
}: {
  readonly rows: readonly PlacedRow[];
  readonly isOff: boolean;
  readonly onDownload: (limit: number) => void;
}) {
  const [limit, setLimit] = useState(() => lastChoice().limit);
  const sides = useSides(rows, limit);
  if (sides.below + sides.above === 0) return null;
  return (
    <div className="card careful-few">
      <h2 className="action-name" data-state={ACTIONS.separate.mark}>
        <StateShape state={ACTIONS.separate.mark} />
        {text.few(ACTIONS.separate.title)}
      </h2>
      <LimitField
        limit={limit}
        onChange={(limit) => {
          setLimit(limit);
          keepChoice({ ...lastChoice(), limit });
        }}
      />
      <p className="small soft" role="status">
        {text.sides(sides)}
      </p>
      <Button isDisabled={isOff || sides.below === 0} onPress={() => onDownload(limit)}>
        {text.download(sides.below, limit)}
      </Button>
    </div>
  );
}

export function useSides(rows: readonly PlacedRow[], limit: number) {
  return useMemo(() => countSides(resultsOf(rows), limit), [rows, limit]);
}

function* resultsOf(rows: readonly PlacedRow[]) {
  for (const { row } of rows) yield row;
}
