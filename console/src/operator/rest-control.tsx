// Resting a source at a provider by hand, and resuming it. Promise: nothing happens without a second press, which follows a
// sentence that says what will.
import type { RestSourceBody, SourceHealth } from '@mxproof/client/admin';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choice.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { operator } from '../messages/en-operator.ts';
import { sourceName } from './cell-figures.ts';
import { admin, useChange } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';

const text = operator.resting;
type Duration = keyof typeof text.hours;
const DURATIONS = Object.entries(text.hours) as [Duration, string][];

export function RestControl({
  pair,
  isResting,
}: {
  readonly pair: SourceHealth;
  readonly isResting: boolean;
}) {
  const [duration, setDuration] = useState<Duration>('24');
  const [isAsking, setAsking] = useState(false);
  const provider = pair.provider as RestSourceBody['provider'];
  const change = useChange((options, { hours }: { readonly hours?: number | null }) =>
    hours === undefined
      ? admin.resumeSource(pair.id, { provider }, options)
      : admin.restSource(pair.id, { provider, hours }, options),
  );
  const hours = duration === 'none' ? null : Number(duration);
  const end = { onSettled: () => setAsking(false) };
  const names = [sourceName(pair.source), providerName(pair.provider)] as const;
  return (
    <section className="stack pair-part">
      <h3>{text.title}</h3>
      {!isResting && !isAsking && (
        <Choice title={text.how} options={DURATIONS} value={duration} onChange={setDuration} />
      )}
      {isAsking ? (
        <div className="stack notice pair-question" data-tone="warning">
          <p>{isResting ? text.resumeWhat(...names) : text.restWhat(...names)}</p>
          <p className="row">
            <Button
              variant="primary"
              autoFocus
              isDisabled={change.isPending}
              onPress={() => change.mutate(isResting ? {} : { hours }, end)}
            >
              {change.isPending ? text.busy : isResting ? text.resumeNow : restLabel(duration)}
            </Button>
            <Button isDisabled={change.isPending} onPress={() => setAsking(false)}>
              {text.cancel}
            </Button>
          </p>
        </div>
      ) : (
        <div>
          <Button
            onPress={() => {
              change.reset();
              setAsking(true);
            }}
          >
            {isResting ? text.resume : text.rest}
          </Button>
        </div>
      )}
      {change.isError && <ProblemNotice>{operatorProblem(change.error)}</ProblemNotice>}
      {change.isSuccess && <Notice tone="good">{change.data.resting ? text.rested : text.resumed}</Notice>}
    </section>
  );
}

function restLabel(duration: Duration): string {
  return `${text.restNow}: ${text.hours[duration]}`;
}
