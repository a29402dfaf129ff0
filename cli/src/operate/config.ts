// config: every setting, its value without what is secret, and where it comes from; with --check, only what is wrong with them.
// Works with settings that are invalid, and opens neither a store nor a port.

import { configFileOf } from '@mxproof/server/config-file';
import {
  type DescribedSetting,
  type DescribedSettings,
  describeSettings,
} from '@mxproof/server/describe-settings';
import { serviceSettings } from '../shared/environment.ts';
import { EXIT } from '../shared/exit-status.ts';
import { plain, printJson, printLine, printTable } from '../shared/print.ts';
import { sayService } from './say-service.ts';

interface ConfigOptions {
  readonly check?: boolean;
  readonly json?: boolean;
}

export async function config({ check, json }: ConfigOptions): Promise<number> {
  sayService();
  const described = describeSettings(serviceSettings());
  const { ok, settings, unknown } = described;
  const status = ok ? EXIT.ok : EXIT.failed;
  const mistakes = mistakesOf(described);
  const file = configFileOf(serviceSettings())?.path ?? null;
  if (json) {
    printJson({
      ok,
      file,
      mistakes,
      ...(!check && { settings: settings.map(({ fallback, ...one }) => ({ ...one, default: fallback })) }),
      unknown: unknown.map(({ name, meant }) => ({ name, did_you_mean: meant })),
    });
    return status;
  }
  if (!check) {
    if (file !== null) printLine(plain(`configuration file: ${file}`));
    printTable([['setting', 'value', 'from'], ...settings.map(rowOf)]);
  }
  for (const mistake of mistakes) printLine(plain(`✗ ${mistake}`));
  for (const { name, meant } of unknown)
    printLine(
      plain(
        `! ${name} is not a setting and has no effect${meant === null ? '.' : `: did you mean ${meant}?`}`,
      ),
    );
  if (check && ok) printLine(`The settings${file === null ? '' : ` and ${plain(file)}`} are in order.`);
  return status;
}

function mistakesOf({ settings, mistakes }: DescribedSettings): string[] {
  return [...mistakes, ...settings.flatMap(({ error }) => error ?? [])];
}

function rowOf({ name, value, fallback, from, error }: DescribedSetting): string[] {
  const isMissing = error !== null && value === null;
  const shown = isMissing ? '(missing)' : (value ?? `(${fallback})`);
  return [name, plain(shown), error === null ? from : `${from}, invalid`];
}
