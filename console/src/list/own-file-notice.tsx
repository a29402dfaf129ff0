// What is to be said about the reader's own file; where that is to choose it again, the field for it.
import type { FileFault } from '@mxproof/files/open-table';
import { useId } from 'react';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { listMessages } from '../messages/en-list.ts';
import type { OwnFileState, SavedFile, useOwnFile } from './use-own-file.ts';

const text = listMessages.downloads;

const ABOUT = {
  missing: text.missing,
  another_file: text.missing,
  table: text.tableInstead,
  not_kept: text.notKept,
} as const satisfies Record<Exclude<OwnFileState, 'idle'>, string>;

export function OwnFileNotice({ own }: { readonly own: ReturnType<typeof useOwnFile> }) {
  return (
    <>
      {own.isBusy && <Notice>{text.merging}</Notice>}
      {own.error && <ProblemNotice>{problemOf(own.error)}</ProblemNotice>}
      {own.state === 'another_file' && <ProblemNotice>{text.anotherFile}</ProblemNotice>}
      {own.saved && <Saved file={own.saved} unchecked={own.unchecked} />}
      {/* One place for the field, whatever is said: the focus stays in it. */}
      {(own.error || own.state !== 'idle') && (
        <Notice>
          {own.state !== 'idle' && <p>{ABOUT[own.state]}</p>}
          <TakeAgain own={own} />
        </Notice>
      )}
    </>
  );
}

function Saved({
  file: { name, found },
  unchecked,
}: {
  readonly file: SavedFile;
  /** When it was made. */
  readonly unchecked: number;
}) {
  const { kept, rows, withoutAddress, others, changes } = found;
  const isWhole = kept === rows;
  return (
    <Notice tone="good">
      {text.saved(name, formatCount(kept), formatCount(rows))}{' '}
      {changes.corrected > 0 && text.corrected(changes.corrected)}{' '}
      {changes.emptied > 0 && text.emptied(changes.emptied)}{' '}
      {changes.leftAlone > 0 && text.leftAlone(changes.leftAlone)}{' '}
      {withoutAddress > 0 && !isWhole && text.withoutAddress(withoutAddress)}{' '}
      {others > 0 && text.others(others)} {unchecked > 0 && text.madeSoFar(unchecked)}
    </Notice>
  );
}

/** A file that cannot be read is not the one that was checked, which could be. */
function problemOf(error: Error): string {
  return (error as { readonly fault?: FileFault | null }).fault ? text.anotherFile : text.failed;
}

function TakeAgain({ own }: { readonly own: ReturnType<typeof useOwnFile> }) {
  const id = useId();
  return (
    <p className="row">
      <label htmlFor={id}>{text.takeAgain}</label>
      <input
        id={id}
        className="file-input"
        type="file"
        accept=".csv,.tsv,.txt,.xlsx"
        disabled={own.isBusy}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) own.take(file);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </p>
  );
}
