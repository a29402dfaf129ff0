// What a button that charges needs: its price in words, whether the balance covers it, and the question before a large sum.
// Promise: what is agreed to is what was shown. If the price is another by then, the question is withdrawn, and the button
// has the new price.
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { messages } from '../messages/messages.ts';
import { accountQuery, useAccount } from '../shell/session.ts';
import { decideCharge } from './charge-rule.ts';

const ChargeQuestion = lazy(() =>
  import('./charge-question.tsx').then(({ ChargeQuestion }) => ({ default: ChargeQuestion })),
);

export interface Charge {
  /** In credits; 0 in test mode; null: not known, since the account is not. */
  readonly price: number | null;
  /** A label with the price behind it, where there is one. `isUpTo`: some of it is likely to be refunded. */
  priced(label: string, isUpTo?: boolean): string;
  /** Why it cannot begin; null: the balance covers it, or is not known. */
  readonly short: string | null;
  /** Begins it, or asks first. `title`: what is asked. */
  begin(title: string, run: () => void): Promise<void>;
  /** To be rendered beside the button. */
  readonly question: ReactNode;
}

/**
 * @param addresses a credit each
 * @param otherWay what else can be done where credits are short
 */
export function useCharge(addresses: number, otherWay?: string): Charge {
  const queries = useQueryClient();
  const { data: account } = useAccount();
  const [asked, setAsked] = useState<{ title: string; credits: number; run: () => void } | null>(null);
  // Test credits never run out.
  const priceFor = (isTest = false) => (isTest ? 0 : addresses);
  const credits = priceFor(account?.isTest);
  // With another price, what was asked is void, also if the price comes back.
  useEffect(() => setAsked((before) => (before?.credits === credits ? before : null)), [credits]);
  const balance = account?.credits ?? null;
  const isShort = balance !== null && decideCharge(credits, balance) === 'short';
  const short = isShort ? messages.charge.short(credits, balance, otherWay) : null;
  return {
    price: account ? credits : null,
    priced: (label, isUpTo = false) =>
      account && credits > 0 ? messages.charge[isUpTo ? 'pricedUpTo' : 'priced'](label, credits) : label,
    short,
    async begin(title, run) {
      const known = account ?? (await queries.ensureQueryData(accountQuery).catch(() => null));
      const price = priceFor(known?.isTest);
      if (decideCharge(price, known?.credits ?? null) === 'ask') setAsked({ title, credits: price, run });
      // Where it is short, the service refuses it, or has charged it before.
      else run();
    },
    question: asked?.credits === credits && (
      <Suspense>
        <ChargeQuestion
          title={asked.title}
          credits={credits}
          balance={balance}
          short={short}
          onAgree={() => {
            setAsked(null);
            asked.run();
          }}
          onClose={() => setAsked(null)}
        />
      </Suspense>
    ),
  };
}
