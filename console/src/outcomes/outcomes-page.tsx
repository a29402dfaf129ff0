// What became of mail: how often verdicts were right, the wrong ones, files and services that tell it, and who is better not mailed;
// one part at a time, each with an address.
import '../account/account.css';
import './outcomes.css';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { outcomes as text } from '../messages/en-outcomes.ts';
import { type May, useMay } from '../shell/own-session.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { AccuracyPanel } from './accuracy-panel.tsx';
import { AddPanel } from './add-panel.tsx';
import { ServicesPanel } from './services-panel.tsx';
import { SuppressionsPanel } from './suppressions-panel.tsx';
import { WrongPanel } from './wrong-panel.tsx';

const PARTS = {
  accuracy: AccuracyPanel,
  wrong: WrongPanel,
  add: AddPanel,
  services: ServicesPanel,
  suppressions: SuppressionsPanel,
} as const;
type Part = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as Part[];
/** What takes more than looking. */
const NEEDS: Partial<Record<Part, keyof May>> = { add: 'change', services: 'manage' };

export function OutcomesPage() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const may = useMay();
  const names = NAMES.filter((name) => NEEDS[name] === undefined || may[NEEDS[name]]);
  return (
    <section className="stack account outcomes">
      <div>
        <PageTitle>{text.title}</PageTitle>
        <p className="soft">{text.intro}</p>
      </div>
      <Tabs
        className="tabs"
        selectedKey={names.find((name) => name === hash) ?? 'accuracy'}
        onSelectionChange={(part) => void navigate({ to: '/outcomes', hash: String(part), replace: true })}
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
