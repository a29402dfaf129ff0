// What the doctor found on each machine, as its terminal shows it: a mark, a sentence, what to do.
import './doctor-page.css';
import type { DoctorReport } from '@mxproof/client/admin';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { operator } from '../messages/en-operator.ts';
import { admin, useAdmin, useChange } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';
import { useMayChange } from './operator-session.ts';
import { PageHead, ReadingState } from './page-parts.tsx';
import { ageOf } from './when.ts';

const text = operator.check;
/** It runs once a day. */
const OLD_SECONDS = 2 * 24 * 3_600;
const EVERY_MS = 60_000;
/** Its checks wait for servers. */
const RUN_LIMIT_MS = 120_000;

type Check = DoctorReport['checks'][number];

export function DoctorPage() {
  const doctor = useAdmin(['doctor'], (options) => admin.doctor(options), EVERY_MS);
  const { data } = doctor;
  const run = useChange((options) => admin.runDoctor({ ...options, timeoutMs: RUN_LIMIT_MS }));
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={text.intro}>
        {useMayChange() && (
          <Button isDisabled={run.isPending} onPress={() => run.mutate()}>
            {run.isPending ? text.running : text.run}
          </Button>
        )}
      </PageHead>
      {run.error && <ProblemNotice>{operatorProblem(run.error)}</ProblemNotice>}
      {run.isSuccess && <Notice tone="good">{text.ranNow}</Notice>}
      <ReadingState of={doctor} />
      {data && <BackupAge madeAt={data.backup_at} now={data.at} />}
      {data?.reports.length === 0 && <Notice>{text.none}</Notice>}
      {data?.reports.map((report) => (
        <Report key={report.machine} report={report} now={data.at} />
      ))}
      {data && data.left_out > 0 && <Notice tone="warning">{text.leftOut(data.left_out)}</Notice>}
    </section>
  );
}

function BackupAge({ madeAt, now }: { readonly madeAt: number | null; readonly now: number }) {
  if (madeAt === null) return <Notice>{text.noBackup}</Notice>;
  const age = ageOf(madeAt, now);
  return now - madeAt > OLD_SECONDS ? (
    <Notice tone="warning">{text.oldBackup(age)}</Notice>
  ) : (
    <p className="soft">{text.backup(age, formatMoment(madeAt))}</p>
  );
}

function Report({ report, now }: { readonly report: DoctorReport; readonly now: number }) {
  const { machine, ran_at, checks, ok } = report;
  const failed = checks.filter(({ status }) => status === 'failure').length;
  return (
    <article className="card stack doctor-report" aria-label={machine}>
      <header className="doctor-head">
        <h2 className="mono">{machine}</h2>
        <span className="doctor-mark" data-check={ok ? 'ok' : 'failure'}>
          <CheckShape status={ok ? 'ok' : 'failure'} />
          {ok ? text.ok : text.failed(failed)}
        </span>
        <span className="small soft push">{text.ran(ageOf(ran_at, now), formatMoment(ran_at))}</span>
      </header>
      {now - ran_at > OLD_SECONDS && <Notice tone="warning">{text.old}</Notice>}
      {[...Map.groupBy(checks, ({ group }) => group)].map(([group, ofGroup]) => (
        <section key={group} className="doctor-group">
          {group !== '' && <h3>{group}</h3>}
          <ul className="doctor-tree">
            {ofGroup.map((check, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an id may be there for each of several sources, in their order.
              <CheckItem key={`${check.id} ${at}`} check={check} />
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

function CheckItem({ check: { id, title, status, detail, advice } }: { readonly check: Check }) {
  return (
    <li data-check={status}>
      <CheckShape status={status} />
      <div>
        <h4>
          <span className="visually-hidden">{text.statuses[status]}: </span>
          {title} <code className="doctor-id">{id}</code>
        </h4>
        <p>{detail}</p>
        {advice !== null && (
          <p className="doctor-advice">
            <strong>{text.todo}</strong> {advice}
          </p>
        )}
      </div>
    </li>
  );
}

const PATHS: Readonly<Record<Check['status'], string>> = {
  ok: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-1 9.8L4.2 8l1.1-1.1L7 8.6l3.7-3.7L11.8 6Z',
  warning: 'M8 1.2 15.4 14.5H.6ZM7.2 6v4h1.6V6Zm0 5.2v1.6h1.6v-1.6Z',
  failure:
    'M5 1h6l4 4v6l-4 4H5l-4-4V5Zm.9 3.6L4.6 5.9 6.7 8l-2.1 2.1 1.3 1.3L8 9.3l2.1 2.1 1.3-1.3L9.3 8l2.1-2.1-1.3-1.3L8 6.7Z',
  skipped:
    'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6ZM4.6 7.2h6.8v1.6H4.6Z',
};

function CheckShape({ status }: { readonly status: Check['status'] }) {
  return (
    <svg className="doctor-shape" viewBox="0 0 16 16" aria-hidden="true">
      <path fillRule="evenodd" d={PATHS[status]} />
    </svg>
  );
}
