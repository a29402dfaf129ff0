// What these pages' acts may be refused for, beyond what any request may be. Decides on the kind of the refusal.
import { Refusal } from '@mxproof/client';
import { newService, outcomes, services, suppressions } from '../messages/en-outcomes.ts';
import { problemText } from '../shell/problem.ts';

export function outcomesProblem(error: unknown): string {
  switch (error instanceof Refusal ? error.kind : null) {
    case 'outcomes_off':
      return outcomes.offMeanwhile;
    case 'may_not_manage':
      return outcomes.mayNotSwitch;
    case 'key_access':
      return outcomes.readOnly;
    case 'too_many_hooks':
      return services.tooMany;
    case 'hook_not_found':
      return services.notFound;
    case 'bad_topic':
      return newService.keys.ses.missing;
    case 'too_many_suppressions':
      return suppressions.tooMany;
    default:
      return problemText(error);
  }
}
