// What is to be said about the reader's own file; where that is to choose it again, the field for it.
import type { FileFault } from '@mxproof/files/open-table';
import { useId } from 'react';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import type { useOwnFile } from './use-own-file.ts';

const text = messages.downloads;

export function OwnFileNotice({ own }: { readonly own: ReturnType<typeof useOwnFile> }) {
  return (
    <>
      {own.isBusy && <Notice>{text.merging}</Notice>}
      {own.error && <ProblemNotice>{problemOf(own.error)}</ProblemNotice>}
      {own.state === 'another_file' && <ProblemNotice>{text.anotherFile}</ProblemNotice>}
      {own.others > 0 && <Notice>{text.others(own.others)}</Notice>}
      {/* One place for the field, whatever is said: the focus stays in it. */}
      {(own.error || own.state !== 'idle') && (
        <Notice>
          {own.state !== 'idle' && <p>{own.state === 'not_kept' ? text.notKept : text.missing}</p>}
          <TakeAgain own={own} />
        </Notice>
      )}
    </>
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
