// The demo of this checkout, for scripts that take pictures of it. Its addresses are made up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MXPROOF = fileURLToPath(new URL('../cli/bin/mxproof.mjs', import.meta.url));
/** Sooner than the demo's own: what stays unknown is a part of the picture. */
const RETRY_SECONDS = '10,20';

export interface Demo {
  readonly url: string;
  readonly apiKey: string;
  /** For commands of the operator. */
  readonly dataFolder: string;
  readonly emails: readonly string[];
  stop(): Promise<void>;
}

export async function startDemo(settings: Readonly<Record<string, string>> = {}): Promise<Demo> {
  const env = { ...process.env, PORT: '0', MXPROOF_SMTP_RETRY_SECONDS: RETRY_SECONDS, ...settings };
  const child = spawn(process.execPath, [MXPROOF, 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const piece of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += piece;
    if (said.includes('Ctrl-C')) break;
  }
  // The demo goes on telling of the console that it builds.
  child.stdout.resume();
  const found = (pattern: RegExp) => pattern.exec(said)![1]!;
  const sample = found(/clean '([^']+)'/);
  return {
    url: found(/address +(http\S+)/),
    apiKey: found(/(mx_live_\S+)/),
    dataFolder: join(dirname(sample), 'data'),
    emails: readFileSync(sample, 'utf8').split('\n').filter(Boolean),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}
