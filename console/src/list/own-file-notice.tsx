// What is to be said about the reader's own file, and where it is taken again.
import { useId } from 'react';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import type { useOwnFile } from './use-own-file.ts';

const text = messages.downloads;

export function OwnFileNotice({ own }: { readonly own: ReturnType<typeof useOwnFile> }) {
  const id = useId();
  return (
    <>
      {own.isBusy && <Notice>{text.merging}</Notice>}
      {own.error && <ProblemNotice>{text.failed}</ProblemNotice>}
      {own.state === 'another_file' && <ProblemNotice>{text.anotherFile}</ProblemNotice>}
      {own.others > 0 && <Notice>{text.others(own.others)}</Notice>}
      {own.state === 'not_kept' && <Notice>{text.notKept}</Notice>}
      {(own.state === 'missing' || own.state === 'another_file') && (
        <Notice>
          <p>{text.missing}</p>
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
