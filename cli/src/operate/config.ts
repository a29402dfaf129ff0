// config: every setting, its value without what is secret, and where it comes from. Works with settings that are invalid.

import { type DescribedSetting, describeSettings } from '@mxproof/server/describe-settings';
import { serviceSettings } from '../shared/environment.ts';
import { EXIT } from '../shared/exit-status.ts';
import { plain, printJson, printLine, printTable } from '../shared/print.ts';
import { sayService } from './say-service.ts';

export async function config({ json }: { readonly json?: boolean }): Promise<number> {
  sayService();
  const { ok, settings, unknown } = describeSettings(serviceSettings());
  const status = ok ? EXIT.ok : EXIT.failed;
  if (json) {
    printJson({
      ok,
      settings: settings.map(({ fallback, ...one }) => ({ ...one, default: fallback })),
      unknown: unknown.map(({ name, meant }) => ({ name, did_you_mean: meant })),
    });
    return status;
  }
  printTable([['setting', 'value', 'from'], ...settings.map(rowOf)]);
  for (const { error } of settings) if (error !== null) printLine(plain(`✗ ${error}`));
  for (const { name, meant } of unknown)
    printLine(
      plain(
        `! ${name} is not a setting and has no effect${meant === null ? '.' : `: did you mean ${meant}?`}`,
      ),
    );
  return status;
}

function rowOf({ name, value, fallback, from, error }: DescribedSetting): string[] {
  const isMissing = error !== null && value === null;
  const shown = isMissing ? '(missing)' : (value ?? `(${fallback})`);
  return [name, plain(shown), error === null ? from : `${from}, invalid`];
}
