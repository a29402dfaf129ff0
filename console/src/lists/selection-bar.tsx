// What can be done with several lists at once: they are deleted, with one undo.
import { useRef } from 'react';
import { useDeletion } from '../deletions/use-deletion.ts';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { deletionMessages } from '../messages/en-deletions.ts';
import { listsMessages as text } from '../messages/en-lists.ts';
import { problemText } from '../shell/problem.ts';
import { type Family, membersOf } from './fold-made.ts';
import { nameOf } from './rename-list.tsx';

/** Requests of one deletion, which leave at once, and of its undo. */
const LISTS_MAX = 250;

export function SelectionBar({
  selectable,
  selected,
  onSelect,
}: {
  /** Of those that are shown. */
  readonly selectable: readonly Family[];
  readonly selected: readonly Family[];
  readonly onSelect: (selected: readonly Family[]) => void;
}) {
  const all = useRef<HTMLInputElement>(null);
  const deletion = useDeletion(() => {
    onSelect([]);
    // The button goes with the selection.
    all.current?.focus();
  });
  const isAll = selected.length > 0 && selected.length === selectable.length;
  const listIds = selected.flatMap((family) => membersOf(family).map(({ id }) => id));
  const isTooMany = listIds.length > LISTS_MAX;
  const name = selected.length === 1 ? nameOf(selected[0]!.list) : text.several(selected.length);
  return (
    <>
      <div className="row selection-bar">
        <label className="row selection-all">
          <input
            ref={(input) => {
              all.current = input;
              if (input) input.indeterminate = selected.length > 0 && !isAll;
            }}
            type="checkbox"
            checked={isAll}
            disabled={selectable.length === 0}
            onChange={({ target }) => onSelect(target.checked ? selectable : [])}
          />
          {text.selectAll}
        </label>
        <span role="status">{selected.length > 0 && text.selected(selected.length)}</span>
        {selected.length > 0 && deletion && (
          <Button
            variant="danger"
            isDisabled={deletion.isPending || isTooMany}
            onPress={() => deletion.delete({ listIds, name })}
          >
            {text.deleteSelected}
          </Button>
        )}
      </div>
      {isTooMany && <ProblemNotice>{text.selectedMost(LISTS_MAX)}</ProblemNotice>}
      {deletion?.error && (
        <ProblemNotice>
          {deletionMessages.failed(deletion.variables?.name ?? '')} {problemText(deletion.error)}
        </ProblemNotice>
      )}
    </>
  );
}
