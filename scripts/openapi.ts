// Writes openapi.json and openapi-admin.json from the route schemas; with --check, says whether the committed ones are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { FEATURES } from '../server/src/features/features.ts';
import { createHttp } from '../server/src/http/create-http.ts';

/** Nothing is asked: the routes are only described. */
const nothing = new Proxy({}, { get: () => () => {} });

const app = await createHttp({
  context: nothing as never,
  box: nothing as never,
  callbackWatch: nothing as never,
  singles: nothing as never,
  domains: nothing as never,
  watch: nothing as never,
  limits: {
    rateRequests: 600,
    rateAddresses: 500_000,
    rateAccount: 10,
    verifyWaitSeconds: 20,
    listLimitMs: 14_400_000,
  },
  log: pino({ level: 'silent' }),
  trustProxy: 0,
  asker: { heloNames: [], addresses: [], abuseContact: null },
  ready: () => false,
  features: FEATURES,
});
const documents: Readonly<Record<string, object>> = {
  'openapi.json': app.swagger(),
  'openapi-admin.json': app.adminDocument(),
};
await app.close();

for (const [name, document] of Object.entries(documents)) {
  const file = new URL(`../${name}`, import.meta.url);
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    process.stdout.write(`${fileURLToPath(file)} written\n`);
  } else if (readCommitted(file) !== text) {
    process.stderr.write(
      `${name} is not what the routes say: run \`node scripts/openapi.ts\` and commit it.\n`,
    );
    process.exitCode = 1;
  }
}

function readCommitted(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
