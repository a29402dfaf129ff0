// Says on every page that the service cannot check, or not everything: since when, and what its operator can do.
// Promise: announced when there is a pause, and only when it changes.
import { formatMoment } from '../design/format.ts';
import { messages } from '../messages/messages.ts';
import { pauseOf, useServiceStatus } from './service-status.ts';

const text = messages.status;

export function ServiceBanner() {
  const status = useServiceStatus();
  const pause = pauseOf(status);
  return (
    <div className="service-banner" role="status">
      {status === 'unavailable' && <Banner title={text.unavailable} isPaused />}
      {pause === 'no_node' && <Banner title={text.paused.no_node} advice={text.startNode} isPaused />}
      {status !== undefined &&
        status !== 'unavailable' &&
        status.reasons.map(({ code, since, advice }) => (
          <Banner
            key={code}
            title={code === 'source_blocked' || pause === null ? text.partly[code] : text.paused[code]}
            since={since}
            advice={advice}
            isPaused={code !== 'source_blocked' && pause !== null}
            goesOn={code === 'dns' ? text.goesOnUnknown : text.goesOn}
          />
        ))}
    </div>
  );
}

function Banner({
  title,
  since,
  advice,
  goesOn = text.goesOn,
  isPaused,
}: {
  readonly title: string;
  readonly since?: number;
  readonly advice?: string;
  readonly goesOn?: string;
  readonly isPaused: boolean;
}) {
  return (
    <div className="notice service-notice" data-tone={isPaused ? 'problem' : 'warning'}>
      <p>
        <strong>{title}</strong>{' '}
        {since !== undefined && <span className="soft">{text.since(formatMoment(since))}</span>}
      </p>
      {isPaused && <p>{goesOn}</p>}
      {advice !== undefined && (
        <p className="small">
          <span className="soft">{text.forOperator}</span> {advice}
        </p>
      )}
    </div>
  );
}
