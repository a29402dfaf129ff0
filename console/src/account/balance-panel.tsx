// What there is, what was used, and what changed it; last, a way to forget a person.
import { Link } from '@tanstack/react-router';
import { formatCount } from '../design/format.ts';
import { balance } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { ListMailCard } from '../people/list-mail-card.tsx';
import type { LowBalance } from '../shell/low-balance.ts';
import { useMay } from '../shell/own-session.ts';
import { useAccount, useLowBalance } from '../shell/session.ts';
import { EraseCard } from './erase-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { KeptCard } from './kept-card.tsx';
import { UsageCard } from './usage-card.tsx';

const text = balance;

export function BalancePanel() {
  const { data: account } = useAccount();
  const low = useLowBalance();
  const may = useMay();
  return (
    <>
      {account && (
        <div className="card stack">
          <div className="balance-now">
            <div>
              <p className="balance-number">
                {account.isTest ? text.testCredits(account.credits) : text.credits(account.credits)}
              </p>
              <p className="small soft">{text.explained}</p>
            </div>
            <dl className="facts">
              <div>
                <dt className="small soft">{text.used}</dt>
                <dd>{formatCount(account.credits_used)}</dd>
              </div>
              <div>
                <dt className="small soft">{text.lists}</dt>
                <dd>{formatCount(account.lists)}</dd>
              </div>
            </dl>
          </div>
          {low && (
            <div className="notice" data-tone={low.kind === 'empty' ? 'problem' : 'warning'} role="status">
              <span>
                {lowText(low)} {text.askForMore}{' '}
                <Link to="/guide" hash="operators">
                  {messages.signIn.forOperators}
                </Link>
              </span>
            </div>
          )}
        </div>
      )}
      <ListMailCard />
      <UsageCard />
      <HistoryCard />
      <KeptCard />
      {may.manage && <EraseCard />}
    </>
  );
}

function lowText(low: LowBalance): string {
  switch (low.kind) {
    case 'empty':
      return text.empty;
    case 'few':
      return text.few;
    case 'soon':
      return text.soon(low.days);
    default:
      return low satisfies never;
  }
}
