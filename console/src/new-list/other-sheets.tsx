// Says that addresses stand on sheets that are not read, adds them in one press, and takes them away again.
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { newList } from '../messages/en-new-list.ts';

const text = newList;
const NAMED_SHEETS = 6;
/** Spreadsheets take no longer ones. */
const SHOWN_NAME_CHARACTERS = 31;

export function OtherSheets({
  names,
  added,
  onSheets,
}: {
  /** With addresses that are not read. */
  readonly names: readonly string[];
  /** Read with the one that is chosen. */
  readonly added: readonly string[];
  readonly onSheets: (added: readonly string[]) => void;
}) {
  return (
    <>
      {added.length > 0 && (
        <Notice>
          <span>{text.sheetsAdded(shownNames(added), Math.max(0, added.length - NAMED_SHEETS))}</span>
          <Button onPress={() => onSheets([])}>{text.withoutSheets}</Button>
        </Notice>
      )}
      {names.length > 0 && (
        <Notice>
          <span>{text.otherSheets(shownNames(names), Math.max(0, names.length - NAMED_SHEETS))}</span>
          <Button onPress={() => onSheets([...added, ...names])}>{text.addSheets(names.length)}</Button>
        </Notice>
      )}
    </>
  );
}

function shownNames(names: readonly string[]): readonly string[] {
  return names.slice(0, NAMED_SHEETS).map((name) => name.slice(0, SHOWN_NAME_CHARACTERS));
}
