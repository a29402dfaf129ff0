// Code to begin with, in three languages.
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { CopyButton } from '../design/copy-button.tsx';
import { code } from '../messages/en-account.ts';
import { useMay } from '../shell/own-session.ts';
import { useAccount } from '../shell/session.ts';
import { type CodeSample, codeSamples, LANGUAGES } from './code-samples.ts';

const text = code;

export function CodePanel() {
  const { data: account } = useAccount();
  const may = useMay();
  const samples = codeSamples(location.origin, account?.isTest ?? false);
  return (
    <section className="card stack" aria-labelledby="code-title">
      <h2 id="code-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      <Tabs className="tabs">
        <TabList className="tab-list" aria-label={text.language}>
          {LANGUAGES.map((language) => (
            <Tab key={language} id={language} className="tab">
              {samples[language].name}
            </Tab>
          ))}
        </TabList>
        {LANGUAGES.map((language) => (
          <TabPanel key={language} id={language} className="tab-panel stack">
            <Sample sample={samples[language]} />
          </TabPanel>
        ))}
      </Tabs>
      <p className="row">
        {may.manage && (
          <Link to="/account" hash="keys" replace>
            {text.makeKey}
          </Link>
        )}
        <a href="/docs">{text.reference}</a>
      </p>
    </section>
  );
}

function Sample({ sample: { install, source } }: { readonly sample: CodeSample }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      {install !== null && (
        <>
          <p className="small soft">{text.install}</p>
          <pre className="code">
            <code>{install}</code>
          </pre>
          <p className="small soft">{text.run}</p>
        </>
      )}
      <pre className="code">
        <code ref={shown}>{source}</code>
      </pre>
      <CopyButton text={source} label={text.copy} shownIn={shown} />
    </>
  );
}
