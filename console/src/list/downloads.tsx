// Everything to take away: the good rows of the reader's own file in one press, and whatever else is chosen.
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { listMessages } from '../messages/en-list.ts';
import type { ActionCounts } from './count-actions.ts';
import { FIRST_CHOICE, orderOf } from './download-choice.ts';
import { DownloadDialog } from './download-dialog.tsx';
import type { useOwnFile } from './use-own-file.ts';
import type { PlacedRow } from './use-rows.ts';

const text = listMessages.downloads;

export function Downloads({
  name,
  listId,
  rows,
  counts,
  unchecked,
  isComplete,
  own,
}: {
  readonly name: string;
  /** Any of those that were made of the file. */
  readonly listId: number;
  readonly rows: readonly PlacedRow[];
  /** Of addresses. */
  readonly counts: ActionCounts | null;
  /** While the list runs. */
  readonly unchecked: number;
  readonly isComplete: boolean;
  readonly own: ReturnType<typeof useOwnFile>;
}) {
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <Button
        variant="primary"
        isDisabled={!isComplete || own.isBusy || counts?.send === 0}
        onPress={() => own.give(orderOf(rows, FIRST_CHOICE, { unchecked }), 'table')}
      >
        {unchecked === 0 ? text.goodRows : text.goodRowsSoFar}
      </Button>
      <Button isDisabled={!isComplete} onPress={() => setChoosing(true)}>
        {text.more}
      </Button>
      {isChoosing && (
        <DownloadDialog
          name={name}
          listId={listId}
          rows={rows}
          counts={counts}
          unchecked={unchecked}
          own={own}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
