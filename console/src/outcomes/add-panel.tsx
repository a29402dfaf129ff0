// A file of outcomes: dropped or chosen, looked at, sent.
import '../new-list/new-list.css';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ProblemNotice } from '../design/notice.tsx';
import { fileFaults } from '../messages/en-new-list.ts';
import { addOutcomes as text } from '../messages/en-outcomes.ts';
import { useFileDrop } from '../new-list/use-file-drop.ts';
import { keys } from '../shell/api.ts';
import { ImportProgressCard } from './import-progress.tsx';
import { type ImportRun, takeOutcomeFile, useImportRun } from './import-run.ts';
import { ReviewOutcomes } from './review-outcomes.tsx';
import { WhereOn } from './switch-card.tsx';

export function AddPanel() {
  return (
    <WhereOn>
      <Importing />
    </WhereOn>
  );
}

function Importing() {
  const run = useImportRun();
  const queries = useQueryClient();
  const isOver = useFileDrop(takeOutcomeFile);
  const isDone = run.stage === 'done';
  useEffect(() => {
    if (isDone) void queries.invalidateQueries({ queryKey: keys.outcomes });
  }, [isDone, queries]);
  switch (run.stage) {
    case 'none':
    case 'opening':
      return <Choose run={run} isOver={isOver} />;
    case 'review':
      return <ReviewOutcomes key={run.file.name} run={run} />;
    default:
      return <ImportProgressCard run={run} />;
  }
}

function Choose({
  run,
  isOver,
}: {
  readonly run: Extract<ImportRun, { stage: 'none' | 'opening' }>;
  readonly isOver: boolean;
}) {
  const problem =
    run.stage === 'opening'
      ? null
      : run.fault === null
        ? run.sentence
        : run.fault === 'unexpected'
          ? text.unexpected
          : fileFaults[run.fault];
  return (
    <section className="stack" aria-labelledby="add-outcomes-title">
      <div>
        <h2 id="add-outcomes-title">{text.title}</h2>
        <p className="soft new-list-intro">{text.intro}</p>
      </div>
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      <div className="drop card" data-over={isOver || undefined}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 20V4m-6 6 6-6 6 6M5 22v3a3 3 0 0 0 3 3h16a3 3 0 0 0 3-3v-3" />
        </svg>
        <p className="drop-words" role="status">
          {run.stage === 'opening' ? text.opening : isOver ? text.dropNow : text.drop}
        </p>
        <div className="file-field">
          <label htmlFor="outcome-file" className="visually-hidden">
            {text.file}
          </label>
          <input
            id="outcome-file"
            type="file"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) takeOutcomeFile(file);
            }}
          />
        </div>
        <p className="small soft">{text.formats}</p>
      </div>
    </section>
  );
}
