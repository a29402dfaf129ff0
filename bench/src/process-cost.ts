// What processes have cost so far, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const MEGABYTE = 1_000_000;

/** From the process's state on; the name before it may hold anything. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(') ') + 2).split(' ');
}

/** User and system time. */
export function cpuSecondsOf(pid: number): number {
  const stat = statOf(pid);
  return (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND;
}

/** The process, those it has started, and those of them that have ended. */
export function cpuSecondsOfTree(pid: number): number {
  const own = statOf(pid);
  let ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(own[at]), 0);
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = statOf(Number(name));
      if (Number(stat[1]) === pid) ticks += Number(stat[11]) + Number(stat[12]);
    } catch {
      // It ended meanwhile, and is counted with its parent from now on.
    }
  }
  return ticks / TICKS_PER_SECOND;
}

/** All processors, whatever they did but idle. */
export function cpuSecondsOfMachine(): number {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/);
  const [user, nice, system, , , irq, softirq] = ticks.map(Number);
  return (user! + nice! + system! + irq! + softirq!) / TICKS_PER_SECOND;
}

/** Highest resident memory so far. */
export function peakMegabytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MEGABYTE;
}
