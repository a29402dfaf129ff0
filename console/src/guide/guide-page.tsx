// The guide of list owners: what the words mean, what it costs, what is not sold. Served by the service itself, signed in or
// not; operators find here what they type.
import './guide.css';
import { ACTION_WORDS, ACTIONS, REASON_LABELS } from '@mxproof/common/vocabulary/labels';
import { type ReactNode, useId } from 'react';
import { StateShape } from '../design/state-mark.tsx';
import { guide as text } from '../messages/en-guide.ts';
import { PageTitle } from '../shell/page-title.tsx';

export function GuidePage() {
  const { todo, steps, cost, words, refusals, signIn, operators } = text;
  return (
    <article className="guide stack">
      <PageTitle>{text.title}</PageTitle>
      <p>{text.intro}</p>
      <Part title={todo.title}>
        <p>{todo.intro}</p>
        <dl className="guide-pairs">
          {ACTION_WORDS.map((action) => (
            <Pair
              key={action}
              term={
                <span className="state-mark" data-state={ACTIONS[action].mark}>
                  <StateShape state={ACTIONS[action].mark} />
                  {ACTIONS[action].title}
                </span>
              }
            >
              {ACTIONS[action].meaning}{' '}
              <span className="soft">
                {todo.why}: {reasonsOf(action)}
              </span>
            </Pair>
          ))}
        </dl>
      </Part>
      <Part title={steps.title}>
        <ol className="guide-steps">
          {steps.all.map(([what, more]) => (
            <li key={what}>
              <strong>{what}</strong> {more}
            </li>
          ))}
        </ol>
      </Part>
      <Part title={cost.title}>
        {cost.all.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Part>
      <Part title={words.title}>
        <p>{words.text}</p>
      </Part>
      <Part title={refusals.title}>
        <p>{refusals.intro}</p>
        <dl className="guide-pairs">
          {refusals.all.map(([what, why]) => (
            <Pair key={what} term={what}>
              {why}
            </Pair>
          ))}
        </dl>
      </Part>
      <Part title={signIn.title}>
        <p>{signIn.text}</p>
      </Part>
      <Part title={operators.title} id="operators">
        <p>{operators.intro}</p>
        <dl className="guide-pairs">
          {operators.all.map(([command, what]) => (
            <Pair key={command} term={<code>{command}</code>}>
              {what}
            </Pair>
          ))}
        </dl>
      </Part>
    </article>
  );
}

function reasonsOf(action: (typeof ACTION_WORDS)[number]): string {
  const reasons = Object.values(REASON_LABELS).filter((reason) => reason.action === action);
  return reasons.map(({ label }) => label).join('; ');
}

function Part({
  title,
  id,
  children,
}: {
  readonly title: string;
  readonly id?: string;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section className="card stack" aria-labelledby={titleId} id={id}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </section>
  );
}

function Pair({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
