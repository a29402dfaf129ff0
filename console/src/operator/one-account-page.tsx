// One account, as its operator has it: what it has, what is set for it, who may use it, what it does.
import './one-account.css';
import { Refusal } from '@mxproof/client';
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
import { admin, useAdmin } from './operator-api.ts';
import { PageHead, ReadingState } from './page-parts.tsx';

const EVERY_MS = 10_000;

export function OneAccountPage() {
  const { id } = useParams({ from: '/operator/accounts/$id' });
  return (
    <section className="stack operator-page">
      <p className="operator-back">
        <Link to="/operator/accounts">{text.back}</Link>
      </p>
      {/* Of another account nothing stays. */}
      <OfAccount key={id} id={Number(id)} />
    </section>
  );
}

function OfAccount({ id }: { readonly id: number }) {
  const found = useAdmin(['account', id], (options) => admin.accounts.get(id, options), EVERY_MS);
  const { data, error } = found;
  // What is no number at all is not asked for.
  const isGone = error instanceof Refusal ? error.kind === 'account_not_found' : error instanceof TypeError;
  if (isGone) return <PageHead title={text.gone} intro={text.goneHint} />;
  return (
    <>
      {!data && <PageTitle>{text.facts}</PageTitle>}
      <ReadingState of={found} />
      {data && <Account account={data} />}
    </>
  );
}

function Account({ account }: { readonly account: AdminAccountDetail }) {
  const { id, name, status, external_id, created_at } = account;
  return (
    <>
      <div className="stack operator-head">
        <PageTitle>{name}</PageTitle>
        <dl className="facts">
          <Fact name={text.status}>
            <AccountStatus status={status} />
          </Fact>
          <Fact name={text.facts}>{formatCount(id)}</Fact>
          {external_id !== null && <Fact name={text.settings.fields.external_id}>{external_id}</Fact>}
          <Fact name={text.created}>{formatDay(created_at)}</Fact>
        </dl>
      </div>
      <div className="account-grid">
        <div className="stack">
          <AccountCredits account={account} />
          <AccountSettings account={account} />
        </div>
        <div className="stack">
          <AccountAccess account={account} />
          <AccountKeys accountId={id} />
        </div>
        <AccountLately account={id} />
      </div>
    </>
  );
}
