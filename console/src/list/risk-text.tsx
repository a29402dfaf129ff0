// How likely mail to an address bounces, in words. Null where nothing is known: nothing is guessed.
import { percentText, shareText } from '@mxproof/common/percent';
import { domainText } from '@mxproof/files/address-text';
import { formatCount } from '../design/format.ts';
import { listMessages } from '../messages/en-list.ts';
import type { ShownRow } from './use-rows.ts';

const text = listMessages.risk;

export function RiskCell({ row, title }: { readonly row: ShownRow; readonly title: string }) {
  const { bounce_probability, bounce_low, bounce_high } = row;
  return (
    <span title={title}>
      {percentText(bounce_probability!)}{' '}
      <span className="soft">
        ({shareText(bounce_low!)}–{percentText(bounce_high!)})
      </span>
    </span>
  );
}

/** `5 %, between 3.1 and 9.2 %` */
export function riskText({ bounce_probability, bounce_low, bounce_high }: ShownRow): string | null {
  if (bounce_probability == null || bounce_low == null || bounce_high == null) return null;
  return text.between(percentText(bounce_probability), shareText(bounce_low), percentText(bounce_high));
}

/** `by what became of 240 mails to example.com` */
export function basisText({ email, bounce_n, bounce_basis }: ShownRow): string | null {
  if (bounce_n == null || bounce_basis == null) return null;
  return text.basis[bounce_basis](formatCount(bounce_n), domainText(email));
}
