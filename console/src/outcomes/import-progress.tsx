// An import while it is sent, when it has stopped, and what came of it.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { formatCount, formatShare } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { addOutcomes as text } from '../messages/en-outcomes.ts';
import type { ImportSums } from './import.worker.ts';
import { goOnSending, type ImportRun, putFileBack, stopSending } from './import-run.ts';

type Sent = Extract<ImportRun, { stage: 'sending' | 'stopped' | 'done' }>;

export function ImportProgressCard({ run }: { readonly run: Sent }) {
  const { stage, file, progress } = run;
  const sums = progress?.sums;
  const read = sums ? sums.read.delivered + sums.read.bounced + sums.read.complained : 0;
  const share = progress?.share ?? 0;
  return (
    <section className="card stack" aria-labelledby="import-title">
      <div>
        <h2 id="import-title">{stage === 'done' ? text.done : text.sending}</h2>
        <p className="entry-name">{file.name}</p>
      </div>
      {stage !== 'done' && (
        <>
          <progress className="import-progress" value={share} aria-labelledby="import-title" />
          <p className="row small soft">
            <span>{text.sent(read, sums?.sent ?? 0)}</span>
            <span className="push">{text.share(formatShare(share, 1))}</span>
          </p>
        </>
      )}
      {stage === 'sending' && progress?.waitSeconds != null && (
        <Notice>{text.waiting(progress.waitSeconds)}</Notice>
      )}
      {stage === 'stopped' && (
        <ProblemNotice>
          <span>{run.sentence}</span> <span>{text.stopped}</span>
        </ProblemNotice>
      )}
      {stage === 'done' && run.isCancelled && <Notice>{text.cancelled}</Notice>}
      {stage === 'done' && sums && <Sums sums={sums} />}
      <div className="row">
        {stage === 'stopped' && (
          <Button variant="primary" onPress={goOnSending}>
            {text.goOn}
          </Button>
        )}
        {stage === 'done' ? (
          <>
            <Link className="button" data-primary="" to="/outcomes" hash="accuracy">
              {text.toAccuracy}
            </Link>
            <Button onPress={putFileBack}>{text.another}</Button>
          </>
        ) : (
          <Button onPress={stopSending}>{text.stop}</Button>
        )}
      </div>
    </section>
  );
}

function Sums({ sums }: { readonly sums: ImportSums }) {
  const { read, accepted, duplicates, ignored, passedOver, unreadable, errors } = sums;
  const words = [read.delivered, read.bounced, read.complained].map(formatCount) as [string, string, string];
  return (
    <>
      <p role="status">{text.readOf(...words)}</p>
      <dl className="import-sums">
        <Sum name={text.taken} hint={text.takenMeaning} count={accepted} isAlways />
        <Sum name={text.duplicates} count={duplicates} isAlways />
        <Sum name={text.ignored} hint={text.ignoredMeaning} count={ignored} />
        <Sum name={text.passedOver} hint={text.passedOverMeaning} count={passedOver} />
        <Sum name={text.unreadable} hint={text.unreadableMeaning} count={unreadable} />
      </dl>
      {errors.length > 0 && (
        <div>
          <h3>{text.refused}</h3>
          <ul>
            {errors.map(([sentence, count]) => (
              <li key={sentence} className="small">
                {formatCount(count)}: {sentence}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Sum({
  name,
  hint,
  count,
  isAlways = false,
}: {
  readonly name: ReactNode;
  readonly hint?: string;
  readonly count: number;
  readonly isAlways?: boolean;
}) {
  if (count === 0 && !isAlways) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {formatCount(count)} {hint !== undefined && <span className="small soft">{hint}</span>}
      </dd>
    </div>
  );
}
