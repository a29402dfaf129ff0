// The account: its balance, its keys, its callbacks, its webhook endpoints, and code to begin with; one part at a time, each with an address.
import './account.css';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { account } from '../messages/en-account.ts';
import { MembersPanel } from '../people/members-panel.tsx';
import { useMayManageMembers } from '../people/members-query.ts';
import { useMay } from '../shell/own-session.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { useAccount } from '../shell/session.ts';
import { WebhooksPanel } from '../webhooks/webhooks-panel.tsx';
import { AccountName } from './account-name.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { BalancePanel } from './balance-panel.tsx';
import { CallbacksPanel } from './callbacks-panel.tsx';
import { CodePanel } from './code-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { RequestsPanel } from './requests-panel.tsx';
import { TestModeNotice } from './test-mode-notice.tsx';

const text = account;
const PARTS = {
  balance: BalancePanel,
  members: MembersPanel,
  keys: KeysPanel,
  callbacks: CallbacksPanel,
  requests: RequestsPanel,
  audit: AuditPanel,
  webhooks: WebhooksPanel,
  code: CodePanel,
} as const;
type Part = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as Part[];
/** Of no use to those who manage nothing. */
const MANAGED: ReadonlySet<Part> = new Set(['keys', 'requests', 'audit', 'webhooks']);

function useNames(): readonly Part[] {
  const may = useMay();
  const seesMembers = useMayManageMembers();
  return NAMES.filter((name) => (name === 'members' ? seesMembers : may.manage || !MANAGED.has(name)));
}

export function AccountPage() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const { data: account } = useAccount();
  const names = useNames();
  return (
    <section className="stack account">
      <div>
        <PageTitle>{text.title}</PageTitle>
        <AccountName />
      </div>
      {account?.isTest && <TestModeNotice />}
      <Tabs
        className="tabs"
        selectedKey={names.find((name) => name === hash) ?? 'balance'}
        onSelectionChange={(part) => void navigate({ to: '/account', hash: String(part), replace: true })}
      >
        <TabList className="tab-list" aria-label={text.parts}>
          {names.map((name) => (
            <Tab key={name} id={name} className="tab">
              {text.tabs[name]}
            </Tab>
          ))}
        </TabList>
        {names.map((name) => {
          const Panel = PARTS[name];
          return (
            <TabPanel key={name} id={name} className="tab-panel stack">
              <Panel />
            </TabPanel>
          );
        })}
      </Tabs>
    </section>
  );
}
