// Why the service did not do what an operator asked, as a sentence. Decides on the kind of the refusal, never on words.
import { ConnectionFailed, DeadlineExceeded, Refusal } from '@mxproof/client';
import { operator as text } from '../messages/en-operator.ts';
import { problemText } from '../shell/problem.ts';

export function operatorProblem(error: unknown): string {
  if (error instanceof ConnectionFailed || error instanceof DeadlineExceeded) return text.noReply;
  return (error instanceof Refusal && text.problems[error.kind]) || problemText(error);
}
