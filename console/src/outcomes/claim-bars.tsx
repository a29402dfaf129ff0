// Claims as bars on one scale, each with its interval as a line with ends; the numbers stand beside, since the drawing alone says
// nothing to a screen reader.
import { MIN_OUTCOMES } from '@mxproof/common/wilson';
import { formatRate } from '../design/format.ts';
import { StateShape } from '../design/state-mark.tsx';
import { accuracy as text } from '../messages/en-outcomes.ts';
import { type Claim, scaleOf } from './accuracy-claims.ts';

export function ClaimBars({
  claims,
  hasStates = false,
}: {
  readonly claims: readonly Claim[];
  /** Their names are those of states. */
  readonly hasStates?: boolean;
}) {
  const scale = scaleOf(claims);
  const isDrawn = claims.some(({ wrong }) => wrong.rate !== null);
  return (
    <dl className="claims">
      {claims.map((claim) => (
        <div key={claim.name} data-state={claim.state}>
          <dt className={hasStates ? 'state-mark' : undefined}>
            {hasStates && <StateShape state={claim.state} />}
            {claim.name}
          </dt>
          <Drawn claim={claim} scale={scale} />
        </div>
      ))}
      {isDrawn && (
        <div className="claims-scale small soft" aria-hidden="true">
          <span>{text.scale(formatRate(scale))}</span>
        </div>
      )}
    </dl>
  );
}

/** Parts of the width. */
const WIDTH = 1_000;

function Drawn({ claim: { state, wrong }, scale }: { readonly claim: Claim; readonly scale: number }) {
  const { count, of, rate, low, high } = wrong;
  if (rate === null || low === null || high === null)
    return <dd className="claim-few soft">{text.few(of, MIN_OUTCOMES)}</dd>;
  const at = (share: number) => (WIDTH * share) / scale;
  const counted = state === 'undeliverable' ? text.reachedOf : text.bouncedOf;
  return (
    <>
      <dd className="claim-bar" aria-hidden="true">
        <svg viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
          <rect className="claim-track" width={WIDTH} height="12" />
          <rect className="claim-rate" width={at(rate)} height="12" />
          <path className="claim-range" d={`M${at(low)} 6H${at(high)}M${at(low)} 2V10M${at(high)} 2V10`} />
        </svg>
      </dd>
      <dd className="claim-numbers">
        <strong>{formatRate(rate)}</strong>{' '}
        <span className="small soft">
          <span className="fact">{text.range(formatRate(low), formatRate(high))}</span>{' '}
          <span className="claim-count">{counted(count, of)}</span>
        </span>
      </dd>
    </>
  );
}
