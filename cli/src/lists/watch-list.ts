// list show --watch: a list's progress until its end, by the service's events.
// Promise: a bar on a terminal, a line every few seconds elsewhere, a JSON line for every change with --json; what keeps the
// service from checking is said on standard error. Ctrl-C ends the watching, not the list.

import type { ListSummary, MXProof } from '@mxproof/client';
import { watchStandstill } from '../account/service-status.ts';
import { EXIT } from '../shared/exit-status.ts';
import { whileNotInterrupted } from '../shared/interrupt.ts';
import { printJson, printTable } from '../shared/print.ts';
import { createProgress } from '../shared/progress.ts';
import { summaryRows } from './list-summary.ts';

const LINE_EVERY_MS = 5_000;

export async function watchList(mx: MXProof, id: number, json: boolean): Promise<number> {
  const show = json ? { to: printJson, clear() {} } : forPeople((await mx.lists.get(id)).total);
  const standstill = watchStandstill(mx, (line) => {
    show.clear();
    process.stderr.write(`${line}\n`);
  });
  const onProgress = (now: ListSummary) => {
    standstill.moved();
    show.to(now);
  };
  const list = await whileNotInterrupted((signal) => mx.lists.wait(id, { signal, onProgress })).finally(
    () => {
      standstill.stop();
      show.clear();
    },
  );
  if (list === 'interrupted') {
    process.stderr.write(`List ${id} keeps running: follow it with "mxproof list show ${id} --watch".\n`);
    return EXIT.interrupted;
  }
  if (!json) printTable(summaryRows(list));
  return list.status === 'failed' ? EXIT.failed : EXIT.ok;
}

interface ProgressDisplay {
  to(list: ListSummary): void;
  clear(): void;
}

function forPeople(total: number): ProgressDisplay {
  if (process.stderr.isTTY) {
    const progress = createProgress(total, true);
    return { to: ({ checked }) => progress.to(checked), clear: () => progress.clear() };
  }
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return {
    to({ checked }) {
      if (performance.now() - saidAtMs < LINE_EVERY_MS) return;
      saidAtMs = performance.now();
      process.stderr.write(`${checked} of ${total} checked\n`);
    },
    clear() {},
  };
}
