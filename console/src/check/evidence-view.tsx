// Why an address got its result: what DNS said, which server was asked, and the dialogue as a timeline.
import './evidence-view.css';
import type { Evidence } from '@mxproof/client';
import { Fact } from '../design/fact.tsx';
import { messages } from '../messages/messages.ts';
import { Technical } from './technical.tsx';

const text = messages.evidence;

export function EvidenceView({ evidence }: { readonly evidence: Evidence }) {
  const { dns, host, dialogue, attempts } = evidence;
  return (
    <div className="evidence stack">
      <dl className="facts">
        {dns && (
          <Fact name={text.dns}>
            <span className="mono">
              {dns.domain}: {dns.found}
            </span>
          </Fact>
        )}
        {host && (
          <Fact name={text.host}>
            <span className="mono">
              {host.name} {host.address !== null && `[${host.address}]`} {host.tls && `(${text.encrypted})`}
            </span>
          </Fact>
        )}
      </dl>
      {dialogue.length === 0 ? (
        <p className="soft">{text.notAsked}</p>
      ) : (
        <>
          <h3>
            {text.dialogue} <span className="small soft">{text.attempts(attempts)}</span>
          </h3>
          <ol className="timeline">
            {dialogue.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a record does not change, and equal lines are common.
              <li key={at} data-from={line.from}>
                <span className="timeline-from small">{text[line.from]}</span>
                {/* A note may be about what another check has found, long before or after. */}
                {line.from !== 'note' && (
                  <span className="timeline-at small soft">{text.ms(line.at_ms)}</span>
                )}
                <span className="timeline-text mono">{line.text}</span>
              </li>
            ))}
          </ol>
        </>
      )}
      <Technical {...evidence} />
    </div>
  );
}
