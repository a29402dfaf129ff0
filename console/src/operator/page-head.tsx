// The head of an operator's page, and what stands in place of its content while there is none.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNotice } from '../design/notice.tsx';
import { operator as text } from '../messages/en-operator.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { OperatorRefusal } from './operator-api.ts';
import { operatorProblem } from './operator-problem.ts';

export function PageHead({
  title,
  intro,
  children,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Beside the title. */
  readonly children?: ReactNode;
}) {
  return (
    <div className="stack operator-head">
      <div className="row">
        <PageTitle>{title}</PageTitle>
        {children}
      </div>
      {intro !== undefined && <p className="soft operator-intro">{intro}</p>}
    </div>
  );
}

/** What was asked for is refused, or there is no answer, or not yet. */
export function ReadingState({ of }: { readonly of: Pick<UseQueryResult, 'error' | 'isPending'> }) {
  const { error, isPending } = of;
  if (error)
    return (
      <ProblemNotice>
        {error instanceof OperatorRefusal ? operatorProblem(error) : text.noAnswer}
      </ProblemNotice>
    );
  return isPending ? <p role="status">{text.loading}</p> : null;
}
