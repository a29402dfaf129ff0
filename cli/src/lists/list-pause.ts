// list pause|resume: stops a list for a while.

import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { counted } from '../clean/clean-progress.ts';
import { printJson, printLine } from '../shared/print.ts';

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

export async function listPause(id: number, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const list = await mx.lists.pause(id);
  if (json) return printJson(list);
  printLine(
    `List ${id} paused: ${list.checked} of ${list.total} are checked. "mxproof list resume ${id}" goes on.`,
  );
}

export async function listResume(id: number, { json, ...rest }: Options): Promise<void> {
  const { mx } = await connectService(rest);
  const list = await mx.lists.resume(id);
  if (json) return printJson(list);
  printLine(`List ${id} goes on: ${counted(list.total - list.checked, 'address is', 'addresses are')} left.`);
}
