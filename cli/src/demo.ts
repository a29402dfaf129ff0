// demo: the whole service on a simulated internet, for machines whose port 25 is blocked.
// Promise: nothing leaves the machine, and nothing of it is left behind.

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@mxproof/server/config';
import { LINK_MINUTES, serve, signInUrl } from '@mxproof/server/serve';
import { createDemo } from '@mxproof/world/demo-world';
import { spawnWorld, type WorldProcess } from '@mxproof/world/world-process';
import { serviceSettings } from './environment.ts';
import { prepareConsole } from './prepare-console.ts';

const DEMO_CREDITS = 100_000;
/** Shorter than a real greylisting delay; the simulated hosts ask for a minute. */
const DEMO_RETRY_SECONDS = '20,45,90';

export async function demo(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mxproof-demo-'));
  // Root's PostgreSQL runs as another user, who must be able to walk through here.
  await chmod(folder, 0o755);
  const world = await spawnWorld({ module: import.meta.resolve('@mxproof/world/demo-world') });
  const file = join(folder, 'sample.txt');
  await writeFile(file, `${createDemo().emails.join('\n')}\n`);
  const set = serviceSettings();
  const config = readConfig({
    ...set,
    DATABASE_URL: undefined,
    HOST: '127.0.0.1',
    PORT: set.PORT ?? '0',
    MXPROOF_DATA_DIR: join(folder, 'data'),
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_HELO_NAME: set.MXPROOF_HELO_NAME ?? 'probe.demo.example',
    MXPROOF_SMTP_RETRY_SECONDS: set.MXPROOF_SMTP_RETRY_SECONDS ?? DEMO_RETRY_SECONDS,
    LOG_LEVEL: set.LOG_LEVEL ?? 'warn',
  });
  const status = await serve(
    config,
    { http: true, checks: true },
    {
      first: {
        credits: DEMO_CREDITS,
        words: ({ apiKey, signInToken }, url) =>
          words({ apiKey, link: signInUrl(url, signInToken), url, file, world }),
      },
      consoleFolder: prepareConsole,
    },
  ).finally(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });
  process.exit(status);
}

interface DemoDetails {
  readonly apiKey: string;
  /** Signs a browser in, once. */
  readonly link: string;
  readonly url: string;
  readonly file: string;
  readonly world: Pick<WorldProcess, 'dnsServer' | 'smtpPort'>;
}

function words({ apiKey, link, url, file, world }: DemoDetails): string {
  const quoted = `'${file.replaceAll("'", "'\\''")}'`;
  return `
MXProof demo. SIMULATED: ten large providers, 2,200 small domains and their mail servers run on this machine,
with round trips of 20 to 800 ms. Nothing leaves the machine, and no verdict here is about a real address.

  address  ${url}
  API key  ${apiKey}   (${DEMO_CREDITS.toLocaleString('en')} credits)
  sign in  ${link}   (once, within ${LINK_MINUTES} minutes)

In another terminal, in this folder, check one simulated address, then the sample list of 5,000:

  curl -s ${url}/v1/verify -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '{"email":"info@gmail.com"}'
  MXPROOF_URL=${url} MXPROOF_API_KEY=${apiKey} npx mxproof clean ${quoted} --output results.csv

Or watch the SMTP dialogue with a simulated server, without the service:

  MXPROOF_DNS_SERVERS=${world.dnsServer} MXPROOF_SMTP_PORT=${world.smtpPort} MXPROOF_ALLOW_PRIVATE_TARGETS=1 npx mxproof check --explain info@gmail.com

Some of the simulated servers greylist, so the last addresses take a few minutes. Docs: ${url}/docs
Press Ctrl-C to stop the demo and delete its files.

`;
}
