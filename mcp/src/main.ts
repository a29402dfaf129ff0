// The program: reads what it is started with, then serves.
import { readFileSync } from 'node:fs';
import { readSettings, SettingsError } from './settings.ts';

export async function main(args: readonly string[]): Promise<void> {
  const version = readVersion();
  try {
    const settings = readSettings(args, process.env, version);
    if ('print' in settings) return void process.stdout.write(settings.print);
    // Loaded only now: --help is answered at once.
    const { serve } = await import('./serve.ts');
    serve(settings, version);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`mxproof-mcp: ${error.message}\n`);
    process.exitCode = 2;
  }
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
