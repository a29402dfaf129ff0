// outcomes on|off: whether the service takes what became of the account's mail, in the mode of the key.

import type { Account } from '@mxproof/client';
import { connectService, type Service, type ServiceOptions } from '../account/service-account.ts';
import { askYes, canAsk } from '../shared/ask.ts';
import { EXIT } from '../shared/exit-status.ts';
import { printJson, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';

interface Options extends ServiceOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function outcomesOn({ json, ...options }: Options): Promise<void> {
  const service = await connectService(options);
  const account = await service.mx.account.update({ outcomes: true });
  if (json) return show(account, service);
  printLine(
    `Outcomes are on, in ${service.mode} mode. Check your addresses from now on, and report what became of mail to them with "mxproof outcomes import"; those of earlier lists are not found.`,
  );
}

export async function outcomesOff({ json, yes, ...options }: Options): Promise<number> {
  const service = await connectService(options);
  if (!yes) {
    if (!canAsk()) throw new UsageError('Not a terminal: pass --yes to delete all outcomes.');
    process.stderr.write(
      `This deletes all outcomes of ${service.mode} mode, and with them accuracy and bounce risks. The suppression list stays.\n`,
    );
    if (!(await askYes('Switch outcomes off?'))) {
      printLine('Nothing was changed.');
      return EXIT.failed;
    }
  }
  const account = await service.mx.account.update({ outcomes: false });
  if (json) show(account, service);
  else printLine(`Outcomes are off, in ${service.mode} mode, and were deleted. The suppression list stays.`);
  return EXIT.ok;
}

function show(account: Account, { mode, url }: Service): void {
  printJson({ ...account, mode, url });
}
