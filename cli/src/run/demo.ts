// demo: the whole service on a simulated internet, for machines whose port 25 is blocked.
// Promise: nothing leaves the machine, and nothing of it is left behind.

import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TourStop } from '@mxproof/world/demo-tour';
import type { WorldProcess } from '@mxproof/world/world-process';
import { serviceSettings } from '../shared/environment.ts';
import { printLine } from '../shared/print.ts';

const DEMO_CREDITS = 100_000;
/** Shorter than a real greylisting delay; the simulated hosts ask for a minute. */
const DEMO_RETRY_SECONDS = '20,45,90';

const STEPS = { database: 'Starting PostgreSQL', service: 'Starting the service' } as const;

export async function demo(): Promise<void> {
  printLine('MXProof demo: it will be ready in about 20 seconds.');
  // Only now: loading them takes a second, and a person waits for the first word.
  const { readConfig } = await import('@mxproof/server/config');
  const { LINK_MINUTES, serve, signInUrl } = await import('@mxproof/server/serve');
  const { createDemo, demoPost } = await import('@mxproof/world/demo-world');
  const { DEMO_TOUR } = await import('@mxproof/world/demo-tour');
  const { spawnWorld } = await import('@mxproof/world/world-process');
  const { prepareConsole } = await import('./prepare-console.ts');
  const { mailForAMonth } = await import('./demo-mail.ts');
  const say = (step: string) => printLine(`  ${step} …`);

  say('Simulating an internet of ten large providers and 2,200 small domains');
  const folder = await mkdtemp(join(tmpdir(), 'mxproof-demo-'));
  // Root's PostgreSQL runs as another user, who must be able to walk through here.
  await chmod(folder, 0o755);
  const world = await spawnWorld({ module: import.meta.resolve('@mxproof/world/demo-world') });
  const file = join(folder, 'sample.txt');
  const simulated = createDemo();
  await writeFile(file, `${simulated.emails.join('\n')}\n`);
  const mailing = new AbortController();
  const mail = (url: string, apiKey: string) => {
    const { readers } = simulated;
    const onTold = (mailed: number) =>
      printLine(`A month of mail to ${grouped(mailed)} readers has been told: see ${url}/outcomes`);
    mailForAMonth({ url, apiKey, readers, post: demoPost(simulated), signal: mailing.signal, onTold }).catch(
      (error: unknown) => {
        if (!mailing.signal.aborted) printLine(`The month of mail could not be told: ${String(error)}`);
      },
    );
  };
  const set = serviceSettings();
  const config = readConfig({
    ...set,
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: undefined,
    HOST: '127.0.0.1',
    PORT: set.PORT ?? '0',
    MXPROOF_DATA_DIR: join(folder, 'data'),
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    // Its account is gone with it.
    MXPROOF_SHOW_FIRST_KEY: '1',
    MXPROOF_HELO_NAME: set.MXPROOF_HELO_NAME ?? 'probe.demo.example',
    MXPROOF_SMTP_RETRY_SECONDS: set.MXPROOF_SMTP_RETRY_SECONDS ?? DEMO_RETRY_SECONDS,
    LOG_LEVEL: set.LOG_LEVEL ?? 'warn',
  });
  const status = await serve(
    config,
    { http: true, checks: true },
    {
      first: {
        credits: DEMO_CREDITS + simulated.readers.length,
        words: ({ apiKey, signInToken }, url) => {
          setImmediate(mail, url, apiKey);
          return words({
            apiKey,
            link: signInUrl(url, signInToken),
            linkMinutes: LINK_MINUTES,
            url,
            file,
            readers: simulated.readers.length,
            world,
            tour: DEMO_TOUR,
          });
        },
      },
      onStep: (step) => say(STEPS[step]),
      async consoleFolder() {
        const built = await prepareConsole(undefined, () =>
          say('Building the console, this once: it may be ready a little later'),
        );
        return { ...built, folder: await markedAsDemo(built.folder, join(folder, 'console')) };
      },
    },
  ).finally(async () => {
    mailing.abort();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });
  process.exit(status);
}

/** A copy of the console that says on every result that it is simulated. */
async function markedAsDemo(console: string, copy: string): Promise<string> {
  await cp(console, copy, { recursive: true });
  const index = join(copy, 'index.html');
  await writeFile(index, (await readFile(index, 'utf8')).replace('<html ', '<html data-demo '));
  return copy;
}

interface DemoDetails {
  readonly apiKey: string;
  /** Signs a browser in, once. */
  readonly link: string;
  readonly linkMinutes: number;
  readonly url: string;
  readonly file: string;
  readonly readers: number;
  readonly world: Pick<WorldProcess, 'dnsServer' | 'smtpPort'>;
  readonly tour: readonly TourStop[];
}

function words({ apiKey, link, linkMinutes, url, file, readers, world, tour }: DemoDetails): string {
  const quoted = `'${file.replaceAll("'", "'\\''")}'`;
  return `
MXProof demo. SIMULATED: ten large providers, 2,200 small domains and their mail servers run on this machine,
with round trips of 20 to 800 ms. Nothing leaves the machine, and no verdict here is about a real address.

  address  ${url}
  API key  ${apiKey}   (${grouped(DEMO_CREDITS)} credits)
  sign in  ${link}   (once, within ${linkMinutes} minutes)

Addresses to check there, and what each shows (*: after a minute or more, since its server is asked again):

${tour.map(lineOf).join('\n')}

In another terminal, in this folder, check one of them, then the sample list of 5,000:

  curl -s ${url}/v1/verify -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '{"email":"${tour[0]!.email}"}'
  MXPROOF_URL=${url} MXPROOF_API_KEY=${apiKey} npx mxproof clean ${quoted} --output results.csv

Or watch the SMTP dialogue with a simulated server, without the service:

  MXPROOF_DNS_SERVERS=${world.dnsServer} MXPROOF_SMTP_PORT=${world.smtpPort} MXPROOF_ALLOW_PRIVATE_TARGETS=1 npx mxproof check --explain ${tour[0]!.email}

Meanwhile a newsletter of ${grouped(readers)} readers is checked, gets a month of mail here, and tells what became of it. In half a
minute see how often the verdicts were right:

  curl -s ${url}/v1/accuracy -H 'Authorization: Bearer ${apiKey}'

Some of the simulated servers greylist, so the last addresses take a few minutes. Docs: ${url}/docs
Press Ctrl-C to stop the demo and delete its files.

`;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}

function lineOf({ email, state, shows, isSlow }: TourStop): string {
  return `  ${email.padEnd(31)} ${state.padEnd(14)} ${shows}${isSlow ? ' *' : ''}`;
}
