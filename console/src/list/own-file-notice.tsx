// What is to be said about the reader's own file, and where it is taken again.
import { useId } from 'react';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import type { SavedFile, useOwnFile } from './use-own-file.ts';

const text = messages.downloads;

export function OwnFileNotice({ own }: { readonly own: ReturnType<typeof useOwnFile> }) {
  const id = useId();
  return (
    <>
      {own.isBusy && <Notice>{text.merging}</Notice>}
      {own.error && <ProblemNotice>{text.failed}</ProblemNotice>}
      {own.state === 'another_file' && <ProblemNotice>{text.anotherFile}</ProblemNotice>}
      {own.saved && <Saved file={own.saved} />}
      {own.state === 'not_kept' && <Notice>{text.notKept}</Notice>}
      {(own.state === 'missing' || own.state === 'table' || own.state === 'another_file') && (
        <Notice>
          <p>{own.state === 'table' ? text.tableInstead : text.missing}</p>
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
        </Notice>
      )}
    </>
  );
}

function Saved({ file: { name, found } }: { readonly file: SavedFile }) {
  const { kept, rows, withoutAddress, others } = found;
  const isWhole = kept === rows;
  return (
    <Notice tone="good">
      {text.saved(name, formatCount(kept), formatCount(rows))}{' '}
      {withoutAddress > 0 && !isWhole && text.withoutAddress(withoutAddress)}{' '}
      {others > 0 && text.others(others)}
    </Notice>
  );
}
