// What a command that only looks says before, where its shell does not have the settings of the installed service.

import { dataDirOf } from '@mxproof/server/data-dir';
import { serviceSettings } from '../shared/environment.ts';
import { noteBesideService } from './installed-service.ts';

export function sayService(): void {
  const settings = serviceSettings();
  const note = noteBesideService({
    settings,
    dataDir: dataDirOf(settings),
    words: process.argv.slice(2),
  });
  if (note !== null) process.stderr.write(`${note}\n`);
}
