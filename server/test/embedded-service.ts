// A service of its own process for tests: the embedded store and nothing else. Says `ready <connection string>` or
// `refused <sentence>`, and stops on SIGTERM.

import { startEmbedded } from '../src/embedded/start-embedded.ts';

const [dataDir = ''] = process.argv.slice(2);
const log = { debug() {}, info: (line: string) => console.log(`info ${line}`), warn() {} };
try {
  const embedded = await startEmbedded({ dataDir, log });
  const keepAlive = setInterval(() => {}, 60_000);
  process.once('SIGTERM', async () => {
    clearInterval(keepAlive);
    await embedded.stop();
  });
  // Last: its reader may send the signal at once.
  console.log(`ready ${embedded.connectionString}`);
} catch (error) {
  console.log(`refused ${(error as Error).message}`);
  process.exitCode = 1;
}
