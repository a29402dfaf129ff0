// Writes openapi.json from the route schemas; with --check, says whether the committed one is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { FEATURES } from '../server/src/features/features.ts';
import { createHttp } from '../server/src/http/create-http.ts';

const file = new URL('../openapi.json', import.meta.url);
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
const text = `${JSON.stringify(app.swagger(), null, 2)}\n`;
await app.close();

if (process.argv.includes('--check')) {
  if (readCommitted() !== text) {
    process.stderr.write(
      'openapi.json is not what the routes say: run `node scripts/openapi.ts` and commit it.\n',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
  process.stdout.write(`${fileURLToPath(file)} written\n`);
}

function readCommitted(): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
