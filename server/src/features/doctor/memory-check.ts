// memory: what the machine has left, or the container it is kept in.
import { readFile } from 'node:fs/promises';
import { freemem, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { CheckResult, DoctorCheck } from './doctor-check.ts';
import { bytesText, failure, ok, warning } from './result.ts';

const MIB = 1024 ** 2;
/** What a node takes under load, without PostgreSQL; see docs/guide/performance.md. */
const NODE_BYTES = 1_536 * MIB;
const FAILED_BYTES = 256 * MIB;
const CGROUPS = '/sys/fs/cgroup';

interface MemoryFacts {
  readonly totalBytes: number;
  readonly availableBytes: number;
  /** Null: only the machine's own. */
  readonly limitBytes: number | null;
}

export const memoryCheck: DoctorCheck = {
  id: 'memory',
  title: 'Memory',
  needs: [],
  run: async () => judgeMemory(await readMemory()),
};

export function judgeMemory({ totalBytes, availableBytes, limitBytes }: MemoryFacts): CheckResult {
  const of = limitBytes === null ? 'The machine' : 'The limit of this container or service';
  const advice =
    limitBytes === null
      ? 'Add memory, or move other programs elsewhere.'
      : 'Raise the limit (memory of the container, MemoryMax of the unit).';
  if (availableBytes < FAILED_BYTES)
    return failure(
      `${bytesText(availableBytes)} of memory are available: the kernel may end the service at any time.`,
      advice,
    );
  if ((limitBytes ?? totalBytes) < NODE_BYTES)
    return warning(
      `${of} has ${bytesText(limitBytes ?? totalBytes)} of memory, and a node under load takes up to ${bytesText(NODE_BYTES)}.`,
      advice,
    );
  const limit = limitBytes === null ? '' : `, within a limit of ${bytesText(limitBytes)}`;
  return ok(`${bytesText(availableBytes)} of memory are available${limit}.`);
}

/** @param root where the files of the kernel are, another in tests */
export async function readMemory(root = '/'): Promise<MemoryFacts> {
  const meminfo = await readFile(join(root, 'proc/meminfo'), 'utf8').catch(() => '');
  const totalBytes = kibOf(meminfo, 'MemTotal') ?? totalmem();
  const machineBytes = kibOf(meminfo, 'MemAvailable') ?? freemem();
  const own = (await readFile(join(root, 'proc/self/cgroup'), 'utf8').catch(() => '')).match(
    /^0::(.*)$/m,
  )?.[1];
  let limitBytes: number | null = null;
  let availableBytes = machineBytes;
  // A limit of any group above holds as well.
  for (let group = own ?? '/'; ; group = dirname(group)) {
    const found = await readGroup(join(root, CGROUPS, group));
    if (found !== null && found.limitBytes < totalBytes) {
      limitBytes = Math.min(limitBytes ?? Number.POSITIVE_INFINITY, found.limitBytes);
      availableBytes = Math.min(availableBytes, Math.max(0, found.limitBytes - found.usedBytes));
    }
    if (group === '/' || group === '.') break;
  }
  return { totalBytes, availableBytes, limitBytes };
}

function kibOf(meminfo: string, name: string): number | null {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1];
  return kib === undefined ? null : Number(kib) * 1024;
}

/** Null: without a limit. What was read from files counts as used, and can be dropped at once. */
async function readGroup(folder: string): Promise<{ limitBytes: number; usedBytes: number } | null> {
  try {
    const limitBytes = Number(await readFile(join(folder, 'memory.max'), 'utf8'));
    if (!Number.isFinite(limitBytes)) return null;
    const current = Number(await readFile(join(folder, 'memory.current'), 'utf8'));
    const stat = await readFile(join(folder, 'memory.stat'), 'utf8').catch(() => '');
    const cached = Number(/^inactive_file (\d+)$/m.exec(stat)?.[1] ?? 0);
    return { limitBytes, usedBytes: current - cached };
  } catch {
    return null;
  }
}
