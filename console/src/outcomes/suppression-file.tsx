// A file of addresses that are to be suppressed: read in a worker and sent.
import type { FileFault } from '@mxproof/files/open-table';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { fileFaults } from '../messages/en-new-list.ts';
import { addOutcomes, suppressions as text } from '../messages/en-outcomes.ts';
import { keys } from '../shell/api.ts';
import { sessionProof } from '../shell/session-proof.ts';
import { startWorker } from './import-run.ts';

class FileProblem extends Error {
  readonly sentence: string;
  constructor(fault: FileFault | null, sentence: string | null) {
    super();
    this.sentence = fault === null ? (sentence ?? addOutcomes.unexpected) : fileFaults[fault];
  }
}

export function SuppressionFile() {
  const queries = useQueryClient();
  const [sent, setSent] = useState(0);
  const add = useMutation({
    mutationFn: (file: File) => suppressFile(file, setSent),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.suppressions }),
  });
  return (
    <div className="stack suppression-file">
      <p className="small soft">{text.orFile}</p>
      <div className="file-field">
        <label htmlFor="suppression-file" className="visually-hidden">
          {text.file}
        </label>
        <input
          id="suppression-file"
          type="file"
          disabled={add.isPending}
          onChange={({ target }) => {
            const file = target.files?.[0];
            // The same one may be chosen again.
            target.value = '';
            if (file) add.mutate(file);
          }}
        />
      </div>
      {add.isPending && <p role="status">{sent === 0 ? text.adding : text.progress(sent)}</p>}
      {add.isError && (
        <ProblemNotice>
          {add.error instanceof FileProblem ? add.error.sentence : addOutcomes.unexpected}
        </ProblemNotice>
      )}
      {add.isSuccess && <Notice tone="good">{text.added(add.data.added, add.data.all)}</Notice>}
    </div>
  );
}

function suppressFile(
  file: File,
  onSent: (sent: number) => void,
): Promise<{ readonly added: number; readonly all: number }> {
  onSent(0);
  return new Promise((done, fail) => {
    const worker = startWorker((event) => {
      if (event.kind === 'suppressing') return onSent(event.sent);
      worker.terminate();
      if (event.kind === 'suppressed') done(event);
      else if (event.kind === 'failed') fail(new FileProblem(event.fault, event.sentence));
    });
    worker.postMessage({ kind: 'suppress', file, proof: sessionProof() });
  });
}
