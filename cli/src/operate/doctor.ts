// doctor: what is wrong with this machine, and what to do.
// Promise: ends within 30 seconds whatever hangs, with 0 if no check failed and 1 otherwise.

import { diagnose } from '@mxproof/server/operate';
import { serviceSettings } from '../shared/environment.ts';
import { EXIT } from '../shared/exit-status.ts';
import { colours, jsonText } from '../shared/print.ts';
import { doctorTree } from './doctor-tree.ts';
import { sayService } from './say-service.ts';

interface DoctorOptions {
  readonly only?: readonly string[];
  readonly json?: boolean;
}

/** Lines are no easier to read when they are longer. */
const WIDEST = 120;
const NARROWEST = 60;

export async function doctor({ only = [], json }: DoctorOptions): Promise<never> {
  sayService();
  const progress = createWaitingLine(process.stderr.isTTY === true && json !== true);
  const report = await diagnose(serviceSettings(), { only, onProgress: progress.show });
  progress.clear();
  const columns = process.stdout.isTTY ? Math.max(NARROWEST, Math.min(WIDEST, process.stdout.columns)) : null;
  const text = json ? `${jsonText(report)}\n` : doctorTree(report, { hasColours: colours(), columns });
  await new Promise<void>((written) => process.stdout.write(text, () => written()));
  // What did not end when it was told to must not keep the process alive.
  process.exit(report.ok ? EXIT.ok : EXIT.failed);
}

/** On a terminal: one line that says what is still waited for. */
function createWaitingLine(isShown: boolean) {
  let total = 0;
  return {
    show(waitingFor: readonly string[]): void {
      total = Math.max(total, waitingFor.length);
      if (!isShown || waitingFor.length === 0) return;
      const line = `${total - waitingFor.length} of ${total} done, waiting for ${waitingFor.join(', ')}`;
      process.stderr.write(`\r\u001b[K${line.slice(0, process.stderr.columns - 1)}`);
    },
    clear(): void {
      if (isShown) process.stderr.write('\r\u001b[K');
    },
  };
}
