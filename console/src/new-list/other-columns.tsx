// Says that addresses stand in columns that are not chosen, which may be out of sight, and adds them in one press.
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { newList } from '../messages/en-new-list.ts';
import type { FileReading } from './read.worker.ts';

const text = newList;
const NAMED_COLUMNS = 4;
const SHOWN_NAME_CHARACTERS = 40;

export function OtherColumns({
  reading: { head, otherColumns },
  columns,
  hasHeader,
  onColumns,
}: {
  readonly reading: Pick<FileReading, 'head' | 'otherColumns'>;
  /** Those that are chosen now. */
  readonly columns: readonly number[];
  readonly hasHeader: boolean;
  readonly onColumns: (columns: readonly number[]) => void;
}) {
  const others = otherColumns.filter((column) => !columns.includes(column));
  if (others.length === 0 || columns.length === 0) return null;
  const nameOf = (column: number) => {
    const heading = hasHeader ? (head[0]?.[column] ?? '').trim() : '';
    return heading === '' ? text.column(column + 1) : heading.slice(0, SHOWN_NAME_CHARACTERS);
  };
  return (
    <Notice>
      <span>{text.otherColumns(others.slice(0, NAMED_COLUMNS).map(nameOf), others.length)}</span>
      <Button onPress={() => onColumns([...columns, ...others])}>{text.addColumns(others.length)}</Button>
    </Notice>
  );
}
