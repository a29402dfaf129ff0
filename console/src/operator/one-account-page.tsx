// One account, as its operator has it: what it has, what is set for it, who may use it, what it does.
import './one-account.css';
import type { AdminAccountDetail } from '@mxproof/client/admin';
import { Link, useParams } from '@tanstack/react-router';
import { Fact } from '../design/fact.tsx';
import { formatCount, formatDay } from '../design/format.ts';
import { account as text } from '../messages/en-operator-accounts.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { AccountAccess } from './account-access.tsx';
import { AccountCredits } from './account-credits.tsx';
import { AccountKeys } from './account-keys.tsx';
import { AccountLately } from './account-lately.tsx';
import { AccountSettings } from './account-settings.tsx';
import { AccountStatus } from './account-status.tsx';
import { OperatorRefusal, useOperatorQuery } from './operator-api.ts';
import { PageHead, ReadingState } from './page-head.tsx';

const EVERY_MS = 10_000;

export function OneAccountPage() {
  const { id } = useParams({ from: '/operator/accounts/$id' });
  // Of another account nothing stays.
  return <OfAccount key={id} id={id} />;
}

function OfAccount({ id }: { readonly id: string }) {
  const found = useOperatorQuery<AdminAccountDetail>(`/accounts/${encodeURIComponent(id)}`, {
    everyMs: EVERY_MS,
  });
  const isGone = found.error instanceof OperatorRefusal && found.error.code === 'account_not_found';
  return (
    <section className="stack operator-page">
      <p className="operator-back">
        <Link to="/operator/accounts">{text.back}</Link>
      </p>
      {isGone ? (
        <PageHead title={text.gone} intro={text.goneHint} />
      ) : (
        <>
          {found.data === undefined && <PageTitle>{text.facts}</PageTitle>}
          <ReadingState of={found} />
          {found.data && <Account account={found.data} />}
        </>
      )}
    </section>
  );
}

function Account({ account }: { readonly account: AdminAccountDetail }) {
  return (
    <>
      <div className="stack operator-head">
        <PageTitle>{account.name}</PageTitle>
        <dl className="facts">
          <Fact name={text.status}>
            <AccountStatus status={account.status} />
          </Fact>
          <Fact name={text.facts}>{formatCount(account.id)}</Fact>
          {account.external_id !== null && (
            <Fact name={text.settings.fields.external_id}>{account.external_id}</Fact>
          )}
          <Fact name={text.created}>{formatDay(account.created_at)}</Fact>
        </dl>
      </div>
      <div className="account-grid">
        <div className="stack">
          <AccountCredits account={account} />
          <AccountSettings account={account} />
        </div>
        <div className="stack">
          <AccountAccess account={account} />
          <AccountKeys accountId={account.id} />
        </div>
        <AccountLately accountId={account.id} />
      </div>
    </>
  );
}
