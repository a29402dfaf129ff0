// Pages for what cannot be shown.
import { Link } from '@tanstack/react-router';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { PageTitle } from './page-title.tsx';
import { problemText } from './problem.ts';

export function PageProblem({ error }: { readonly error: unknown }) {
  return (
    <section className="stack">
      <PageTitle>{messages.problems.title}</PageTitle>
      <ProblemNotice>{problemText(error)}</ProblemNotice>
    </section>
  );
}

export function NotFound() {
  return (
    <section className="stack">
      <PageTitle>{messages.problems.noPage}</PageTitle>
      <p>{messages.problems.noPageWhy}</p>
      <WaysOn />
    </section>
  );
}

export function NoSuchList() {
  return (
    <section className="stack">
      <PageTitle>{messages.problems.noList}</PageTitle>
      <p>{messages.problems.noListWhy}</p>
      <WaysOn />
    </section>
  );
}

function WaysOn() {
  return (
    <p className="ways-on">
      <Link to="/lists">{messages.problems.toLists}</Link>
      <Link to="/new">{messages.problems.toNewList}</Link>
      <Link to="/">{messages.problems.toCheck}</Link>
    </p>
  );
}
