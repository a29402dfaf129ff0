// A button that charges: its price is on it, it is off and says why where the balance does not cover it, and it asks before
// a large sum. Those who may only look do not see it.
import { type ComponentProps, useId } from 'react';
import { Button } from '../design/button.tsx';
import { useMay } from '../shell/own-session.ts';
import { useCharge } from './use-charge.tsx';

export function ChargeButton({
  addresses,
  isUpTo = false,
  label,
  busyLabel = label,
  title,
  otherWay,
  isBusy,
  isDisabled = false,
  variant,
  onCharge,
}: {
  /** A credit each. */
  readonly addresses: number;
  /** Some of it is likely to be refunded. */
  readonly isUpTo?: boolean;
  readonly label: string;
  readonly busyLabel?: string;
  /** What is asked before a large sum. */
  readonly title: string;
  /** What else can be done where credits are short. */
  readonly otherWay?: string | undefined;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  readonly variant?: NonNullable<ComponentProps<typeof Button>['variant']>;
  readonly onCharge: () => void;
}) {
  const { priced, short, begin, question } = useCharge(addresses, otherWay);
  const shortId = useId();
  const may = useMay();
  if (!may.change) return null;
  return (
    <>
      <Button
        {...(variant && { variant })}
        isDisabled={isDisabled || isBusy || addresses === 0 || short !== null}
        {...(short !== null && { 'aria-describedby': shortId })}
        onPress={() => void begin(title, onCharge)}
      >
        {isBusy ? busyLabel : priced(label, isUpTo)}
      </Button>
      {short !== null && (
        <p id={shortId} className="small charge-short" role="status">
          {short}
        </p>
      )}
      {question}
    </>
  );
}
