// For people who program: the rule that decided, and the words of the API.
import type { Evidence } from '@mxproof/client';
import { Fact } from '../design/fact.tsx';
import { messages } from '../messages/messages.ts';

const text = messages.evidence;

export function Technical({
  rule,
  state,
  reason,
  detail,
}: Pick<Evidence, 'rule' | 'state' | 'reason'> & { readonly detail?: string | null }) {
  return (
    <details className="more">
      <summary>{text.technical}</summary>
      <dl className="facts">
        <Fact name={text.rule}>{rule}</Fact>
        <Fact name={text.apiWords}>
          <code>{[state, reason, detail].filter(Boolean).join(' · ')}</code>
        </Fact>
      </dl>
    </details>
  );
}
