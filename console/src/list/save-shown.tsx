// The rows that the table shows, taken away: in the reader's own file, or as a table of our own in the order shown.
import { Button } from '../design/button.tsx';
import { listMessages } from '../messages/en-list.ts';
import { FORMATS, lastChoice, soFar } from './download-choice.ts';
import type { RowFilter } from './row-filter.ts';
import { fileStem, saveRows } from './save-rows.ts';
import type { useOwnFile } from './use-own-file.ts';
import type { PlacedRow } from './use-rows.ts';

const text = listMessages.results;

export function SaveShown({
  name,
  own,
  action,
  rows,
  unchecked,
  isComplete,
}: {
  readonly name: string;
  readonly own: ReturnType<typeof useOwnFile>;
  /** Whose rows they are, where one was asked for. */
  readonly action: RowFilter['action'];
  readonly rows: readonly PlacedRow[];
  /** While the list runs. */
  readonly unchecked: number;
  readonly isComplete: boolean;
}) {
  // What a card holds is to be sent to; what was searched for is whatever it is.
  const saved = action === null ? rows : rows.filter(({ row }) => !row.suppressed);
  const part = soFar(action ?? 'found', unchecked);
  return (
    <div className="row push">
      <span className="small soft" aria-hidden="true">
        {text.saveAs}
      </span>
      {FORMATS.map((format) => (
        <Button
          key={format}
          variant="quiet"
          aria-label={`${text.saveAs} ${listMessages.downloads.formats[format]}`}
          isDisabled={!isComplete || own.isBusy || saved.length === 0}
          onPress={() => {
            const { withResults, words } = lastChoice();
            // A card is of rows, what was searched for is of addresses.
            const rowsBy = action === null ? 'any' : 'best';
            if (format === 'own')
              own.give(
                { rows: saved, rest: false, invalid: false, rowsBy, withResults, words, part, unchecked },
                'ask',
              );
            else void saveRows(saved, fileStem(name, part), format, words);
          }}
        >
          {listMessages.downloads.formats[format]}
        </Button>
      ))}
    </div>
  );
}
