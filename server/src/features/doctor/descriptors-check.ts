// descriptors: how many files and sockets a process may have open.
import { readFile } from 'node:fs/promises';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { failure, ok, skipped, warning } from './result.ts';

/** 6,000 sessions with mail servers, and HTTP, files and the database; see docs/guide/performance.md. */
const NEEDED = 8_192;
const TOO_FEW = 1_024;

export const descriptorsCheck: DoctorCheck = {
  id: 'descriptors',
  title: 'File descriptors',
  needs: [],
  async run() {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null);
    if (limits === null) return skipped('This system does not tell the limit of a process: see "ulimit -n".');
    return judgeDescriptors(limits);
  },
};

/** @param limits as `/proc/self/limits` has them */
export function judgeDescriptors(limits: string): CheckResult {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? 'unlimited';
  const allowed = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  const shown = Number.isFinite(allowed) ? allowed.toLocaleString('en') : 'any number of';
  if (allowed >= NEEDED) return ok(`A process may have ${shown} files and sockets open.`);
  return (allowed < TOO_FEW ? failure : warning)(
    `A process may have ${shown} files and sockets open, and a node needs up to ${NEEDED.toLocaleString('en')}: mail servers and clients have to wait.`,
    `Set LimitNOFILE=${NEEDED} in the unit file, "--ulimit nofile=${NEEDED}" for Docker, or run "ulimit -n ${NEEDED}" before the start.`,
  );
}
