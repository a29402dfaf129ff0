// Why the service did not do what an operator asked, as a sentence. Decides on the code, never on words.
import { operator as text } from '../messages/en-operator.ts';
import { OperatorRefusal } from './operator-api.ts';

const UNAVAILABLE = 500;

export function operatorProblem(error: unknown): string {
  if (!(error instanceof OperatorRefusal)) return text.noReply;
  if (error.status >= UNAVAILABLE) return text.unavailable;
  return text.problems[error.code ?? ''] ?? text.said(error.message);
}
