// A service of its own process for tests: the embedded store and nothing else. Says `ready <connection string>` or
// `refused <sentence>`, and stops on SIGTERM.

import { startEmbedded } from '../src/store/embedded/start-embedded.ts';

const [dataDir = ''] = process.argv.slice(2);
const log = { debug() {}, info: (line: string) => console.log(`info ${line}`), warn() {} };
try {
  const embedded = await startEmbedded({ dataDir, log });
  console.log(`ready ${embedded.connectionString}`);
  const keepAlive = setInterval(() => {}, 60_000);
  process.once('SIGTERM', async () => {
    clearInterval(keepAlive);
    await embedded.stop();
  });
} catch (error) {
  console.log(`refused ${(error as Error).message}`);
  process.exitCode = 1;
}
